/** Batch calls to a vendor that takes few of them in a minute, by all processes together. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbePlaces } from '../../domain/email-validation/probe-places.ts';
import { ProviderError } from '../../domain/errors.ts';
import { beginWait } from '../../tracing/waits.ts';

/** Runs a call when it is its turn. */
export type BatchTurns = (
  call: () => Promise<void>,
  signal: AbortSignal | undefined,
) => Promise<void>;

/** How often who waits asks for a turn: turns are seconds long. */
const POLL_MS = 1_000;

/**
 * One call at a time, whose place is kept for the rest of its share of a minute: the answer does not wait for that.
 * The signal ends the wait for a turn. A call that has begun is waited for, because its answer is paid for: whoever asks
 * again meanwhile would send and pay the same once more.
 * Without places (a process that validates nothing) calls are not held back.
 */
export function createBatchTurns(
  vendor: string,
  places: ProbePlaces | undefined,
  perMinute: number,
): BatchTurns {
  if (!places) {
    return async (call, signal) => {
      signal?.throwIfAborted();
      await call();
    };
  }
  const shareMs = Math.ceil(60_000 / perMinute);
  return (call, signal = new AbortController().signal) =>
    new Promise((resolve, reject) => {
      const end = beginWait(`a turn at ${vendor}`);
      const held = async () => {
        end();
        signal.throwIfAborted();
        const share = sleep(shareMs, undefined, { ref: false });
        await call().then(resolve, reject);
        await share;
      };
      places
        .at(vendor, { limit: 1, signal, pollMs: POLL_MS }, held)
        .then((is) => is === 'done' || reject(resting(vendor)), reject)
        .finally(end);
    });
}

const resting = (provider: string) =>
  new ProviderError('unavailable', `${provider}: it is left alone for now`, { provider });
