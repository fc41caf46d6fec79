/** Files of separated values in the bodies of requests. Choice 47. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { BYTE_ORDER_MARK } from '../domain/csv-text.ts';
import type { Delimiter } from '../domain/csv.ts';

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
