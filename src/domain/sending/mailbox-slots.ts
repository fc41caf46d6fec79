/**
 * When a mailbox may send its next message: gap, hour, day and cold day.
 * docs/sending-rules.md#one-message-at-a-time.
 */

/** Of one mailbox, durations in milliseconds, already scaled to the length of a day of sending. */
export interface SlotLimits {
  gapMs: number;
  /** Share of the gap by which it varies, either way. */
  gapJitter: number;
  hourMs: number;
  dayMs: number;
  hourly: number;
  /** All messages of a day, warm-up included. */
  daily: number;
  /** Cold messages of a day. */
  dailyCold: number;
}

/** Messages to leads that a whole day allows. */
export const perDayOf = ({ daily, dailyCold }: Pick<SlotLimits, 'daily' | 'dailyCold'>): number =>
  Math.max(0, Math.min(daily, dailyCold));

/** When its last messages were claimed, newest first, at least as many as the limits count. */
export interface SlotUse {
  nextSendAt: Date | null;
  cold: readonly Date[];
  warmup: readonly Date[];
}

export type SlotLimit = 'gap' | 'hour' | 'day' | 'cold_day';

export type Slot =
  { granted: true; nextSendAt: Date } | { granted: false; nextAt: Date; limit: SlotLimit };

/**
 * Grants a message now, or returns when the first limit that refuses it ends. Hours and days are sliding: no
 * 24 hours contain more than the limit. `chance` in [0, 1) is the position of the gap within its jitter.
 */
export function takeSlot(
  kind: 'cold' | 'warmup',
  limits: SlotLimits,
  use: SlotUse,
  { now, chance }: { now: Date; chance: number },
): Slot {
  const all = [...use.cold, ...use.warmup].toSorted((a, b) => b.getTime() - a.getTime());
  const waits: { at: number; limit: SlotLimit }[] = [];
  const wait = (at: number | undefined, limit: SlotLimit) => {
    if (at !== undefined && at > now.getTime()) waits.push({ at, limit });
  };
  wait(use.nextSendAt?.getTime(), 'gap');
  wait(freeAt(all, limits.hourly, limits.hourMs, now), 'hour');
  wait(freeAt(all, limits.daily, limits.dayMs, now), 'day');
  if (kind === 'cold') wait(freeAt(use.cold, limits.dailyCold, limits.dayMs, now), 'cold_day');
  const longest = waits.toSorted((a, b) => b.at - a.at)[0];
  if (longest) return { granted: false, nextAt: new Date(longest.at), limit: longest.limit };
  const varied = 1 + limits.gapJitter * (2 * chance - 1);
  return { granted: true, nextSendAt: new Date(now.getTime() + limits.gapMs * varied) };
}

/** When fewer than `limit` of the messages (newest first) are younger than `spanMs`. */
function freeAt(
  messages: readonly Date[],
  limit: number,
  spanMs: number,
  now: Date,
): number | undefined {
  if (limit <= 0) return now.getTime() + spanMs;
  const blocking = messages[limit - 1];
  return blocking && blocking.getTime() + spanMs;
}
