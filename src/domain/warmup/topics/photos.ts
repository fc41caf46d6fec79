/** Photos for a place. */
import type { WarmupTopic } from './topic.ts';

export const PHOTOS: WarmupTopic = {
  subjects: [
    'Photos for the {place}',
    'The pictures from {day}',
    'Which picture?',
    'New sign for the {place}',
    'Colours',
  ],
  openings: [
    'the pictures from {day} have turned out well.',
    'we need a new sign for the {place}.',
    'I cannot decide between {number} pictures.',
    'the painter wants to know the colour by {day}.',
    '{name} took some photos of the {place} last week.',
  ],
  middles: [
    'I like the ones with people in them best.',
    'The light was better in the morning, around {time}.',
    'The dark green looks calmer than I thought.',
    'The letters should be readable from across the street.',
    'It does not have to be perfect, only friendly.',
  ],
  asks: [
    'Which would you take?',
    'Do you have an hour on {day} to choose with me?',
    'Is the green too dark?',
    'Would you ask {name} for an opinion?',
    'Can it wait until {otherday}?',
  ],
  answers: [
    'I would take the one with people in it.',
    'the green is fine, go ahead.',
    '{day} works, let us choose together.',
    'the second one, without any doubt.',
    'it can wait, a good sign stays for years.',
  ],
  afters: [
    'Readable is more important than pretty.',
    '{name} has a better eye for it than I do.',
    'Ask the painter for a small sample first.',
    'The morning light was worth getting up for.',
    'Send me the rest when you can.',
  ],
};
