/** An order of supplies. */
import type { WarmupTopic } from './topic.ts';

export const ORDER: WarmupTopic = {
  subjects: [
    'Order for the {place}',
    'Delivery on {day}',
    '{number} boxes',
    'About the delivery',
    'Question on the last order',
  ],
  openings: [
    'the delivery for the {place} came this morning.',
    'we are {number} boxes short for the {place}.',
    'the carrier has announced the pallets for {day}.',
    'I am putting together the order for next month.',
    'somebody has to be at the {place} on {day} for the delivery.',
  ],
  middles: [
    'Two of them are dented, the content seems fine.',
    'The old stock lasts until {day}, maybe a day longer.',
    'Last time they came at {time}, without a call before.',
    'The price has gone up a little, as expected.',
    'I would order {number} more this time, to be on the safe side.',
  ],
  asks: [
    'Can you check how many are left on your side?',
    'Is that quantity fine with you?',
    'Could you be there around {time}?',
    'Should I complain, or do we let it go?',
    'Do you need anything else while I am at it?',
  ],
  answers: [
    'we still have {number} of them, so no hurry.',
    'that is fine, please order the same as last time.',
    'I can be there from {time} on.',
    'I would let it go, they have always been fair.',
    'please add a box of the small ones for me.',
  ],
  afters: [
    '{name} has the key, in case I am late.',
    'I will count again on {day} and tell you.',
    'A short note to them cannot hurt, though.',
    'The invoice can go to the usual place.',
    'Thanks for taking care of it.',
  ],
};
