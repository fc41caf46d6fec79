/** Ids of traces and spans: random, but for the span of a workflow's run, whose id its activities know already. */
import { randomBytes } from 'node:crypto';

let given: string | undefined;

/** The SDK's `IdGenerator`. */
export const idGenerator = {
  generateTraceId: (): string => randomBytes(16).toString('hex'),
  generateSpanId: (): string => given ?? randomBytes(8).toString('hex'),
};

/** The one span that `work` starts at once gets this id. */
export function withSpanId<T>(spanId: string, work: () => T): T {
  given = spanId;
  try {
    return work();
  } finally {
    given = undefined;
  }
}
