/** What JSON-LD says about the business: bounded, and tolerant of broken JSON. */
import { plainText } from './html/text.ts';

export interface LinkedData {
  emails: { value: string; name: string | undefined }[];
  phones: { value: string; isFax: boolean }[];
  /** Pages about the same thing elsewhere (`sameAs`). */
  sameAs: string[];
  /** Addresses of sites it calls its own. */
  urls: string[];
}

const MAX_NODES = 5_000;
const MAX_DEPTH = 15;
const MAX_VALUES = 100;
const MAX_LENGTH = 300_000;
/** A longer one is a text about the person. */
const MAX_NAME = 100;

/** Properties about others: who wrote, reviewed or sells something on the page. */
const OTHERS =
  /^(?:review|reviews|comment|aggregateRating|author|creator|publisher|itemReviewed|offers|seller|brand|performer|organizer|sponsor|isPartOf|hasPart|mentions|video|image)$/;

/** Reads all blocks of one page. */
export function readLinkedData(blocks: string[]): LinkedData {
  const data: LinkedData = { emails: [], phones: [], sameAs: [], urls: [] };
  for (const block of blocks) {
    if (block.length > MAX_LENGTH) continue;
    const parsed = parseLoosely(block);
    if (parsed === undefined) readBroken(block, data);
    else walk(parsed, data);
  }
  return data;
}

function parseLoosely(block: string): unknown {
  const text = block
    .replace(/^\s*(?:<!--|\/\/<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\/\]\]>|\]\]>)\s*$/, '');
  // Line breaks within strings and commas before a bracket are the usual mistakes.
  for (const reading of [text, text.replaceAll(/\s+/g, ' ').replaceAll(/,\s*([}\]])/g, '$1')]) {
    try {
      return JSON.parse(reading) as unknown;
    } catch {
      // Falls through to the next, more tolerant reading.
    }
  }
  return undefined;
}

interface Node {
  value: unknown;
  depth: number;
  isOther: boolean;
}

function walk(root: unknown, data: LinkedData): void {
  const open: Node[] = [{ value: root, depth: 0, isOther: false }];
  for (let nodes = 0; open.length > 0 && nodes < MAX_NODES; nodes += 1) {
    const { value, depth, isOther } = open.shift()!;
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) continue;
    if (Array.isArray(value)) {
      open.push(
        ...value.slice(0, 500).map((item: unknown) => ({ value: item, depth: depth + 1, isOther })),
      );
      continue;
    }
    const thing = value as Record<string, unknown>;
    if (!isOther) readThing(thing, data);
    for (const key of Object.keys(thing).slice(0, 200))
      open.push({ value: thing[key], depth: depth + 1, isOther: isOther || OTHERS.test(key) });
  }
}

function readThing(thing: Record<string, unknown>, data: LinkedData): void {
  const { name: given } = thing;
  const name = typeof given === 'string' && given.length <= MAX_NAME ? given : undefined;
  const isPerson = /person/i.test(strings(thing['@type']).join(' '));
  for (const value of strings(thing['email']))
    if (data.emails.length < MAX_VALUES)
      data.emails.push({ value, name: isPerson ? name : undefined });
  for (const value of strings(thing['telephone'])) addPhone(data, value, false);
  for (const value of strings(thing['faxNumber'])) addPhone(data, value, true);
  if (data.sameAs.length < MAX_VALUES) data.sameAs.push(...strings(thing['sameAs']));
  if (data.urls.length < MAX_VALUES) data.urls.push(...strings(thing['url']));
}

function addPhone(data: LinkedData, value: string, isFax: boolean): void {
  if (data.phones.length < MAX_VALUES) data.phones.push({ value: plainText(value), isFax });
}

const strings = (value: unknown): string[] => {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return value.length < 500 ? [value] : [];
  return Array.isArray(value)
    ? value
        .slice(0, 50)
        .flatMap((item) => (typeof item === 'string' && item.length < 500 ? [item] : []))
    : [];
};

const FIELD = /"(email|telephone|faxNumber)"\s*:\s*"([^"\\]{3,200})"/g;

/** Fields that can be read even where the block is not JSON. */
function readBroken(block: string, data: LinkedData): void {
  for (const [, field, value] of block.matchAll(FIELD)) {
    if (field === 'email') {
      if (data.emails.length < MAX_VALUES) data.emails.push({ value: value!, name: undefined });
    } else addPhone(data, value!, field === 'faxNumber');
  }
  const sameAs = /"sameAs"\s*:\s*\[([^\]]{0,5000})\]/.exec(block)?.[1] ?? '';
  for (const [, url] of sameAs.matchAll(/"(https?:[^"\\]{5,300})"/g)) data.sameAs.push(url!);
}
