/** Clients with ordinary requests at a fixed rate, however long the answers take. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HonestLoad {
  url: string;
  tokens: readonly string[];
  perSecond: number;
  seconds: number;
}

export interface HonestResult {
  asked: number;
  /** Answers other than 200, and no answer at all. */
  failed: Record<string, number>;
  p50: number;
  /** From the moment at which the request was due: a queue before the API counts, too. */
  p99: number;
}

/** After this time a client gives up. */
const PATIENCE_MS = 20_000;

const REQUESTS = [
  { method: 'GET', path: '/v1/clusters' },
  { method: 'GET', path: '/v1/leads?limit=20' },
  { method: 'GET', path: '/wallet' },
  { method: 'PATCH', path: '/v1/account', body: '{"senderName":"Honest"}' },
];

/** Never rejects; failures are counted. */
export async function honestLoad(load: HonestLoad): Promise<HonestResult> {
  const times: number[] = [];
  const failed: Record<string, number> = {};
  const startedAt = performance.now();
  const asked = Math.round(load.perSecond * load.seconds);
  const one = async (n: number) => {
    const dueAt = startedAt + (n * 1_000) / load.perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    const outcome = await ask(load, n);
    times.push(performance.now() - dueAt);
    if (outcome !== '200') failed[outcome] = (failed[outcome] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: asked }, (_, n) => one(n)));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  return { asked, failed, p50: at(0.5), p99: at(0.99) };
}

async function ask({ url, tokens }: HonestLoad, n: number): Promise<string> {
  const { method, path, body } = REQUESTS[n % REQUESTS.length]!;
  const token = tokens[n % tokens.length]!;
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    return error instanceof Error ? error.name : 'no answer';
  }
}
