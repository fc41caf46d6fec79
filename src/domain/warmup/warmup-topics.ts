/** What colleagues and acquaintances write about: pieces that fit together within a topic. */
import { BOOK } from './topics/book.ts';
import { DRAFT } from './topics/draft.ts';
import { LUNCH } from './topics/lunch.ts';
import { MEETING_NOTES } from './topics/meeting-notes.ts';
import { MONTHLY_NUMBERS } from './topics/monthly-numbers.ts';
import { MOVING_A_CALL } from './topics/moving-a-call.ts';
import { NEW_COLLEAGUE } from './topics/new-colleague.ts';
import { ORDER } from './topics/order.ts';
import { PHOTOS } from './topics/photos.ts';
import { TRAINING } from './topics/training.ts';
import type { WarmupTopic } from './topics/topic.ts';

/** Their order is part of what a seed chooses. */
export const WARMUP_TOPICS: readonly WarmupTopic[] = [
  MOVING_A_CALL,
  DRAFT,
  LUNCH,
  ORDER,
  NEW_COLLEAGUE,
  MEETING_NOTES,
  BOOK,
  MONTHLY_NUMBERS,
  TRAINING,
  PHOTOS,
];

export const GREETINGS = ['Hi', 'Hello', 'Good morning', 'Dear', 'Hey'] as const;

export const CLOSINGS = [
  'Best',
  'Best regards',
  'Kind regards',
  'Thanks',
  'Many thanks',
  'Cheers',
  'Have a good day',
  'See you soon',
] as const;

export const SIDE_NOTES = [
  'By the way, the train was on time today, for once.',
  'It is quiet here this week, which is good for once.',
  'I am out on {day}, but I read my mail in the evening.',
  'No hurry, the end of the week is early enough.',
  'Sorry for the short notice.',
  'I write this on the phone, so excuse the brevity.',
  'It rains here since {day}, I hope it is better with you.',
  'My regards to {name}.',
  'We are all fine, and busy as ever.',
  'Call me if that is easier for you.',
] as const;

/** What the pieces are filled with. */
export const FILLINGS = {
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  otherday: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  time: [
    'nine',
    'half past nine',
    'ten',
    'eleven',
    'noon',
    'two',
    'half past two',
    'three',
    'four',
  ],
  number: ['three', 'four', 'five', 'six', 'eight', 'ten', 'twelve', 'fifteen'],
  month: ['March', 'April', 'May', 'June', 'September', 'October', 'November'],
  place: ['station', 'warehouse', 'new office', 'market', 'workshop', 'old mill', 'library'],
  thing: ['handbook', 'price list', 'travel plan', 'survey', 'checklist', 'newsletter', 'budget'],
  name: ['Anna', 'Ben', 'Carla', 'David', 'Eva', 'Frank', 'Grace', 'Henry', 'Ines', 'Jonas'],
} as const satisfies Record<string, readonly string[]>;
