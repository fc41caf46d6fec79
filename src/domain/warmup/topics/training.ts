/** A training. */
import type { WarmupTopic } from './topic.ts';

export const TRAINING: WarmupTopic = {
  subjects: [
    'Training on {day}',
    'Run this week?',
    'Saturday in the hills',
    'The race in {month}',
    'Shoes, again',
  ],
  openings: [
    'a few of us go running on {day} at {time}.',
    'I have signed up for the race in {month}, there is no way back.',
    'the weather should be fine at the weekend.',
    'my new shoes are finally here.',
    '{name} has found a nice round near the {place}.',
  ],
  middles: [
    'It is {number} kilometres, with one real hill.',
    'Nobody is in a hurry, we talk more than we run.',
    'Last time it rained and we still had fun.',
    'I have not trained for weeks, so do not expect much.',
    'There is a bakery at the end, which keeps everybody going.',
  ],
  asks: [
    'Are you in?',
    'Would you like to come along?',
    'Shall I pick you up at {time}?',
    'Do you know a good stretch for the knees?',
    'Is your bike still in one piece?',
  ],
  answers: [
    'count me in, a slow round is just right.',
    'I would love to, but my knee says no this week.',
    'yes, please pick me up.',
    'I am in if the bakery is part of it.',
    'let me see how {day} goes, I will tell you in the evening.',
  ],
  afters: [
    'The race in {month} is a good reason to start again.',
    'I will bring something warm to drink.',
    'Does {name} come too?',
    'Better {time} than earlier, if that is possible.',
    'Please keep me a place in the car.',
  ],
};
