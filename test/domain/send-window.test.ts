/** Send windows: over midnight, over weekends, over every clock change. Choices 11, 12. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEEKDAYS, type SendWindow } from '../../src/domain/campaigns/campaigns.ts';
import { nextSendTime, startOnOrAfter, windowAt } from '../../src/domain/sending/send-window.ts';

const at = (iso: string) => new Date(iso);
const window = (change: Partial<SendWindow> = {}): SendWindow => ({
  timezone: 'America/New_York',
  activeDays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  startTime: '09:00',
  endTime: '17:00',
  ...change,
});
const next = (change: Partial<SendWindow>, from: string) =>
  nextSendTime(window(change), at(from)).toISOString();

describe('startOnOrAfter', () => {
  it.each([
    ['a day of the week', {}, '2027-03-01', '2027-03-01T14:00:00.000Z'],
    ['a Saturday: on Monday', {}, '2027-03-06', '2027-03-08T14:00:00.000Z'],
    [
      'behind the date line',
      { timezone: 'Pacific/Auckland' },
      '2027-03-01',
      '2027-02-28T20:00:00.000Z',
    ],
    [
      'over midnight: in the evening',
      { startTime: '22:00', endTime: '06:00' },
      '2027-03-02',
      '2027-03-03T03:00:00.000Z',
    ],
  ])('%s', (_words, change, day, expected) => {
    expect(startOnOrAfter(window(change), day).toISOString()).toBe(expected);
  });
});

describe('nextSendTime', () => {
  it.each([
    ['inside: itself', '2027-03-01T15:00:00.000Z', '2027-03-01T15:00:00.000Z'],
    ['at the start: itself', '2027-03-01T14:00:00.000Z', '2027-03-01T14:00:00.000Z'],
    ['before: the start', '2027-03-01T13:59:59.999Z', '2027-03-01T14:00:00.000Z'],
    ['at the end: the next day', '2027-03-01T22:00:00.000Z', '2027-03-02T14:00:00.000Z'],
    ['on Friday evening: on Monday', '2027-03-05T23:00:00.000Z', '2027-03-08T14:00:00.000Z'],
    ['over the change of clocks', '2027-03-12T23:00:00.000Z', '2027-03-15T13:00:00.000Z'],
  ])('%s', (_words, from, expected) => {
    expect(next({}, from)).toBe(expected);
  });

  it('a window over midnight belongs to the day on which it starts', () => {
    const night = { activeDays: ['fri' as const], startTime: '22:00', endTime: '06:00' };
    // Saturday, 5 in the morning in New York.
    expect(next(night, '2027-03-06T10:00:00.000Z')).toBe('2027-03-06T10:00:00.000Z');
    // Saturday, 23:00, and Friday, 5 in the morning.
    expect(next(night, '2027-03-07T04:00:00.000Z')).toBe('2027-03-13T03:00:00.000Z');
    expect(next(night, '2027-03-05T10:00:00.000Z')).toBe('2027-03-06T03:00:00.000Z');
  });

  it('a start that spring leaves out is the moment of the change', () => {
    const early = { timezone: 'Europe/Berlin', activeDays: ['sun' as const], startTime: '02:30' };
    expect(next(early, '2027-03-27T12:00:00.000Z')).toBe('2027-03-28T01:00:00.000Z');
  });

  it('a window that lies within the missing hour comes a week later', () => {
    const missing = { ...window(), timezone: 'Europe/Berlin', activeDays: ['sun' as const] };
    const short = { ...missing, startTime: '02:15', endTime: '02:45' };
    expect(next(short, '2027-03-27T12:00:00.000Z')).toBe('2027-04-04T00:15:00.000Z');
  });

  it('an hour that comes twice ends with its first and starts with its second', () => {
    const sunday = { timezone: 'Europe/Berlin', activeDays: ['sun' as const] };
    const starts = window({ ...sunday, startTime: '02:30' });
    expect(windowAt(starts, at('2027-10-31T00:00:00.000Z')).from).toEqual(
      at('2027-10-31T01:30:00.000Z'),
    );
    const ends = window({ ...sunday, startTime: '00:00', endTime: '02:30' });
    expect(windowAt(ends, at('2027-10-31T00:00:00.000Z')).until).toEqual(
      at('2027-10-31T00:30:00.000Z'),
    );
    const within = window({ ...sunday, startTime: '02:15', endTime: '02:45' });
    expect(windowAt(within, at('2027-10-30T12:00:00.000Z'))).toEqual({
      from: at('2027-10-31T00:15:00.000Z'),
      until: at('2027-10-31T00:45:00.000Z'),
    });
  });
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const YEARS = { from: Date.UTC(2026, 10, 1), until: Date.UTC(2028, 10, 1) };

/** What clocks on the wall show: the judge that knows nothing of windows. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function wallClock(timezone: string, time: number) {
  const format =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  clocks.set(timezone, format);
  const [day, clock] = format.format(time).toLowerCase().split(/,? /);
  return { day: WEEKDAYS.indexOf(day as (typeof WEEKDAYS)[number]), clock: clock! };
}

/** Whether a clock on the wall reads as within the window. */
function readsInside({ timezone, activeDays, startTime, endTime }: SendWindow, time: number) {
  const { day, clock } = wallClock(timezone, time);
  const isActive = (number: number) => activeDays.includes(WEEKDAYS[(number + 7) % 7]!);
  if (startTime < endTime) return isActive(day) && startTime <= clock && clock < endTime;
  return (isActive(day) && startTime <= clock) || (isActive(day - 1) && clock < endTime);
}

