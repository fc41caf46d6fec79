/** A call that has to be moved. */
import type { WarmupTopic } from './topic.ts';

export const MOVING_A_CALL: WarmupTopic = {
  subjects: [
    'Moving {day}’s call',
    'Our call on {day}',
    'Quick change for {day}',
    'Does {day} still work?',
    'Call at {time}',
  ],
  openings: [
    'I have to move our call on {day}, something came up at {time}.',
    'would it be a problem to shift {day}’s call a little?',
    'our {day} slot now clashes with a supplier visit.',
    'I double booked myself on {day}, sorry about that.',
    'the room for {day} is taken until {time}.',
  ],
  middles: [
    'Everything we wanted to go through can wait a day or two.',
    'The agenda stays the same, {number} points, nothing long.',
    'I would still like to cover the {thing} before the end of the week.',
    '{name} would join us for the first part.',
    'I have the notes of last time ready, so it should be quick.',
  ],
  asks: [
    'Would {otherday} at {time} suit you instead?',
    'Could you do {otherday}, any time after {time}?',
    'Let me know which morning is best for you.',
    'Is {otherday} free on your side?',
    'Just tell me what works and I will send a new invite.',
  ],
  answers: [
    '{otherday} works for me, {time} is fine.',
    'no problem at all, let us take {otherday}.',
    'I can do {otherday} in the afternoon, the morning is full.',
    'that suits me even better, to be honest.',
    'sure, just keep it below an hour if you can.',
  ],
  afters: [
    'I will bring the numbers for the {thing}.',
    'Please add {name} to the invite as well.',
    'If anything changes again, just call me.',
    'I have read the notes already, so we can start right away.',
    'Same place as last time?',
  ],
};
