/** To whom a number in a legal text belongs, by the domains in the same block. */
import { relationOf } from '../../../domain/discovery/contact-choice.ts';
import { FIRST_BLOCK } from './owners.ts';
import type { PagePart } from './legal-parts.ts';

/** A line of an address; sentences are longer. */
const MAX_LINE = 60;
/** How many lines a block has on each side of a number: name, street, town, telephone, mail, site. */
const MAX_LINES = 5;
const HOSTS = /(?:@|https?:\/\/|www\.)((?:[\p{L}\d-]+\.)+\p{L}{2,})/giu;

/**
 * Whether the block of a number at `at` has a mailbox or site of a stranger, and none of the business:
 * neither its own domain, nor one with its name, nor one that its own data name first.
 */
export function isBesideStranger(
  text: string,
  at: number,
  page: { url: string; part: PagePart },
): boolean {
  const { url, part } = page;
  if (at - part.first <= FIRST_BLOCK) return false;
  const hosts = hostsIn(blockAt(text, at));
  if (hosts.length === 0) return false;
  const own = new Set(
    hostsIn(text.slice(Math.max(0, part.first - MAX_LINE), part.first + FIRST_BLOCK)),
  );
  return hosts.every((host) => !own.has(host) && relationOf(`x@${host}`, url) === 'other');
}

const hostsIn = (text: string): string[] =>
  Array.from(text.replaceAll('\uE000', '').matchAll(HOSTS), ([, host]) =>
    host!.toLowerCase().replace(/^www\./, ''),
  );

/** The line at `at`, and the short lines around it up to the next heading. */
function blockAt(text: string, at: number): string {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  let end = lineEnd(text, at);
  for (let lines = 0; lines < MAX_LINES && start > 0; lines += 1) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (!isOfBlock(text.slice(above, start))) break;
    start = above;
  }
  for (let lines = 0; lines < MAX_LINES && end < text.length; lines += 1) {
    const below = lineEnd(text, end + 1);
    if (!isOfBlock(text.slice(end + 1, below))) break;
    end = below;
  }
  return text.slice(Math.max(start, at - MOST), Math.min(end, at + MOST));
}

/** How much of a line without end is read. */
const MOST = 300;

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

const isOfBlock = (line: string): boolean => line.length <= MAX_LINE && !line.includes('\uE001');
