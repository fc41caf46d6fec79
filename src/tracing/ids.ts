/** Ids of traces and spans: random, but for those that are known before their span begins. */
import { randomBytes } from 'node:crypto';

/** Asked for at once: one call for each id costs as much as all else that a trace costs which is not kept. */
const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

export const newTraceId = (): string => randomHex(16);
export const newSpanId = (): string => randomHex(8);

interface Ids {
  traceId?: string;
  spanId?: string;
}

let given: Ids = {};

/** The SDK's `IdGenerator`. */
export const idGenerator = {
  generateTraceId: (): string => given.traceId ?? newTraceId(),
  generateSpanId: (): string => given.spanId ?? newSpanId(),
};

/** The one span that `work` starts at once gets these ids. */
export function withIds<T>(ids: Ids, work: () => T): T {
  given = ids;
  try {
    return work();
  } finally {
    given = {};
  }
}
