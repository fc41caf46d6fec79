/** When a campaign may send: windows in a zone, over midnight and over clock changes. Choices 11, 12. */
import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS, type SendWindow } from '../campaigns/campaigns.ts';
import { DAY_MS } from '../day.ts';

/** A period in which messages may be sent: `from <= t < until`. */
export interface OpenWindow {
  from: Date;
  until: Date;
}

/** A window skipped by a clock change recurs within a week; no zone changes three times in a row. */
const SEARCHED_DAYS = 28;

/**
 * The window that is open at `at`, or else the next one. A window belongs to the day on which it
 * starts: `fri 22:00-06:00` lasts into Saturday.
 *
 * Clock changes: nothing is ever sent at a time that reads outside of the window. Where a start or
 * end is left out (spring), the moment of the change stands for it, and a window that lies wholly
 * within the missing hour does not take place; where it comes twice (autumn), the window starts with
 * the second and ends with the first, unless that leaves nothing: then the first hour counts.
 */
export function windowAt(window: SendWindow, at: Date): OpenWindow {
  const now = at.getTime();
  // Claims ask for now and for later days in turns.
  const key = JSON.stringify([
    Math.floor(now / DAY_MS),
    window.timezone,
    window.startTime,
    window.endTime,
    window.activeDays,
  ]);
  let found = known.get(key);
  if (found === undefined || now < found.foundAt || now >= found.until) {
    found = { ...findWindow(window, now), foundAt: now };
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, found);
  }
  return { from: new Date(found.from), until: new Date(found.until) };
}

/** The last one found: until it ends, it is the answer for later moments, too. Each claim asks several times. */
const known = new Map<string, Found & { foundAt: number }>();
const MOST_KNOWN = 10_000;

/** In epoch milliseconds. */
interface Found {
  from: number;
  until: number;
}

function findWindow(window: SendWindow, now: number): Found {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(window.timezone)
    .toPlainDate();
  for (let offset = -1; offset < SEARCHED_DAYS; offset += 1) {
    const day = today.add({ days: offset });
    if (!window.activeDays.includes(WEEKDAYS[day.dayOfWeek - 1]!)) continue;
    const open = windowOf(window, day);
    if (open !== undefined && now < open.until) return open;
  }
  throw new Error('The window has no active day');
}

/** `from` itself inside the window, else the start of the next one. */
export function nextSendTime(window: SendWindow, from: Date): Date {
  const next = windowAt(window, from);
  return next.from > from ? next.from : from;
}

/** When the first window opens that starts on a day (`YYYY-MM-DD` in its zone) or after it. */
export function startOnOrAfter(window: SendWindow, day: string): Date {
  const first = Temporal.PlainDate.from(day);
  for (let offset = 0; offset < SEARCHED_DAYS; offset += 1) {
    const each = first.add({ days: offset });
    if (!window.activeDays.includes(WEEKDAYS[each.dayOfWeek - 1]!)) continue;
    const open = windowOf(window, each);
    if (open !== undefined) return new Date(open.from);
  }
  throw new Error('The window has no active day');
}

/** The window that starts on a day; undefined when the clock leaves it out. */
function windowOf(
  { timezone, startTime, endTime }: SendWindow,
  day: Temporal.PlainDate,
): Found | undefined {
  const lastDay = endTime < startTime ? day.add({ days: 1 }) : day;
  const start = momentsOf(day, startTime, timezone);
  const end = momentsOf(lastDay, endTime, timezone);
  const from = start.last < end.first ? start.last : start.first;
  return from < end.first ? { from, until: end.first } : undefined;
}

/** First and last moment at which clocks in the zone show the time, or skip it. */
function momentsOf(
  day: Temporal.PlainDate,
  time: string,
  timezone: string,
): { first: number; last: number } {
  const shown = day.toPlainDateTime(time);
  const first = shown.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (!first.toPlainDateTime().equals(shown)) {
    // Missing: `earlier` lies before the change, which is the next one from there.
    const change = first.getTimeZoneTransition('next')!.epochMilliseconds;
    return { first: change, last: change };
  }
  const last = shown.toZonedDateTime(timezone, { disambiguation: 'later' });
  return { first: first.epochMilliseconds, last: last.epochMilliseconds };
}
