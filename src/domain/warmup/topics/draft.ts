/** A draft that somebody should read. */
import type { WarmupTopic } from './topic.ts';

export const DRAFT: WarmupTopic = {
  subjects: [
    'Draft of the {thing}',
    'The {thing}, version {number}',
    'Comments on the {thing}?',
    'One more look at the {thing}',
    '{thing} before {day}',
  ],
  openings: [
    'I went through the {thing} again last night.',
    'the {thing} is nearly done, {number} pages for now.',
    'here is where I stand with the {thing}.',
    'I have cut the {thing} down to what people really read.',
    '{name} gave me comments on the {thing}, most of them fair.',
  ],
  middles: [
    'The second part is still too long for my taste.',
    'I moved the summary to the top and dropped {number} of the tables.',
    'The figures are those of last month, the new ones come on {day}.',
    'The introduction reads better now, the ending not yet.',
    'What is missing is a short example that everybody understands.',
  ],
  asks: [
    'Could you read it once before {day}?',
    'Does the order of the chapters make sense to you?',
    'Which part would you leave out?',
    'Would you rather have the figures in the text or at the end?',
    'Tell me honestly if it bores you.',
  ],
  answers: [
    'I read it over lunch and like the new order.',
    'good progress, the first half is there.',
    'I would leave out the part about the budget, nobody asked for it.',
    'the figures should stay in the text, I think.',
    'it does not bore me at all, only the ending comes too early.',
  ],
  afters: [
    'I have marked {number} small things, nothing serious.',
    'Let me go over it again on {day} with fresh eyes.',
    '{name} may have an example that fits.',
    'From my side it can go out after that.',
    'Shall we talk about the rest on {day}?',
  ],
};
