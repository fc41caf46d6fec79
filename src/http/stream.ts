/** Answers that are written page by page, so that 100,000 rows need little memory. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { storable } from '../domain/storable-text.ts';

/** A client that reads nothing for this long is disconnected. */
const MAX_STALL_MS = 60_000;

/** Validates every row before it is written; throws where it does not match. */
type RowCheck = (row: unknown) => void;

/** An answer that is produced while it is sent; made by `streamed` and `streamedText`. */
export class Streamed<Data> {
  /** Text or bytes in pieces, each written at once. */
  readonly read: (check: RowCheck | undefined) => AsyncIterable<string | Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Carries the type only; it has no value. */
  declare readonly data: Data;

  constructor(read: Streamed<Data>['read'], headers: Readonly<Record<string, string>>) {
    this.read = read;
    this.headers = headers;
  }
}

/**
 * `{"success":true,"data":[...],"message":...}` from pages of rows, each row converted by `present`.
 * Only for GET routes. Nothing is sent before the first page has been read: a failure until then is
 * answered as usual. A later failure breaks the connection, so that half an answer never looks complete.
 */
export const streamed = <Row, Wire>(
  pages: AsyncIterable<readonly Row[]>,
  present: (row: Row) => Wire,
  beside: { message?: string } = {},
): Streamed<Wire[]> =>
  new Streamed((check) => jsonOf(withCheck(present, check), pages, beside), {
    'Content-Type': 'application/json; charset=utf-8',
  });

/**
 * A text file in pieces, such as text/csv; the route has `contentType` and `response: z.string()`. As
 * with `streamed`, everything that can fail should do so before the first piece.
 */
export const streamedText = (
  chunks: AsyncIterable<string>,
  file: { contentType: string; fileName: string },
): Streamed<string> =>
  new Streamed(() => chunks, {
    'Content-Type': file.contentType,
    'Content-Disposition': `attachment; filename="${file.fileName}"`,
  });

/**
 * A binary file, to be saved and never displayed: the route has `contentType` octet-stream and
 * `response: z.string()`. `read` opens it: nothing is sent before the first piece is there.
 */
export const streamedFile = (
  read: () => AsyncIterable<Uint8Array>,
  fileName: string,
): Streamed<string> =>
  new Streamed(read, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': saveAs(fileName),
  });

/** RFC 6266: a plain name for old clients, the real one in UTF-8; both are escaped. */
function saveAs(fileName: string): string {
  const name = storable(fileName.slice(0, 200)).replaceAll(/[/\\\p{Cc}]/gu, '_') || 'file';
  const plain = name.replaceAll(/[^\w. ()-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const withCheck =
  <Row, Wire>(present: (row: Row) => Wire, check: RowCheck | undefined) =>
  (row: Row): Wire => {
    const wire = present(row);
    check?.(wire);
    return wire;
  };

async function* jsonOf<Row>(
  present: (row: Row) => unknown,
  pages: AsyncIterable<readonly Row[]>,
  beside: { message?: string },
): AsyncGenerator<string> {
  let before = '{"success":true,"data":[';
  for await (const page of pages) {
    let text = '';
    for (const row of page) {
      text += before + JSON.stringify(present(row));
      before = ',';
    }
    if (text !== '') yield text;
  }
  const end =
    beside.message === undefined ? ']}' : `],"message":${JSON.stringify(beside.message)}}`;
  yield before === ',' ? end : before + end;
}

/** Validates a route's answers row by row; for tests. */
export function rowCheck(route: { method: string; path: string; response: z.ZodType }): RowCheck {
  const where = `${route.method} ${route.path}`;
  const { response } = route;
  if (!(response instanceof z.ZodArray)) throw new Error(`${where} streams what is no array`);
  const schema = response.element as z.ZodType;
  return (row) => {
    const checked = schema.safeParse(row);
    if (!checked.success) {
      throw new Error(`${where} answers against its schema: ${checked.error.message}`);
    }
  };
}

/**
 * Writes the answer as fast as the client reads, and stops when the client leaves. Throws what the rows
 * throw; when something was already sent, the connection is broken first.
 */
export async function sendStreamed(
  response: ServerResponse,
  status: number,
  { read, headers }: Pick<Streamed<unknown>, 'read' | 'headers'>,
  check?: RowCheck,
): Promise<void> {
  const isWhole = response.req.httpVersion === '1.0';
  const iterator = (isWhole ? inOnePiece(read(check)) : read(check))[Symbol.asyncIterator]();
  try {
    let next = await iterator.next();
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isWhole)
      response.setHeader('Content-Length', Buffer.byteLength((next.value ?? '') as string));
    while (!next.done && response.req.method !== 'HEAD' && !isGone(response)) {
      if (!response.write(next.value)) await drained(response);
      next = await iterator.next();
    }
    if (!isGone(response)) response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    await iterator.return?.();
  }
}

/** For HTTP/1.0, where only the length marks the end of an answer. */
async function* inOnePiece(
  chunks: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk as string));
  yield Buffer.concat(pieces);
}

/** True once the client no longer reads. */
const isGone = (response: ServerResponse): boolean => response.destroyed || response.closed;

/** Waits until the client has read what was written, or has left. */
async function drained(response: ServerResponse): Promise<void> {
  if (isGone(response)) return;
  const stall = AbortSignal.timeout(MAX_STALL_MS);
  const waiting = new AbortController();
  const signal = AbortSignal.any([stall, waiting.signal]);
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } catch (error) {
    if (stall.aborted) response.destroy();
    else throw error;
  } finally {
    waiting.abort();
  }
}
