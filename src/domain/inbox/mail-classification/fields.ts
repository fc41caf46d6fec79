/** Header fields within reports: blocks of them, each ended by an empty line. */
import { storable } from '../../storable-text.ts';
import type { ReportPart } from './message.ts';

const MAX_CHARS = 100_000;
const MAX_BLOCKS = 100;
/** Of one field: hosts write some lines. */
const MAX_VALUE_CHARS = 4_000;

/** The blocks of fields, by lower-case name, the first of each; folded lines joined. */
export function readFields(text: string): Map<string, string>[] {
  const blocks: Map<string, string>[] = [];
  let block = new Map<string, string>();
  const lines = text
    .slice(0, MAX_CHARS)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (line.trim() === '') {
      if (block.size > 0) blocks.push(block);
      block = new Map();
      if (blocks.length >= MAX_BLOCKS) return blocks;
    } else if (colon > 0) {
      const name = line.slice(0, colon).trim().toLowerCase();
      if (!block.has(name)) {
        block.set(name, line.slice(colon + 1, colon + 1 + MAX_VALUE_CHARS).trim());
      }
    }
  }
  if (block.size > 0) blocks.push(block);
  return blocks;
}

/** Headers of the message that a report is about, whole or only its headers. RFC 6522. */
export function originalMessage(parts: readonly ReportPart[]): Map<string, string> {
  const part = parts.find(({ type }) =>
    ['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global'].includes(
      type,
    ),
  );
  return readFields(part?.text ?? '')[0] ?? new Map();
}

/**
 * Addresses in a field, as they stand there. Each begins where its word does: begun at each character, a long word
 * without @ takes n² steps.
 */
export const addressesOf = (text: string): string[] =>
  (text.match(/(?<![^\s<>;,"])[^\s<>;,"]+@[^\s<>;,"]+/g) ?? []).map((each) => each.toLowerCase());

/** The first Message-ID in a header's value, with angle brackets. */
export const firstMessageId = (value: string | undefined): string | undefined =>
  /<[^<>\s]{1,990}>/.exec(storable(value ?? ''))?.[0];
