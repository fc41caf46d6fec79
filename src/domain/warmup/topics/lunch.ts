/** Lunch, after a long time. */
import type { WarmupTopic } from './topic.ts';

export const LUNCH: WarmupTopic = {
  subjects: [
    'Lunch on {day}?',
    'In town on {day}',
    'Coffee this week?',
    'That place near the station',
    'Long time no see',
  ],
  openings: [
    'I am in your part of town on {day}.',
    'we have been saying for months that we should have lunch.',
    'I walked past that place near the {place} yesterday and thought of you.',
    'my {day} has just become free around {time}.',
    '{name} told me that you are back from your trip.',
  ],
  middles: [
    'It has been too long since we last talked about anything but work.',
    'They have a new menu, and it is quiet there before {time}.',
    'I would like to hear how the move went.',
    'I have an hour and no plans, which is rare these days.',
    'It would be my turn to pay, if I remember rightly.',
  ],
  asks: [
    'Do you have time for a coffee?',
    'Would {time} near the {place} work?',
    'Are you around, or is {otherday} better?',
    'Shall I book a table for two?',
    'Say yes if you can, and I will be there.',
  ],
  answers: [
    'what a nice idea, I am around on {day}.',
    'yes, {time} near the {place} is perfect.',
    'this week is hard, but {otherday} next week would work.',
    'I was about to suggest the same.',
    'coffee it is, lunch gets too long for me at the moment.',
  ],
  afters: [
    'And no, it is my turn to pay.',
    'The move went well, I will tell you everything.',
    'Shall we ask {name} too?',
    'Please do book, it is full on most days.',
    'I have until {time}, then I have to run.',
  ],
};
