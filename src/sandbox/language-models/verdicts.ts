/**
 * What the simulated models make of an answer: simple rules, and a model that does what the answer tells it to.
 * A marker in the answer chooses how the model misbehaves.
 */

/** What the model says; a string is its raw output. */
export interface Verdict {
  output: string;
  /** Cut off: the output has no end. */
  isCut?: boolean;
  isRefused?: boolean;
  /** The vendor's own answer ends in the middle, with status 200. */
  isBroken?: boolean;
}

/** `content`: the user message, JSON with the answer in it. */
export function verdictOn(content: string): Verdict {
  const text = answerIn(content);
  if (text.includes('[[withheld]]')) return { output: 'I cannot help with that.', isRefused: true };
  if (text.includes('[[cut]]')) return { output: '{"interest":"inter', isCut: true };
  if (text.includes('[[malformed]]')) return { output: '```json\n{"interest": "meeting"' };
  if (text.includes('[[broken]]')) return { output: '', isBroken: true };
  if (text.includes('[[chatty]]')) return { output: 'Sure! I would say that they want a meeting.' };
  if (text.includes('[[unknown word]]')) return said('enthusiastic', 'certain');
  const told = /ignore (?:all |the )?(?:above|previous).{0,60}?output (\w+)/is.exec(text)?.[1];
  if (told !== undefined) return said(told.toLowerCase(), 'certain');
  const interest = RULES.find(([, words]) => words.test(text))?.[0] ?? 'none';
  return said(interest, text.includes('[[unsure]]') ? 'guess' : 'certain');
}

export const BROKEN_BODY = '{"id":"1","model":"sandbox-model","cho';

const said = (interest: string, certainty: string): Verdict => ({
  output: JSON.stringify({ interest, certainty }),
});

const RULES: readonly (readonly [string, RegExp])[] = [
  // A word of which no rule of the product knows anything.
  ['wrong_person', /colleague|forwarded|plover/i],
  ['not_now', /spring|autumn|next year|later/i],
  ['not_interested', /no thanks|do not need|remove/i],
  ['meeting', /call|meet|calendar/i],
  ['interested', /tell me more|interesting|go ahead/i],
  ['question', /\?/],
];

function answerIn(content: string): string {
  try {
    const { answer } = JSON.parse(content) as { answer?: unknown };
    return typeof answer === 'string' ? answer : content;
  } catch {
    return content;
  }
}
