/** Rows as JSON that Postgres accepts. */
import { storable } from '../domain/storable-text.ts';

/** What Postgres refuses within JSON: NUL, and unpaired surrogates. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** For `json_to_recordset`. External texts may contain anything, and may be cut anywhere. */
export function storableJson(rows: unknown): string {
  const text = JSON.stringify(rows);
  if (!UNSTORABLE.test(text)) return text;
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
}
