/**
 * A client of several APIs that acts like a proxy: round robin, and a retry where no API has answered.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The placeholder for the APIs in addresses; nothing listens there. */
export const BALANCED = 'http://api.cluster.invalid';

export interface Balancer {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Requests in all, and how often one was sent again. */
  counts: { requests: number; retries: number };
  /** Failures that no retry may repair: 5xx other than 503, other errors, or refused to the end. */
  failures: string[];
}

/** The APIs are never all down at once, so a request that is refused for this long has failed. */
const GIVE_UP_MS = 40_000;
const PAUSE_MS = 250;
/** No API has answered: refused, or closed before the answer began. */
const UNANSWERED = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

export function createBalancer(origins: readonly string[]): Balancer {
  const counts = { requests: 0, retries: 0 };
  const failures: string[] = [];
  let next = 0;

  /** All tries of a request use the same key. */
  const balanced: Balancer['fetch'] = async (url, init) => {
    const method = init?.method ?? 'GET';
    const headers = new Headers(init?.headers);
    if (method === 'POST' && !headers.has('idempotency-key')) {
      headers.set('idempotency-key', randomUUID());
    }
    counts.requests += 1;
    let refusal = '';
    const deadline = Date.now() + GIVE_UP_MS;
    for (let tried = 0; Date.now() < deadline; tried += 1) {
      if (tried > 0) counts.retries += 1;
      // Two in a row at each of them, then a pause.
      if (tried > 1) await sleep(PAUSE_MS);
      const origin = origins[next++ % origins.length]!;
      try {
        const answer = await fetch(url.replace(BALANCED, origin), { ...init, headers });
        if (answer.status === 503) {
          refusal = `503 ${await answer.text()}`;
          continue;
        }
        if (answer.status >= 500) {
          failures.push(`${method} ${url}: ${answer.status} ${await answer.clone().text()}`);
        }
        return answer;
      } catch (error) {
        const code = codeOf(error);
        refusal = code ?? String(error);
        if (code === undefined || !UNANSWERED.has(code)) break;
      }
    }
    failures.push(`${method} ${url}: ${refusal}`);
    throw new Error(`${method} ${url} failed: ${refusal}`);
  };
  return { fetch: balanced, counts, failures };
}

/** The socket's error code, which `fetch` wraps. */
function codeOf(error: unknown): string | undefined {
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? cause.code : undefined;
}
