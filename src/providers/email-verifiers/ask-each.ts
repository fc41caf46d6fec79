/** One call per address, a few at a time, for verifiers whose API takes one. */
import PQueue from 'p-queue';
import { ProviderError } from '../../domain/errors.ts';

/** After this many calls in a row without an answer the vendor is taken to be down. */
const DOWN_AFTER_FAILURES = 3;

/**
 * Calls `ask` for each address. An error that concerns the vendor as a whole (credentials, credits,
 * rate limit, outage) stops it; a single call that fails does not. Throws the first failure once the
 * rest is done, so that the addresses without an answer go to another verifier.
 */
export async function askEach(
  emails: readonly string[],
  options: { atOnce: number; signal?: AbortSignal | undefined },
  ask: (email: string) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: options.atOnce });
  let first: unknown;
  let failuresInARow = 0;
  const one = async (email: string) => {
    try {
      options.signal?.throwIfAborted();
      await ask(email);
      failuresInARow = 0;
    } catch (error) {
      failuresInARow += 1;
      const isPassing = error instanceof ProviderError && error.kind === 'unavailable';
      const isFinal = !isPassing || failuresInARow >= DOWN_AFTER_FAILURES;
      if (first === undefined || (isFinal && isMereFailure(first))) first = error;
      if (isFinal) queue.clear();
    }
  };
  for (const email of emails) void queue.add(() => one(email));
  await queue.onIdle();
  if (first !== undefined) throw first as Error;
}

const isMereFailure = (error: unknown) =>
  error instanceof ProviderError && error.kind === 'unavailable';
