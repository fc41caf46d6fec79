/** Idempotency keys as vendors implement them: an answer replayed to the same request for a while. */
import { createHash } from 'node:crypto';
import type { Store } from './store.ts';
import type { Answer } from './vendor-router.ts';

export interface IdempotencyKeys {
  /** The first answer to `key`; `mismatch` when the key came with another request. */
  find(key: string, request: unknown): Answer | 'mismatch' | undefined;
  /** Does the work and keeps its answer, both in one journal write. */
  keep(key: string | undefined, request: unknown, work: () => Answer): Answer;
}

interface KeptAnswer {
  fingerprint: string;
  answer: Answer;
  atMs: number;
}

/** Keys of one vendor; `windowMs` is how long the vendor remembers. */
export function createIdempotencyKeys(
  store: Store,
  { vendor, windowMs, now = Date.now }: { vendor: string; windowMs: number; now?: () => number },
): IdempotencyKeys {
  const collection = `idempotency:${vendor}`;
  return {
    find(key, request) {
      const kept = store.get<KeptAnswer>(collection, key);
      if (kept === undefined || kept.atMs + windowMs <= now()) return undefined;
      return kept.fingerprint === fingerprint(request) ? kept.answer : 'mismatch';
    },
    keep: (key, request, work) =>
      store.batch(() => {
        const answer = work();
        if (key === undefined) return answer;
        const kept: KeptAnswer = { fingerprint: fingerprint(request), answer, atMs: now() };
        store.put(collection, key, kept);
        return answer;
      }),
  };
}

const fingerprint = (request: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(request) ?? '')
    .digest('hex');
