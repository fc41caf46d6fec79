/** Files of separated values in the bodies of requests. Choice 47. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { BYTE_ORDER_MARK } from '../domain/csv-text.ts';
import type { Delimiter } from '../domain/csv.ts';
import { invalid } from '../domain/errors.ts';
import { decodeText, isCharset } from '../domain/file-text.ts';

export { MAX_FILE_BYTES } from '../domain/leads/lead-imports.ts';

/** Media types that programs use for files of separated values. */
export const FILE_TYPES = [
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/csv',
  'application/vnd.ms-excel',
] as const;

const DELIMITER_WORDS: Readonly<Record<string, Delimiter>> = {
  ',': ',',
  ';': ';',
  '\t': '\t',
  '|': '|',
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};

export const delimiter = z
  .string()
  .refine((word) => Object.hasOwn(DELIMITER_WORDS, word), 'must be comma, semicolon, tab or pipe')
  .transform((word) => DELIMITER_WORDS[word]!)
  .meta({ type: 'string', enum: ['comma', 'semicolon', 'tab', 'pipe'] });

/** Whether the body is the file itself; else it is JSON. */
export const isFile = (headers: IncomingHttpHeaders): boolean => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return (FILE_TYPES as readonly string[]).includes(type);
};

export const withoutMark = (csv: string): string =>
  csv.startsWith(BYTE_ORDER_MARK) ? csv.slice(1) : csv;

/** The text of a body that is the file itself, by the `charset` of its `Content-Type` where one is given. */
export function fileText(headers: IncomingHttpHeaders, body: Uint8Array): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !isCharset(charset)) {
    const named = charset.slice(0, 40);
    throw invalid('INVALID_INPUT', `The charset of Content-Type is not known: ${named || 'none'}`);
  }
  return decodeText(body, charset);
}
