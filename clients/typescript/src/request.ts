/** One request, repeated where that may help and can do no harm. */
import { errorOf, isOutreachError, OutreachConnectionError } from './errors.ts';
import type { CallOptions, Settings } from './settings.ts';

export interface Prepared {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

const RETRIES = 4;
const MAX_RETRY_AFTER_SECONDS = 60;
const TIMEOUT_SECONDS = 60;
const FIRST_DELAY_SECONDS = 0.5;

/** The answer, which is a success; else throws. */
export async function request(
  settings: Settings,
  prepared: Prepared,
  { signal }: CallOptions,
): Promise<Response> {
  const { retries = RETRIES } = settings;
  for (let tries = 0; ; tries += 1) {
    const last = tries >= retries;
    const outcome = await attempt(settings, prepared, signal);
    if (!(outcome instanceof Refused)) return outcome;
    if (last || outcome.delaySeconds === undefined) throw outcome.error;
    const backoff = FIRST_DELAY_SECONDS * 2 ** tries * (0.5 + Math.random());
    await pause(Math.max(outcome.delaySeconds, backoff), signal);
  }
}

/** Why a try came to nothing, and the least delay before another one; undefined: that would not help. */
class Refused {
  readonly error: unknown;
  readonly delaySeconds: number | undefined;

  constructor(error: unknown, delaySeconds: number | undefined) {
    this.error = error;
    this.delaySeconds = delaySeconds;
  }
}

async function attempt(
  settings: Settings,
  { url, ...init }: Prepared,
  signal: AbortSignal | undefined,
): Promise<Response | Refused> {
  const { fetch = globalThis.fetch, timeoutSeconds = TIMEOUT_SECONDS } = settings;
  const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
  let response: Response;
  try {
    response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    const words = `${init.method} ${url} was not answered: ${String(cause)}`;
    const error = new OutreachConnectionError(words, { cause });
    // Whether a deletion was done is not known, and a repeat of it would say "not found".
    return new Refused(error, init.method === 'DELETE' ? undefined : 0);
  }
  if (response.ok) return response;
  const error = await errorOf(response);
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
