/**
 * The connections and limits of one visit: one request at a time, in slots shared with other visits, within
 * its time.
 */
import { traced } from '../../tracing/spans.ts';
import { requestSpan } from '../../tracing/vendor-span.ts';
import { exchange, type Answer, type Asked } from './exchange.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { openOrigin, troubleOf, type Network, type Origin } from './origin.ts';
import { codeOf, isTrouble, unreachable, type Trouble } from './outcome.ts';
import type { RobotsCache, RobotsRules } from './robots.ts';
import { bareHost, siteOf } from './site-url.ts';
import type { Parser } from './threads/parser.ts';
import type { KeyedSlots } from './keyed-slots.ts';
import { ACCEPTED_ENCODINGS } from './decompress.ts';

/** What all visits of a process share. */
export interface Shared {
  network: Network;
  userAgent: string;
  /** By site: one request at a time. */
  siteSlots: KeyedSlots;
  /** By address: hosters have many sites on one. */
  addressSlots: KeyedSlots;
  memory: MemoryBudget;
  parser: Parser;
  robots: RobotsCache;
}

export interface Session {
  shared: Shared;
  /** What is known of robots.txt, by origin. */
  robots: Map<string, Promise<RobotsRules | Trouble>>;
  /** Throws only the reason of the visit's signal. */
  get(url: URL, asked: Asked): Promise<Answer | Trouble>;
  close(): void;
}

/** Connecting, headers and body of one page. */
const PAGE_TIMEOUT_MS = 10_000;
/** All requests of a visit and the pauses between them. */
const SITE_TIMEOUT_MS = 30_000;
/** Total wait for slots at sites and addresses that other visits use, too. */
const SLOTS_TIMEOUT_MS = 3 * 60_000;
/** With less time left a request makes no sense. */
const LEAST_MS = 500;

/** The longest `Retry-After` that is waited out, once. */
const MAX_RETRY_AFTER_MS = 5_000;

export function openSession(shared: Shared, signal: AbortSignal | undefined): Session {
  const origins = new Map<string, Promise<Origin | Trouble>>();
  let spentMs = 0;
  let waitedMs = 0;
  /** Undefined when others use it for too long. */
  const takeSlot = async (slots: KeyedSlots, key: string) => {
    const from = performance.now();
    const leave = await slots.takeWithin(key, Math.max(0, SLOTS_TIMEOUT_MS - waitedMs));
    waitedMs += performance.now() - from;
    return leave;
  };
  const originOf = (url: URL) => {
    const known = origins.get(url.origin);
    const origin = known ?? openOrigin(url, shared.network);
    if (!known) origins.set(url.origin, origin);
    return origin;
  };
  /** The next page opens a connection of its own. */
  const forget = (url: URL, origin: Origin) => {
    origin.close();
    origins.delete(url.origin);
  };
  const attempt = async (
    url: URL,
    asked: Asked,
    isLast: boolean,
  ): Promise<Answer | Trouble | 'again'> => {
    const origin = await originOf(url);
    if (isTrouble(origin)) return origin;
    const leaveSite = await takeSlot(shared.siteSlots, siteOf(url));
    if (!leaveSite) return unreachable(`${bareHost(url)} is busy with other visits of ours.`);
    const leaveAddress = await takeSlot(shared.addressSlots, origin.address);
    let pauseMs = 0;
    try {
      signal?.throwIfAborted();
      if (!leaveAddress) return unreachable(`${bareHost(url)} is busy with other visits of ours.`);
      const leftMs = SITE_TIMEOUT_MS - spentMs;
      if (leftMs < LEAST_MS) return unreachable(`${bareHost(url)} takes too long in all.`);
      const answer = await traced(...requestSpan('website', { method: 'GET', url }), () =>
        exchange(origin.client, {
          ...asked,
          path: url.pathname + url.search,
          headers: headersFor(shared.userAgent),
          timeoutMs: Math.min(PAGE_TIMEOUT_MS, leftMs),
          onTime: (ms) => (spentMs += ms),
        }),
      );
      const retryMs = retryAfterMs(answer);
      const isPatient = !isLast && retryMs !== undefined && retryMs <= MAX_RETRY_AFTER_MS;
      pauseMs = isPatient ? retryMs : asked.pauseAfter(answer);
      spentMs += pauseMs;
      return isPatient ? 'again' : answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (origin.client.destroyed) forget(url, origin);
      if (!isLast && STALE.has(codeOf(error))) return 'again';
      return troubleOf(url, error);
    } finally {
      leaveAddress?.();
      leaveSite(pauseMs);
    }
  };
  return {
    shared,
    robots: new Map(),
    async get(url, asked) {
      const first = await attempt(url, asked, false);
      const answer = first === 'again' ? await attempt(url, asked, true) : first;
      return answer as Answer | Trouble;
    },
    close() {
      for (const origin of origins.values()) {
        void origin.then((opened) => isTrouble(opened) || opened.close());
      }
      origins.clear();
    },
  };
}

/** Errors of a connection that the server closed while idle; it is opened again. */
const STALE = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const headersFor = (userAgent: string): string[] => [
  'user-agent',
  userAgent,
  'accept',
  'text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5,*/*;q=0.1',
  'accept-encoding',
  ACCEPTED_ENCODINGS,
];

/** What `Retry-After` of a 429 or 503 asks for, in ms. RFC 9110 10.2.3. */
function retryAfterMs({ status, headers }: Answer): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = String(headers['retry-after'] ?? '');
  const ms = /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
