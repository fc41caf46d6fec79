/** What the comparisons of the single records share. */
import { cancellationSignal } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';

export type ReconcileContext = Pick<
  Context,
  'db' | 'vps' | 'registrars' | 'payments' | 'config' | 'clock' | 'logger' | 'startOperation'
>;

/** A finding, and how to heal it where that is possible. */
export interface Found {
  finding: Finding;
  /**
   * Absent: only a person can heal it. Returns false where it no longer holds and nothing was done. Safe
   * to repeat.
   */
  heal?: (words: HealWords) => Promise<boolean>;
  /** True: the Schedule may heal it; otherwise only a person who asked for it. */
  isSafe?: boolean;
}

/** Each page, and no further one once the comparison is cancelled or over its time limit: a list may have many. */
export async function* untilCancelled<T>(pages: AsyncIterable<T>): AsyncGenerator<T, void> {
  const signal = cancellationSignal();
  for await (const page of pages) {
    yield page;
    signal.throwIfAborted();
  }
}

/** Younger rows may be in the middle of an operation. In milliseconds, at the configured pace. */
export const graceMs = ({ config }: Pick<Context, 'config'>): number =>
  Math.max(
    10 * 60_000 * config.RETRY_PACE,
    2_000 * (config.PROVIDER_LAG_SECONDS + config.PROVIDER_TIMEOUT_SECONDS),
  );
