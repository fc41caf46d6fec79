/**
 * How many cold messages a mailbox in warm-up may send a day.
 * docs/sending-rules.md#cold-messages-after-warm-up; choice 56.
 */
import type { WarmupStatus } from './warmup.ts';

/** The columns of a warm-up's row that decide. */
export interface WarmupStanding {
  status: WarmupStatus;
  /** Days of sending so far, the running one included. */
  day: number;
  /** Healthy days since the warm-up proper ended. */
  cold_day: number;
}

/** The installation's settings: days before cold mail, then cold messages on the first day and more on each. */
export interface ColdSettings {
  WARMUP_DAYS: number;
  WARMUP_COLD_START: number;
  WARMUP_COLD_INCREASE: number;
}

export interface ColdAllowance {
  /** Cold messages a day, 0 = none now. Never above `dailyLimit`. */
  allowance: number;
  /** The reason given for a recipient that waits for this mailbox; null = nothing holds it back. */
  holdReason: 'warming_up' | 'mailbox_failing' | null;
}

/**
 * Warm-up is optional: a mailbox that is not enrolled, or was taken out (`inactive`), has its daily limit. An
 * enrolled one sends nothing cold while it warms up, then few messages, and more after each healthy day; half
 * of it while throttled, nothing while quarantined.
 */
export function coldAllowance(
  warmup: WarmupStanding | undefined,
  settings: ColdSettings,
  dailyLimit: number,
): ColdAllowance {
  if (warmup === undefined || warmup.status === 'inactive') {
    return { allowance: dailyLimit, holdReason: null };
  }
  if (warmup.status === 'quarantined') return { allowance: 0, holdReason: 'mailbox_failing' };
  if (warmup.day <= settings.WARMUP_DAYS) return { allowance: 0, holdReason: 'warming_up' };
  const healthyDays = Math.max(0, warmup.cold_day - 1);
  const grown = settings.WARMUP_COLD_START + settings.WARMUP_COLD_INCREASE * healthyDays;
  const full = Math.min(dailyLimit, grown);
  const allowance = warmup.status === 'throttled' ? Math.ceil(full / 2) : full;
  return { allowance, holdReason: allowance < dailyLimit ? 'warming_up' : null };
}
