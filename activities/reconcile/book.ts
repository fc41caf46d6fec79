/** What the comparisons of single books share. */
import type { Context } from '../../src/context.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';

export type ReconcileContext = Pick<
  Context,
  'db' | 'vps' | 'registrars' | 'config' | 'clock' | 'logger' | 'startOperation'
>;

/** Something that was found, and how it can be healed where it can. */
export interface Found {
  finding: Finding;
  /** Absent: only a person can. False: it is not so any more, nothing was done. Safe to repeat. */
  heal?: (words: HealWords) => Promise<boolean>;
  /** The Schedule may heal it; otherwise only a person who asked for it. */
  isSafe?: boolean;
}

/** What is younger may be in the middle of something. In milliseconds, at the pace of the world. */
export const graceMs = ({ config }: Pick<Context, 'config'>): number =>
  Math.max(
    10 * 60_000 * config.RETRY_PACE,
    2_000 * (config.PROVIDER_LAG_SECONDS + config.PROVIDER_TIMEOUT_SECONDS),
  );
