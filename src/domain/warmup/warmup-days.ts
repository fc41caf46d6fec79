/** The days on which a mailbox warms up, and its waking hours on them. Choice 28. */
import { DAY_SECONDS } from '../day.ts';
import { WEEKDAYS, type SendWindow } from '../campaigns/campaigns.ts';
import { windowAt, type OpenWindow } from '../sending/send-window.ts';
import { WARMUP_RULES } from './warmup-rules.ts';

export interface WarmupCalendar {
  /** The account's zone, IANA name. */
  timezone: string;
  weekdaysOnly: boolean;
  /** How long a day of sending lasts. */
  daySeconds: number;
}

/**
 * The waking hours that are open at `at`, or else the next ones; their start identifies the day. Where a
 * sending day is not as long as a real one, days follow each other from the epoch on, with the same share of
 * waking hours; weekdays stay those of the calendar.
 */
export function wakingHours(calendar: WarmupCalendar, at: Date): OpenWindow {
  const { timezone, daySeconds } = calendar;
  const days = daysOf(calendar);
  if (daySeconds === DAY_SECONDS) return windowAt(onDays(days, timezone), at);
  const { from, until } = scaledHours(daySeconds, at);
  if (!calendar.weekdaysOnly) return { from, until };
  const weekday = windowAt({ ...onDays(days, timezone), ...WHOLE_DAY }, from);
  return weekday.from <= from ? { from, until } : scaledHours(daySeconds, weekday.from);
}

/** The start of the n-th day of warming after the one that is running at `at`. */
export function wakingDayAfter(calendar: WarmupCalendar, at: Date, days: number): Date {
  const current = wakingHours(calendar, at);
  let day = current;
  // Before it begins the next day is the first one.
  const ahead = current.from > at ? days - 1 : days;
  for (let n = 0; n < ahead; n += 1) day = wakingHours(calendar, day.until);
  return day.from;
}

const daysOf = ({ weekdaysOnly }: WarmupCalendar) =>
  weekdaysOnly ? WEEKDAYS.slice(0, 5) : WEEKDAYS;

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

const onDays = (activeDays: SendWindow['activeDays'], timezone: string): SendWindow => ({
  timezone,
  activeDays,
  startTime: clock(WARMUP_RULES.wakeHour),
  endTime: clock(WARMUP_RULES.sleepHour),
});

const WHOLE_DAY = { startTime: '00:00', endTime: '23:59' };

function scaledHours(daySeconds: number, at: Date): OpenWindow {
  const dayMs = daySeconds * 1_000;
  const hours = (day: number): OpenWindow => ({
    from: new Date(day * dayMs + (dayMs * WARMUP_RULES.wakeHour) / 24),
    until: new Date(day * dayMs + (dayMs * WARMUP_RULES.sleepHour) / 24),
  });
  const day = Math.floor(at.getTime() / dayMs);
  const today = hours(day);
  return at < today.until ? today : hours(day + 1);
}