/** Moments at which a zone's clocks are put forward or back, to the minute. */
function clockChanges(timezone: string): number[] {
  const offset = (time: number) => {
    const { clock } = wallClock(timezone, time);
    const [hours, minutes] = clock.split(':').map(Number);
    const shown = (hours! * 60 + minutes!) * MINUTE;
    return ((((shown - (time % DAY)) % DAY) + DAY) % DAY) / MINUTE;
  };
  const changes: number[] = [];
  const step = 7 * DAY;
  for (let time = YEARS.from; time < YEARS.until; time += step) {
    if (offset(time) === offset(time + step)) continue;
    let [before, after] = [time, time + step];
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
      if (offset(middle) === offset(time)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

describe('every zone and every change of its clocks in the next two years', () => {
  // Zones with the same changes of the same size are one case.
  const cases = new Map<string, { timezone: string; change: number }>();
  for (const timezone of Intl.supportedValuesOf('timeZone')) {
    for (const change of clockChanges(timezone)) {
      const shown = [change - MINUTE, change].map((time) => wallClock(timezone, time).clock);
      cases.set(`${change} ${shown.join()}`, { timezone, change });
    }
  }
  const windows = [
    { startTime: '00:00', endTime: '06:00' },
    { startTime: '22:00', endTime: '02:30' },
    { startTime: '02:30', endTime: '02:00' },
    { startTime: '01:15', endTime: '17:00' },
  ];

  it('opens no window at a time that reads outside, and misses none that comes once', () => {
    expect(cases.size).toBeGreaterThan(30);
    const wrong: string[] = [];
    for (const { timezone, change } of cases.values()) {
      for (const times of windows) {
        const one = window({ timezone, activeDays: WEEKDAYS, ...times });
        for (let time = change - 150 * MINUTE; time <= change + 150 * MINUTE; time += 30 * MINUTE) {
          const where = `${timezone} ${new Date(time).toISOString()} ${times.startTime}`;
          const isInside = windowAt(one, new Date(time)).from.getTime() <= time;
          const reads = readsInside(one, time);
          if (isInside && !reads) wrong.push(`inside, but reads outside: ${where}`);
          if (reads && !isInside && !isNearRepeat(timezone, time)) wrong.push(`left out: ${where}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  /**
   * Whether an hour that comes twice is near: its first or second part stays closed, and so does
   * what follows on a window that has ended with the first.
   */
  function isNearRepeat(timezone: string, time: number): boolean {
    const repeats = (moment: number) =>
      [30, 60, 120, 180].some(
        (minutes) =>
          wallClock(timezone, moment).clock ===
          wallClock(timezone, moment + minutes * MINUTE).clock,
      );
    for (let back = -30; back <= 180; back += 30) if (repeats(time - back * MINUTE)) return true;
    return false;
  }
});

describe('any window', () => {
  const timeOfDay = fc
    .record({ hours: fc.nat(23), minutes: fc.nat(59) })
    .map(({ hours, minutes }) =>
      [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':'),
    );
  const anyWindow = fc
    .record({
      timezone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata'),
      activeDays: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
      startTime: timeOfDay,
      endTime: timeOfDay,
    })
    .filter(({ startTime, endTime }) => startTime !== endTime);
  const moment = fc.integer({ min: YEARS.from, max: YEARS.until }).map((time) => new Date(time));

  it('the next time is not before, lies in the window, and is its own next time', () => {
    fc.assert(
      fc.property(anyWindow, moment, (one, from) => {
        const found = nextSendTime(one, from);
        expect(found.getTime()).toBeGreaterThanOrEqual(from.getTime());
        const { from: opens, until } = windowAt(one, found);
        expect(opens.getTime()).toBeLessThanOrEqual(found.getTime());
        expect(readsInside(one, found.getTime())).toBe(true);
        expect(nextSendTime(one, found)).toEqual(found);
        expect(until.getTime()).toBeGreaterThan(found.getTime());
        expect(found.getTime() - from.getTime()).toBeLessThan(15 * DAY);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
  'is the same when it is asked for later and later moments as for earlier and earlier ones, in %s',
  (timezone) => {
    for (const [startTime, endTime] of [
      ['09:00', '17:00'],
      ['22:00', '06:00'],
      ['00:00', '23:59'],
    ] as const) {
      const window: SendWindow = {
        timezone,
        startTime,
        endTime,
        activeDays: ['mon', 'wed', 'sat', 'sun'],
      };
      const moments = Array.from(
        { length: 1_500 },
        (_, n) => new Date(Date.UTC(2026, 9, 1) + n * 47 * 60_000),
      );
      // What is remembered of a later moment is no answer for an earlier one.
      const fresh = moments
        .toReversed()
        .map((at) => windowAt(window, at))
        .toReversed();
      expect(moments.map((at) => windowAt(window, at))).toEqual(fresh);
    }
  },
);
