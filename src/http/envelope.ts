/** The success envelope `{success, data, message?, meta?}` and the pagination in its `meta`. */

/** Data with a `message` for people, or `meta` for programs. */
export class Reply<Data> {
  readonly data: Data;
  readonly message: string | undefined;
  readonly meta: object | undefined;

  constructor(data: Data, beside: { message?: string | undefined; meta?: object | undefined }) {
    this.data = data;
    this.message = beside.message;
    this.meta = beside.meta;
  }
}

/** What a handler returns when the envelope needs a message or meta as well. */
export const reply = <Data>(
  data: Data,
  beside: { message?: string | undefined; meta?: object | undefined },
): Reply<Data> => new Reply(data, beside);

/** Data as JSON text from Postgres: it is sent as it is, without parsing. */
export class RawJson<Data> {
  readonly text: string;
  /** Carries the type only; it has no value. */
  declare readonly data: Data;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a handler returns that has its `data` as text; the route's schema still documents it. */
export const rawJson = <Data>(text: string): RawJson<Data> => new RawJson(text);

/** `meta.pagination` of every list, and `data.pagination` of the inbox. */
export interface Pagination {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  hasNext: boolean;
}

/** Counts the pages; `total` is the number of rows without paging. */
export function pagination(query: { page: number; limit: number }, total: number): Pagination {
  const totalPages = Math.ceil(total / query.limit);
  return {
    page: query.page,
    limit: query.limit,
    total,
    totalPages,
    hasNext: query.page < totalPages,
  };
}

/** One page of a list: `data` is the array, `meta.pagination` its position. */
export const paged = <Row>(
  rows: Row[],
  query: { page: number; limit: number },
  total: number,
): Reply<Row[]> => reply(rows, { meta: { pagination: pagination(query, total) } });

/**
 * JSON text of the success envelope. A `custom` body is sent as it is. `requestId`: for `meta`, of a request that
 * may have begun something; others have it in the header alone.
 */
export function envelope(result: unknown, custom: boolean, requestId?: string): string {
  const own = requestId === undefined ? undefined : { requestId };
  if (result instanceof RawJson) {
    return `{"success":true,"data":${result.text}${own ? `,"meta":${JSON.stringify(own)}` : ''}}`;
  }
  if (custom) return JSON.stringify(result);
  if (!(result instanceof Reply)) return JSON.stringify({ success: true, data: result, meta: own });
  const { data, message, meta } = result;
  return JSON.stringify({ success: true, data, message, meta: own ? { ...meta, ...own } : meta });
}
