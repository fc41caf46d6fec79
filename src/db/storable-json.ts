/** Rows as JSON that Postgres takes. */
import { storable } from '../domain/storable-text.ts';

/** What Postgres refuses within JSON: NUL, and half of a character that was cut in two. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** For `json_to_recordset`. Words of others may hold anything, and be cut anywhere. */
export function storableJson(rows: unknown): string {
  const text = JSON.stringify(rows);
  if (!UNSTORABLE.test(text)) return text;
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
}
