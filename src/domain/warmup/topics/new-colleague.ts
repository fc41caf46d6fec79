/** A new colleague. */
import type { WarmupTopic } from './topic.ts';

export const NEW_COLLEAGUE: WarmupTopic = {
  subjects: [
    'New colleague from {day} on',
    'First week of {name}',
    '{name} starts on {day}',
    'Help for the first days',
    'A desk for {name}',
  ],
  openings: [
    '{name} starts with us on {day}.',
    'we have found somebody for the open position at last.',
    'the new colleague comes in at {time} on {day}.',
    'I am planning the first week for {name}.',
    'you may have heard it already: {name} joins the team.',
  ],
  middles: [
    'The first two days are for getting to know people.',
    'I thought of {number} short meetings instead of one long one.',
    'The desk near the window is free and has a screen.',
    'The accounts are ordered, the badge is still missing.',
    'Nobody should sit alone at lunch on the first day.',
  ],
  asks: [
    'Would you take half an hour to explain the {thing}?',
    'Could you show the {place} on the first morning?',
    'Do you have time on {day} after {time}?',
    'What do you wish somebody had told you in your first week?',
    'Can you think of anything that I forgot?',
  ],
  answers: [
    'happy to do that, half an hour is enough.',
    'great news, we have waited long for this.',
    'I can take the first morning, no problem.',
    'what helped me most was a list of who knows what.',
    '{day} is good, I have nothing after {time}.',
  ],
  afters: [
    'I will look for my old notes.',
    'The {thing} is best shown with an example.',
    'Lunch is on me that day.',
    'Please remind me the day before.',
    'Ask {name} about the badge, that is quickest.',
  ],
};
