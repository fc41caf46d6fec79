/**
 * Durations of sending, scaled to the length of a day of sending. docs/world.md#how-long-a-day-lasts.
 */
import { DAY_SECONDS } from '../day.ts';

/** Real milliseconds for `seconds` of sending when a day lasts `daySeconds`. */
export const sendingMs = (seconds: number, daySeconds: number): number =>
  (seconds * 1_000 * daySeconds) / DAY_SECONDS;

/** The same for days. */
export const sendingDaysMs = (days: number, daySeconds: number): number =>
  days * daySeconds * 1_000;

/** Null where there is none. */
export const earliest = (...dates: (Date | null | undefined)[]): Date | null =>
  dates.reduce<Date | null>(
    (least, date) => (date && (!least || date < least) ? date : least),
    null,
  );
