/** A book that was mentioned. */
import type { WarmupTopic } from './topic.ts';

export const BOOK: WarmupTopic = {
  subjects: [
    'That book you mentioned',
    'Something to read',
    'Your recommendation',
    'Finished it at last',
    'A question on the book',
  ],
  openings: [
    'I finally finished the book that you recommended.',
    'what was the title of the book you talked about on {day}?',
    'I am about {number} pages in and cannot put it down.',
    'you were right about the second half.',
    '{name} has lent me a book that you would like.',
  ],
  middles: [
    'The chapter on small teams says what we found out the hard way.',
    'It starts slowly, but the examples are worth it.',
    'I disagree with the ending, though it made me think.',
    'I read on the train, which is the only quiet hour I have.',
    'There is a passage on patience that I wrote down.',
  ],
  asks: [
    'Which one should I read next?',
    'Did you like the ending?',
    'Would you like to borrow it?',
    'Do you still have your copy?',
    'Who else might enjoy it?',
  ],
  answers: [
    'glad you liked it, I was not sure you would.',
    'I have it here and can bring it on {day}.',
    'the ending divides people, I liked it.',
    'the next one of the same author is even better.',
    'yes please, I need something for the weekend.',
  ],
  afters: [
    '{name} might enjoy it too.',
    'The passage on patience is my favourite as well.',
    'No hurry to give it back.',
    'Tell me when you are through, then we talk.',
    'I read far too little at the moment.',
  ],
};
