/** A tag with the attributes that are used; the others are skipped unread. */
import type { Attributes } from './page-source.ts';

/** Attributes that are read, each with its index in `Tag.values`. */
export const ATTRIBUTE = {
  action: 0,
  alt: 1,
  'aria-label': 2,
  class: 3,
  content: 4,
  first: 5,
  hidden: 6,
  href: 7,
  'http-equiv': 8,
  itemprop: 9,
  lang: 10,
  last: 11,
  name: 12,
  property: 13,
  src: 14,
  style: 15,
  title: 16,
  type: 17,
  'xlink:href': 18,
} as const;

/** One object reused for all tags of a page: a caller that keeps something of it copies it. */
export interface Tag {
  /** The position of its `<`. */
  from: number;
  /** The position after its `>`. */
  at: number;
  /** Indexed by `ATTRIBUTE`; undefined for absent ones. */
  values: (string | undefined)[];
  hasValues: boolean;
  /** `on*` attributes: code. */
  handlers: string[] | null;
  /** The `data-*` attributes that are read for a meaning of their own. */
  data: Attributes | null;
  /** All its attributes that are read, where one of its `data-*` may hold an address. */
  parts: Attributes | null;
  /** All `data-*` attributes, which become part of `parts` where that is kept. */
  deferred: [name: string, value: string][];
}

const places = new Map<string, number>(Object.entries(ATTRIBUTE));

/** By first letter, as bits: the lengths of the attribute names that are read. */
const LENGTHS = new Uint32Array(128);
for (const name of places.keys()) {
  LENGTHS[name.charCodeAt(0)]! |= 1 << name.length;
  LENGTHS[name.charCodeAt(0) - 32]! |= 1 << name.length;
}
const ANY_LENGTH = 0xffffffff;
for (const letter of 'dDoO') LENGTHS[letter.charCodeAt(0)] = ANY_LENGTH;

/** Whether an attribute whose name begins with `first` and has `size` letters may be read at all. */
export function mayBeRead(first: number, size: number): boolean {
  const lengths = first < 128 ? LENGTHS[first]! : 0;
  return lengths === ANY_LENGTH || (size < 32 && (lengths & (1 << size)) !== 0);
}

export function createTag(): Tag {
  const values = Array.from<string | undefined>({ length: places.size });
  const lists = { handlers: null, data: null, parts: null, deferred: [] };
  return { from: -1, at: 0, values, hasValues: false, ...lists };
}

export function clearTag(tag: Tag): void {
  if (tag.hasValues) {
    tag.values.fill(undefined);
    tag.hasValues = false;
  }
  tag.handlers = null;
  tag.data = null;
  tag.parts = null;
  if (tag.deferred.length > 0) tag.deferred = [];
}

/** Records an attribute; the first of two with one name counts. */
export function keepAttribute(tag: Tag, written: string, value: string): void {
  if (!mayBeRead(written.charCodeAt(0), written.length)) return;
  const name = written.toLowerCase();
  const at = places.get(name);
  if (at !== undefined) {
    if (tag.values[at] !== undefined) return;
    tag.hasValues = true;
    tag.values[at] = value;
    if (at === ATTRIBUTE.first && value !== '' && value.length <= MAX_PART) tag.parts ??= {};
  } else if (name.startsWith('data-')) keepData(tag, name, value);
  else if (name.startsWith('on') && value !== '') (tag.handlers ??= []).push(value);
}

/** Names of `data-*` attributes in which scripts keep an address or parts of one. */
const PARTS = /mail|addr|contact|enc|user|domain|local|host|href|cloak|vector/;
/** Longer values hold no address by themselves. */
const MAX_PART = 2_000;
/** `data-*` attributes that are read for a meaning of their own. */
const DATA = new Set(['data-cfemail', 'data-src', 'data-icon', 'data-href']);

function keepData(tag: Tag, name: string, value: string): void {
  if (DATA.has(name)) (tag.data ??= {})[name] ??= value;
  tag.deferred.push([name, value]);
  if (tag.parts !== null || value === '' || name === 'data-cfemail') return;
  const isPart = PARTS.test(name);
  if (value.length <= MAX_PART && (isPart || value.includes('@'))) tag.parts = {};
}

/** Ends the tag: combines its parts where they may make an address. */
export function completeParts(tag: Tag): void {
  const { values, deferred, parts } = tag;
  if (parts === null) return;
  for (const [name, at] of places) if (values[at] !== undefined) parts[name] = values[at];
  for (const [name, value] of deferred) parts[name] ??= value;
}
