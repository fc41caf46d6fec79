/** To whom an address or number belongs, by the words around it. */
import { partAt, type PagePart } from './legal-parts.ts';
import { matchesOf } from './matches.ts';
import { remembering } from './remember.ts';
import { SIGN } from './html/text.ts';
import {
  AUTHORITY,
  BODY,
  BRANCH,
  CREDIT,
  CREDIT_NOUN,
  CREDIT_TRADE,
  INSURER,
  OPERATOR,
  OTHERS,
  RELATED,
  SERVICE,
} from './owner-words.ts';
import type { Owner } from './types.ts';

const MOST_BEFORE = 900;
const MOST_NEAR = 160;
/** Without headings a text changes its subject without notice. */
const MOST_WITHOUT_HEADING = 350;
/** Texts around addresses whose words were checked before. */
const MAX_REMEMBERED = 100;
/** How long the first block of data of an Impressum is: address, telephone, fax, mail. */
export const FIRST_BLOCK = 260;

/** Without addresses of mail and web: their words say nothing. */
const withoutAddresses = (text: string): string =>
  /@|www\.|:\/\//.test(text)
    ? text.replaceAll(/\S+/g, (word) => (/@|www\.|:\/\//.test(word) ? '' : word))
    : text;

/**
 * `third-party` where the words say that the data at `at` belong to somebody else: on any page after a
 * credit ("website by"), in legal and privacy texts also in the sections of authorities, insurers and
 * hosts. An Impressum begins with the data of the business itself.
 */
export function ownerAt(text: string, at: number, page: { parts: PagePart[] }): Owner {
  const { kind, first, start } = partAt(page.parts, at);
  const isLegal = kind === 'legal' || kind === 'privacy';
  const most = isLegal ? MOST_BEFORE : MOST_NEAR;
  const before = withoutAddresses(text.slice(Math.max(start, at - most), at));
  const near = nearLines(before);
  if (isOfOthersByName(near)) return 'third-party';
  if (!isLegal) return RELATED.test(before) ? 'third-party' : null;
  const section = sectionOf(before);
  const isFirst = kind === 'legal' && at - first <= FIRST_BLOCK;
  const words = isFirst ? WORDS : kind === 'privacy' ? [...WORDS, BODY, SERVICE] : [...WORDS, BODY];
  if (isOfOthers(headingOf(section), words)) return 'third-party';
  if (isFirst) return lastIndex(AUTHORITY, near) >= 0 ? 'third-party' : 'business';
  const operator = lastIndex(OPERATOR, section);
  if (Math.max(...words.map((word) => lastIndex(word, section))) > operator) return 'third-party';
  return operator >= 0 ? 'business' : null;
}

const WORDS = [CREDIT, CREDIT_NOUN, CREDIT_TRADE, AUTHORITY, INSURER];

/**
 * Whether a legal text says nothing at `at` about the owner, in a section of its own after the
 * business's; its offices and departments are usually named as such.
 */
export function standsAside(text: string, at: number, parts: PagePart[]): boolean {
  const { kind, first } = partAt(parts, at);
  if ((kind !== 'legal' && kind !== 'privacy') || at - first <= FIRST_BLOCK) return false;
  const between = text.slice(Math.max(first, at - MOST_BEFORE), at);
  const section = between.slice(between.lastIndexOf(SIGN.heading));
  return section.startsWith(SIGN.heading) && lastIndex(BRANCH, section) < 0;
}

function isOfOthers(heading: string, words: RegExp[]): boolean {
  if (heading === '' || lastIndex(OPERATOR, heading) >= 0) return false;
  return words.some((word) => lastIndex(word, heading) >= 0);
}

/** From the last heading on, the heading included. */
function sectionOf(before: string): string {
  let start = before.lastIndexOf(SIGN.heading);
  if (start < 0) return before.slice(-MOST_WITHOUT_HEADING);
  // "Supervisory authority", "Address": consecutive headings count as one.
  for (let above = start; above > 0;) {
    above = before.lastIndexOf(SIGN.heading, above - 1);
    if (above < 0 || before.slice(above, start).trimEnd().includes('\n')) break;
    start = above;
  }
  return before.slice(start);
}

/** The headings a section begins with, as one line. */
function headingOf(section: string): string {
  if (!section.startsWith(SIGN.heading)) return '';
  const last = section.lastIndexOf(SIGN.heading);
  const end = section.indexOf('\n', last);
  return section.slice(0, end < 0 ? undefined : end).replaceAll('\n', ' ');
}

/** After a credit, or with a name that is never the business's. */
const isOfOthersByName = remembering(
  MAX_REMEMBERED,
  (near) =>
    lastIndex(CREDIT, near) >= 0 || lastIndex(OTHERS, near) >= 0 || isOfTrade(near.split('\n')),
);

/**
 * "Webdesign: Studio Nord, 030 ..."; or below "Webdesign" alone, but not where it is a course on offer.
 */
function isOfTrade(lines: string[]): boolean {
  const own = lines.pop() ?? '';
  if (own.search(CREDIT_TRADE) >= 0) return true;
  const above = lines.pop() ?? '';
  return above.length <= 25 && above.search(CREDIT_TRADE) >= 0;
}

/** The line itself and the one before, where credits stand. */
const nearLines = (before: string): string => before.split('\n').slice(-2).join('\n').slice(-110);

/** Where `pattern` matches last; -1 for nowhere. */
function lastIndex(pattern: RegExp, text: string): number {
  let last = -1;
  for (const { index } of matchesOf(pattern, text)) last = index;
  return last;
}
