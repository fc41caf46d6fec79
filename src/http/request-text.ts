/** Parses body, path and query string strictly: malformed text is refused, never repaired silently. */
import { invalid } from '../domain/errors.ts';
import { isStorable } from '../domain/storable-text.ts';

/** Deeper JSON is an attack on recursive code; our deepest schema has 4 levels. */
const MAX_DEPTH = 64;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The body as JSON; a missing body counts as `{}`, so that the error names the missing fields. */
export function parseJsonBody(contentType: string | undefined, raw: Buffer): unknown {
  if (raw.length === 0) return {};
  if (!isJson(contentType)) {
    throw invalid('INVALID_INPUT', 'Content-Type must be application/json');
  }
  let text: string;
  try {
    text = strictUtf8.decode(raw);
  } catch {
    throw invalid('INVALID_INPUT', 'The body is not valid UTF-8');
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid('INVALID_INPUT', 'The body is not valid JSON');
  }
  checkTree(parsed, 0);
  return parsed;
}

/**
 * The query string as one text per name. Malformed escapes and repeated names are refused, where Express
 * would guess.
 */
export function parseQuery(url: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name in query) {
      throw invalid('VALIDATION_ERROR', `Validation failed: ${name} must be given once`, [
        { field: name.slice(0, 200), message: `${name.slice(0, 200)} must be given once` },
      ]);
    }
    query[name] = value;
  }
  return query;
}

/** Refuses a path with malformed escapes; `createApp` marks it. */
export function checkEscapes({ isBadPath }: { isBadPath?: true }): void {
  if (isBadPath) throw invalid('INVALID_INPUT', 'The path is not valid percent-encoding');
}

/** Checks the texts of a path; Postgres would reject NUL characters. */
export function checkPathText(params: Record<string, unknown>): void {
  for (const value of Object.values(params)) {
    if (typeof value === 'string' && !isStorable(value)) {
      throw invalid('INVALID_INPUT', 'The path holds characters that are not allowed');
    }
  }
}

function decode(part: string): string {
  let text: string;
  try {
    text = decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw invalid('INVALID_INPUT', 'The query string is not valid percent-encoding');
  }
  if (!isStorable(text)) {
    throw invalid('INVALID_INPUT', 'The query string holds characters that are not allowed');
  }
  return text;
}

const isJson = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(
    contentType ?? '',
  );

/** Refuses texts that Postgres cannot store, drops `__proto__` keys, limits the depth. */
function checkTree(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) {
      throw invalid('INVALID_INPUT', 'The body holds characters that are not allowed');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw invalid('INVALID_INPUT', 'The body is nested too deeply');
  if (Array.isArray(value)) {
    for (const item of value) checkTree(item, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') Reflect.deleteProperty(value, key);
    else {
      checkTree(key, depth);
      checkTree(item, depth + 1);
    }
  }
}
