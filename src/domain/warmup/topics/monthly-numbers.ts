/** The numbers of a month. */
import type { WarmupTopic } from './topic.ts';

export const MONTHLY_NUMBERS: WarmupTopic = {
  subjects: [
    'Numbers for {month}',
    'A figure I cannot explain',
    '{month} is closed',
    'Question on the report',
    'The report for {month}',
  ],
  openings: [
    'I am closing the numbers for {month}.',
    'there is a figure in the {month} report that I cannot explain.',
    'the {month} report is ready except for one line.',
    '{name} asked me about the costs in {month}.',
    'I compared {month} with the year before.',
  ],
  middles: [
    'We are about {number} per cent above the plan, mostly travel.',
    'It looks as if one invoice was booked twice.',
    'The total is right, only the split between teams is odd.',
    'Last year the same thing happened in the same month.',
    'It is not much, but I would rather understand it.',
  ],
  asks: [
    'Do you remember what that was?',
    'Could you have a look before {day}?',
    'Who would know more about it?',
    'Is it fine if I correct it next month?',
    'Can you send me your list by {day}?',
  ],
  answers: [
    'that must be the trip in the first week.',
    'I will look it up and tell you by {day}.',
    'correcting it next month is fine with me.',
    '{name} knows more, it was booked there.',
    'the list is nearly ready, {number} lines are missing.',
  ],
  afters: [
    'Good that you look so closely.',
    'The split has been odd since we moved the teams.',
    'If it was booked twice, I want it back.',
    'Call me at {time} if you like, then we go through it.',
    'Next year we should agree on the rules before.',
  ],
};
