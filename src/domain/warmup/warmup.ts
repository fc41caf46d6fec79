/** Terms of warm-up: states, settings, and which request is legal in which state. Choice 28. */
import { invalid } from '../errors.ts';
import type { JobState } from '../operations/jobs.ts';

export const WARMUP_STATUSES = [
  'inactive',
  'warming',
  'active',
  'paused',
  'throttled',
  'quarantined',
] as const;
export type WarmupStatus = (typeof WARMUP_STATUSES)[number];

export interface WarmupSettings {
  /** Messages on the first day. */
  startVolume: number;
  /** Messages more on each day after. */
  dailyIncrease: number;
  maxVolume: number;
  /** Per cent of messages that get an answer. */
  replyRate: number;
  weekdaysOnly: boolean;
}

export const DEFAULT_WARMUP: WarmupSettings = {
  startVolume: 5,
  dailyIncrease: 2,
  maxVolume: 40,
  replyRate: 30,
  weekdaysOnly: true,
};

/** Why a warm-up is in its state, where that needs a reason. */
export type WarmupReason =
  'login_refused' | 'bounces' | 'spam' | 'no_partners' | 'mailbox_gone' | 'user' | 'failed';

/** States in which messages go out. */
export const SENDING_STATUSES = ['warming', 'active', 'throttled'] as const;

export const WARMUP_ACTIONS = ['start', 'pause', 'resume', 'stop'] as const;
export type WarmupAction = (typeof WARMUP_ACTIONS)[number];

/** The state that the row gives its workflow. */
export const warmupJobState = (status: WarmupStatus): JobState =>
  status === 'inactive' ? 'over' : status === 'paused' ? 'paused' : 'active';

/** The state of a mailbox that neither a person nor a rule restricts: warming, then active permanently. */
export const ownStatus = (day: number, warmupDays: number): 'warming' | 'active' =>
  day > warmupDays ? 'active' : 'warming';

/** The state after a pause: a quarantined mailbox returns to quarantine, for the same reason. */
export const resumedState = (
  row: { day: number; quarantined_at: Date | null; status_reason: WarmupReason | null },
  warmupDays: number,
): { status: WarmupStatus; status_reason: WarmupReason | null } =>
  row.quarantined_at === null
    ? { status: ownStatus(row.day, warmupDays), status_reason: null }
    : { status: 'quarantined', status_reason: row.status_reason };

/** The reason kept during a pause: that of a quarantine is preserved. */
export const pausedReason = (row: {
  quarantined_at: Date | null;
  status_reason: WarmupReason | null;
}): WarmupReason | null => (row.quarantined_at === null ? 'user' : row.status_reason);

/**
 * Whether an action changes something in a state; the same state again does not. Throws 400
 * INVALID_STATE where it is illegal. Choice 28.
 */
export function isChange(status: WarmupStatus, action: WarmupAction): boolean {
  const state = warmupJobState(status);
  const { from, same } = ACTIONS[action];
  if (same === state) return false;
  if (from.includes(state)) return true;
  throw invalid('INVALID_STATE', `Warm-up is ${status}: ${action} is not possible`);
}

const ACTIONS: Record<WarmupAction, { from: readonly JobState[]; same: JobState }> = {
  start: { from: ['over'], same: 'active' },
  pause: { from: ['active'], same: 'paused' },
  resume: { from: ['paused'], same: 'active' },
  stop: { from: ['active', 'paused'], same: 'over' },
};
