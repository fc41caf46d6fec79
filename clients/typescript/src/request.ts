/** One request, repeated where that may help and can do no harm. */
import { errorOf, isOutreachError, OutreachConnectionError, type OutreachError } from './errors.ts';
import type { CallOptions, Settings } from './settings.ts';

export interface Prepared {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

type Read = (response: Response) => Promise<unknown>;

const RETRIES = 4;
const MAX_RETRY_AFTER_SECONDS = 60;
const TIMEOUT_SECONDS = 60;
const FIRST_DELAY_SECONDS = 0.5;

/** What `read` makes of the answer, which is a success; else throws. */
export async function request(
  settings: Settings,
  prepared: Prepared,
  read: Read,
  { signal }: CallOptions,
): Promise<unknown> {
  const { retries = RETRIES } = settings;
  for (let tries = 0; ; tries += 1) {
    const last = tries >= retries;
    const outcome = await attempt(settings, prepared, read, signal);
    if (!(outcome instanceof Refused)) return outcome;
    if (last || outcome.delaySeconds === undefined) {
      throw Object.assign(outcome.error, { idempotencyKey: prepared.headers['idempotency-key'] });
    }
    const backoff = FIRST_DELAY_SECONDS * 2 ** tries * (0.5 + Math.random());
    await pause(Math.max(outcome.delaySeconds, backoff), signal);
  }
}

/** Why a try came to nothing, and the least delay before another one; undefined: that would not help. */
class Refused {
  readonly error: Error;
  readonly delaySeconds: number | undefined;

  constructor(error: Error, delaySeconds: number | undefined) {
    this.error = error;
    this.delaySeconds = delaySeconds;
  }
}

async function attempt(
  settings: Settings,
  { url, ...init }: Prepared,
  read: Read,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { fetch = globalThis.fetch, timeoutSeconds = TIMEOUT_SECONDS } = settings;
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  let response: Response;
  let error: OutreachError;
  try {
    response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    // Within the try: an answer that breaks off in its body is none.
    if (response.ok) return await read(response);
    error = await errorOf(response);
  } catch (cause) {
    signal?.throwIfAborted();
    const words = `${init.method} ${url} was not answered: ${String(cause)}`;
    const lost = new OutreachConnectionError(words, { cause });
    // Whether a deletion was done is not known, and a repeat of it would say "not found".
    return new Refused(lost, init.method === 'DELETE' ? undefined : 0);
  }
  const delay = mayRepeat(init.method, response.status, error) ? retryAfter(response) : undefined;
  const { maxRetryAfterSeconds = MAX_RETRY_AFTER_SECONDS } = settings;
  return new Refused(
    error,
    delay !== undefined && delay > maxRetryAfterSeconds ? undefined : delay,
  );
}

function mayRepeat(method: string, status: number, error: unknown): boolean {
  // Other limits, such as that of a day's spending, are not over in a minute.
  if (status === 429)
    return isOutreachError(error, 'RATE_LIMITED') || isOutreachError(error, 'HTTP_429');
  if (status === 503) return true;
  return (status === 502 || status === 504) && method !== 'DELETE';
}

/** Seconds, from either form of the header. RFC 9110, 10.2.3. */
function retryAfter({ headers }: Response): number {
  const value = headers.get('retry-after');
  if (value === null) return 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.max(0, seconds);
}

/** Sleeps; throws the signal's reason when it is aborted. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1_000);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
