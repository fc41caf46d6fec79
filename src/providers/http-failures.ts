/** How failures of HTTP become ProviderErrors: broken connections, and the statuses all vendors share. */
import { ProviderError, type ProviderErrorFacts } from '../domain/errors.ts';

/** Errors of these system calls happen before a byte of the request has left. */
const CALLS_BEFORE_SENDING = new Set(['connect', 'getaddrinfo']);

/** Certificate and TLS handshake failures: nothing of the request was sent. */
const TLS_CODE = /CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL/;

/** Bounds of a wait that a provider may ask for: one second to an hour. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_600_000;

/** An answer that is not 2xx, for the vendor's own mapping. `body` is parsed JSON or text. */
export interface Refusal {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  requestId: string | undefined;
  /** False for a request whose effect must not happen twice. */
  repeatable: boolean;
  /** `POST /domains`, for messages. */
  operation: string;
}

interface FailedCall {
  provider: string;
  operation: string;
  repeatable: boolean;
}

/**
 * The error for a request without an answer. `unavailable` when it may be repeated or certainly never
 * left, else `outcome_unknown`.
 */
export function networkFailure(error: unknown, call: FailedCall): ProviderError {
  const { provider, operation } = call;
  const code = codeOf(error);
  const kind = call.repeatable || neverLeft(error) ? 'unavailable' : 'outcome_unknown';
  const facts: ProviderErrorFacts = { provider, providerCode: code };
  if (TLS_CODE.test(code)) facts.operatorHint = 'The certificate of the provider was not accepted.';
  return new ProviderError(kind, `${provider}: no answer to ${operation} (${code})`, facts);
}

/** What a refusal says, for the vendor's mapping to build on. */
export function refusalFacts(provider: string, refusal: Refusal, code: string): ProviderErrorFacts {
  const { requestId } = refusal;
  return { provider, providerCode: code, ...(requestId !== undefined && { requestId }) };
}

/** `namecom: POST /domains answered 422 (text of the provider)`. */
export function refusalMessage(provider: string, refusal: Refusal, text: string): string {
  return `${provider}: ${refusal.operation} answered ${refusal.status} (${text.slice(0, 500)})`;
}

/**
 * Statuses that mean the same everywhere: 401/403 `auth`, 429 `rate_limited`, 5xx `unavailable`
 * or, when the request may not be repeated, `outcome_unknown`. Undefined for any other status.
 */
export function commonRefusal(
  provider: string,
  refusal: Refusal,
  described: { code: string; text: string; authHint: string },
): ProviderError | undefined {
  const message = refusalMessage(provider, refusal, described.text);
  const facts = refusalFacts(provider, refusal, described.code);
  if (refusal.status === 401 || refusal.status === 403) {
    return new ProviderError('auth', message, { ...facts, operatorHint: described.authHint });
  }
  if (refusal.status === 429) {
    const waitMs = retryAfter(refusal.headers);
    return new ProviderError('rate_limited', message, { ...facts, retryAfterMs: waitMs });
  }
  if (refusal.status >= 500) {
    const kind = refusal.repeatable ? 'unavailable' : 'outcome_unknown';
    return new ProviderError(kind, message, facts);
  }
  if (refusal.status >= 300 && refusal.status < 400) {
    const operatorHint = 'The address of the provider is wrong: it answers with a redirect.';
    return new ProviderError('unavailable', message, { ...facts, operatorHint });
  }
  return undefined;
}

/** The provider's own id of the request, where it gives one. */
export function requestIdOf(headers: Refusal['headers']): string | undefined {
  const names = ['x-request-id', 'request-id', 'x-correlation-id'];
  const found = names.map((name) => headers[name]).find((value) => value !== undefined);
  return Array.isArray(found) ? found[0] : found;
}

/** Milliseconds of `Retry-After`, an hour at most; undefined where there is none that is to come. */
export function retryAfterMs(headers: Refusal['headers']): number | undefined {
  const asked = askedWaitMs(headers['retry-after']);
  return asked === undefined ? undefined : bounded(asked);
}

/** Days and months, as HTTP writes them; `Date.parse` takes `-5` for a date as well. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i;

/** In seconds or as a date (RFC 9110, 10.2.3), without a bound. */
export function askedWaitMs(value: string | readonly string[] | undefined): number | undefined {
  const text = String(value ?? '').trim();
  // The date of asctime names no zone: it is GMT (RFC 9110, 5.6.7).
  const date = text.slice(0, 64).replace(/(?<! gmt)$/i, ' GMT');
  const ms = HTTP_DATE.test(date) ? Date.parse(date) - Date.now() : Number(text) * 1_000;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

/** Milliseconds to wait: `Retry-After`, else a reset time in epoch seconds, else 1 s. */
function retryAfter(headers: Refusal['headers']): number {
  const asked = retryAfterMs(headers);
  if (asked !== undefined) return asked;
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  return Number.isFinite(reset) ? bounded(reset * 1_000 - Date.now()) : MIN_RETRY_MS;
}

const bounded = (ms: number) => Math.ceil(Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, ms)));

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error.cause instanceof Error ? codeOf(error.cause) : error.name;
}

function neverLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(neverLeft);
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  if (typeof syscall === 'string' && CALLS_BEFORE_SENDING.has(syscall)) return true;
  return typeof code === 'string' && TLS_CODE.test(code);
}
