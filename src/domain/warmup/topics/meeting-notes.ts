/** Notes of a meeting. */
import type { WarmupTopic } from './topic.ts';

export const MEETING_NOTES: WarmupTopic = {
  subjects: [
    'Notes from {day}',
    'What we agreed on',
    'Short summary',
    'After our talk',
    'Next steps for the {thing}',
  ],
  openings: [
    'thanks for your time on {day}.',
    'here is what I took away from our talk.',
    'I promised a summary, so here it is.',
    'it was good to talk about the {thing} without hurry.',
    'before I forget it, the main points from {day}.',
  ],
  middles: [
    'We keep the {thing} as it is until the end of the quarter.',
    'You wanted to ask {name} about the budget, I look at the dates.',
    'There are {number} open points, none of them urgent.',
    'We said that smaller steps are better than one big change.',
    'The rest depends on what we hear on {day}.',
  ],
  asks: [
    'Did I forget anything?',
    'Is that how you remember it?',
    'Can you confirm the dates by {day}?',
    'Would you add your part where it is missing?',
    'Shall I send it to {name} as well?',
  ],
  answers: [
    'that is how I remember it, thank you for writing it down.',
    'only one thing: the dates were not fixed yet.',
    'complete, from what I can tell.',
    'yes, please send it on, it helps everybody.',
    'I have asked already and expect an answer by {day}.',
  ],
  afters: [
    'I would add that the {thing} needs an owner.',
    'Let us look at the open points again in two weeks.',
    'The smaller steps were a good idea.',
    'I will take care of my part this week.',
    'Until {day} then.',
  ],
};
