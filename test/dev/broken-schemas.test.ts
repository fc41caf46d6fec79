/** What of one value the check of the API's document calls breaking: in requests what is narrower, in answers what clients read. */
import { describe, expect, it } from 'vitest';
import { brokenSchemas } from '../../src/dev/contract/broken-schemas.ts';
import type { ContractDocument, Schema } from '../../src/dev/contract/schema.ts';

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const map = (additionalProperties: boolean | Schema): Schema => ({
  type: 'object',
  additionalProperties,
});
const list = (items?: Schema): Schema => ({ type: 'array', ...(items && { items }) });
const field = (name: string, schema: Schema): Schema => ({
  type: 'object',
  properties: { [name]: schema },
});

function broken(direction: 'request' | 'answer', was: Schema, is: Schema): string[] {
  const document = { paths: {}, components: { schemas: {} } } as unknown as ContractDocument;
  return brokenSchemas({ before: document, after: document }, { at: 'x', direction }, was, is);
}

type Case = [what: string, was: Schema, is: Schema, words: string];

/** What comes back of a request is as wide as what it takes: the same the other way round breaks nothing. */
const NARROWER: Case[] = [
  ['a pattern', text, { ...text, pattern: '^a' }, 'x has another pattern now: "^a"'],
  ['an end to any further fields', map(true), map(false), 'x takes no further fields now'],
  ['an end to further fields', map(text), map(false), 'x takes no further fields now'],
  ['a kind of further fields', map(true), map(text), 'x takes only certain further fields now'],
  [
    'a bound of further fields',
    map(text),
    map({ ...text, maxLength: 3 }),
    'x.* is bound by maxLength 3 now',
  ],
  ['a kind of items', list(), list(text), 'x takes only certain items now'],
  ['a kind', {}, text, 'x may only be string now'],
  ['an enumeration', text, { ...text, enum: ['a'] }, 'x takes only certain values now'],
  [
    'fewer values',
    { ...text, enum: ['a', 'b'] },
    { ...text, enum: ['a'] },
    'x does not take "b" any more',
  ],
  ['a format', text, { ...text, format: 'date' }, 'x has to be a date now'],
  [
    'a shorter text',
    { ...text, maxLength: 9 },
    { ...text, maxLength: 8 },
    'x is bound by maxLength 8 now',
  ],
  ['a longest text', text, { ...text, maxLength: 8 }, 'x is bound by maxLength 8 now'],
  ['a shortest text', text, { ...text, minLength: 1 }, 'x is bound by minLength 1 now'],
  [
    'fewer items',
    { ...list(text), maxItems: 9 },
    { ...list(text), maxItems: 8 },
    'x is bound by maxItems 8 now',
  ],
  ['more items', list(text), { ...list(text), minItems: 1 }, 'x is bound by minItems 1 now'],
  [
    'items that differ',
    list(text),
    { ...list(text), uniqueItems: true },
    'x has another uniqueItems now: true',
  ],
  ['a lower number', whole, { ...whole, maximum: 8 }, 'x is bound by maximum 8 now'],
  [
    'a higher number',
    { ...whole, minimum: 1 },
    { ...whole, minimum: 2 },
    'x is bound by minimum 2 now',
  ],
  [
    'a number above',
    whole,
    { ...whole, exclusiveMinimum: 0 },
    'x is bound by exclusiveMinimum 0 now',
  ],
  ['steps', whole, { ...whole, multipleOf: 5 }, 'x has another multipleOf now: 5'],
  [
    'an alternative less',
    { anyOf: [field('a', text), field('b', text)] },
    field('a', text),
    'x takes fewer alternatives now',
  ],
  [
    'a field that is refused',
    field('a', {}),
    field('a', { not: {} }),
    'x.a has another not now: {}',
  ],
];

describe('a request that takes less', () => {
  it.each(NARROWER)('by %s breaks clients', (_what, was, is, words) => {
    expect(broken('request', was, is)).toContain(words);
    expect(broken('request', is, was)).toEqual([]);
  });

  it('may be one with another pattern: nobody can tell which one is wider', () => {
    const [one, other] = [
      { ...text, pattern: '^a' },
      { ...text, pattern: '^[ab]' },
    ];
    expect(broken('request', one, other)).toEqual(['x has another pattern now: "^[ab]"']);
  });

  it('is told of where what is left out becomes another value', () => {
    const [on, off] = [
      { type: 'boolean', default: true },
      { type: 'boolean', default: false },
    ];
    expect(broken('request', on, off)).toEqual(['x is false where it is left out now']);
    expect(broken('request', on, { type: 'boolean' })).toEqual([
      'x is nothing where it is left out now',
    ]);
    const orNull = { anyOf: [whole, { type: 'null' }] };
    const change = broken('request', { ...orNull, default: 1 }, { ...orNull, default: 2 });
    expect(change).toEqual(['x is 2 where it is left out now']);
  });
});

const WIDER: Case[] = [
  [
    'a format that is gone',
    { ...text, format: 'date-time' },
    text,
    'x need not be a date-time any more',
  ],
  [
    'another format',
    { ...text, format: 'date-time' },
    { ...text, format: 'date' },
    'x need not be a date-time any more',
  ],
  [
    'a value that comes no more',
    { ...text, enum: ['a', 'b'] },
    { ...text, enum: ['b', 'c'] },
    'x does not bring "a" any more',
  ],
  ['any kind', text, {}, 'x may be anything now'],
  ['any items', list(text), list(), 'x may hold anything now'],
  ['further fields of any kind', map(text), map(true), 'x says nothing of its further fields now'],
  ['an end to further fields', map(text), map(false), 'x says nothing of its further fields now'],
  ['another kind of further fields', map(text), map(whole), 'x.* may be integer now'],
  [
    'one more form',
    field('a', text),
    { anyOf: [field('a', text), field('b', text)] },
    'x may come in more forms now',
  ],
];

describe('an answer on which clients rely', () => {
  it.each(WIDER)('breaks them by %s', (_what, was, is, words) => {
    expect(broken('answer', was, is)).toContain(words);
  });

  it('may bring new values and fields, and what a request takes since then', () => {
    const two = { ...text, enum: ['a', 'b'] };
    expect(broken('answer', two, { ...text, enum: ['a', 'b', 'c'] })).toEqual([]);
    expect(broken('answer', map(false), map(true))).toEqual([]);
    expect(broken('answer', { ...text, maxLength: 9, pattern: '^a' }, text)).toEqual([]);
    expect(broken('answer', text, { ...text, format: 'date' })).toEqual([]);
  });
});
