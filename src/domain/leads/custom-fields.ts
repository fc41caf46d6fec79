/** Fields of leads that accounts define themselves, and what their values may be. Choice 99. */
import { parseUrl } from '../url.ts';
import { isStorable } from '../storable-text.ts';
import { isDay } from './custom-days.ts';

export const CUSTOM_TYPES = ['text', 'number', 'date', 'boolean', 'url'] as const;
export type CustomType = (typeof CUSTOM_TYPES)[number];

/** Of one account. */
export const MAX_CUSTOM_FIELDS = 50;
export const MAX_CHOICES = 100;
/** Characters of a text or an address. */
export const MAX_CUSTOM_TEXT = 500;
/** Bytes of all values of a lead, as JSON. */
export const MAX_CUSTOM_BYTES = 8_192;
/** Up to here all whole numbers are exact, and written without an exponent. */
const MAX_NUMBER = 999_999_999_999_999;

/** `employees`: no dot, no capital, no underscore in front. */
export const CUSTOM_NAME = /^[a-z][a-z0-9_]{0,39}$/;

export interface CustomField {
  id: number;
  name: string;
  label: string;
  type: CustomType;
  /** What a text may be; null: anything. */
  choices: readonly string[] | null;
}

/** Days are texts, `2026-03-01`. */
export type CustomValue = string | number | boolean;

/** Of a lead, by the ids of their fields; no field of another account has the same id. */
export type CustomValues = Readonly<Record<string, CustomValue>>;

/** A value with its field. */
export interface GivenValue {
  id: number;
  name: string;
  value: CustomValue;
}

/** A value as it is shown and written in messages. */
export interface TypedValue {
  name: string;
  type: CustomType;
  value: CustomValue;
}

/** How a field is called on the wire, in files and in templates. */
export type CustomVariable = `custom.${string}`;
export const customVariable = (name: string): CustomVariable => `custom.${name}`;

/** The name in `custom.employees`; undefined for anything else. */
export const customNameOf = (variable: string): string | undefined =>
  variable.startsWith('custom.') ? variable.slice('custom.'.length) : undefined;

/** The value, null where there is none, or what is wrong with it: `must be a number`. */
export type ReadValue = { value: CustomValue | null } | { problem: string };

/** Reads a value as JSON has it. */
export function readCustomValue(field: CustomField, given: unknown): ReadValue {
  if (given === null) return { value: null };
  switch (field.type) {
    case 'number':
      return typeof given === 'number' ? numberOf(given) : { problem: 'must be a number' };
    case 'boolean':
      return typeof given === 'boolean' ? { value: given } : { problem: 'must be true or false' };
    default:
      return typeof given === 'string' ? textOf(field, given) : { problem: WORDS[field.type] };
  }
}

const WORDS = {
  text: 'must be a string',
  date: 'must be a day such as 2026-03-01',
  url: 'must be the address of a page',
} as const;

/** A number that is kept and written as it was given. */
export function numberOf(given: number): ReadValue {
  if (!Number.isFinite(given) || Math.abs(given) > MAX_NUMBER) {
    return { problem: 'must be a number of at most 15 digits before its point' };
  }
  // No minus before a nought.
  return { value: given === 0 ? 0 : given };
}

/** Of text, date and url; an empty text counts as missing. */
export function textOf({ type, choices }: CustomField, given: string): ReadValue {
  const text = given.trim();
  if (text === '') return { value: null };
  if (text.length > MAX_CUSTOM_TEXT) {
    return { problem: TOO_LONG };
  }
  if (!isStorable(text)) return { problem: 'holds characters that are not allowed' };
  if (type === 'date') return isDay(text) ? { value: text } : { problem: WORDS.date };
  if (type === 'url') return addressOf(text);
  if (choices === null) return { value: text };
  const chosen = choices.find((choice) => fold(choice) === fold(text));
  return chosen === undefined
    ? { problem: `must be one of ${choices.join(', ').slice(0, 200)}` }
    : { value: chosen };
}

const TOO_LONG = `has more than ${MAX_CUSTOM_TEXT} characters`;

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** With its protocol: messages link to it. */
function addressOf(text: string): ReadValue {
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  const url = /\s/.test(whole) ? undefined : parseUrl(whole);
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) {
    return { problem: WORDS.url };
  }
  return whole.length > MAX_CUSTOM_TEXT ? { problem: TOO_LONG } : { value: whole };
}

/** By the ids of their fields; null where there are none. */
export function customValuesOf(given: readonly GivenValue[]): CustomValues | null {
  if (given.length === 0) return null;
  return Object.fromEntries(given.map(({ id, value }) => [String(id), value]));
}

/** Whether a lead may have all of them. */
export const customFits = (values: CustomValues): boolean =>
  Buffer.byteLength(JSON.stringify(values)) <= MAX_CUSTOM_BYTES;

export const TOO_MANY_BYTES = `has more than ${MAX_CUSTOM_BYTES.toLocaleString('en')} bytes`;
