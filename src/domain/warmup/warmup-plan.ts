/** How many messages a day of warm-up has, and when they go out. docs/sending-rules.md#warm-up-volume. */
import type { OpenWindow } from '../sending/send-window.ts';
import { sendingDaysMs } from '../sending/sending-time.ts';
import { WARMUP_RULES } from './warmup-rules.ts';
import type { WarmupSettings } from './warmup.ts';

/** Messages of a day, counted from 1: 5, 7, 9, … 40 with the default settings. */
export function volumeOfDay(
  { startVolume, dailyIncrease, maxVolume }: WarmupSettings,
  day: number,
): number {
  return Math.min(maxVolume, startVolume + dailyIncrease * Math.max(0, day - 1));
}

/**
 * How much of a day's volume may be planned: half while throttled, and never so much that the day's cold mail
 * would exceed the mailbox's limit for all messages.
 */
export function plannedVolume(
  volume: number,
  bounds: { isThrottled: boolean; dailyMax: number; cold: number },
): number {
  const wanted = bounds.isThrottled ? Math.ceil(volume / 2) : volume;
  return Math.max(0, Math.min(wanted, bounds.dailyMax - bounds.cold));
}

/**
 * Whether the day of these waking hours was begun before. In another time zone the same day starts up to half a day
 * earlier or later: a change of the account's zone begins no second one.
 */
export const isBegun = (startedAt: Date | null, { from }: OpenWindow, daySeconds: number) =>
  startedAt !== null && from.getTime() - startedAt.getTime() < sendingDaysMs(0.5, daySeconds);

/** Whether enough of the waking hours is left for a day to begin. */
export const isWorthBeginning = ({ from, until }: OpenWindow, now: Date): boolean =>
  until.getTime() - now.getTime() >=
  (until.getTime() - from.getTime()) * WARMUP_RULES.leastShareOfDay;

/** Times for `count` messages from `now` on, one in each equal stretch, anywhere in its middle. */
export function spreadTimes(
  hours: OpenWindow,
  now: Date,
  count: number,
  random: () => number,
): Date[] {
  const start = Math.max(now.getTime(), hours.from.getTime());
  const stretch = (hours.until.getTime() - start) / count;
  return Array.from({ length: count }, (_, n) => {
    const within = EDGE + (1 - 2 * EDGE) * random();
    return new Date(Math.floor(start + (n + within) * stretch));
  });
}

/** Messages keep this share of their stretch away from its ends, so that two are never together. */
const EDGE = 0.15;
