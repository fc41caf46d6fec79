/** Warm-up's pure rules: ramp, days, partners, health, cold mail, states. Mail: rules of sending; choices 28, 56. */
import { describe, expect, it } from 'vitest';
import {
  coldAllowance,
  type ColdSettings,
  type WarmupStanding,
} from '../../src/domain/warmup/warmup-hold.ts';
import {
  healthScore,
  healthWord,
  judge,
  shownHealth,
  type WarmupRecord,
} from '../../src/domain/warmup/warmup-health.ts';
import {
  warmupIdsAmong,
  warmupMessageId,
  warmupTokenOf,
} from '../../src/domain/warmup/warmup-message-id.ts';
import { wakingHours } from '../../src/domain/warmup/warmup-days.ts';
import { choosePartners, type WarmupPartner } from '../../src/domain/warmup/warmup-partners.ts';
import {
  isWorthBeginning,
  plannedVolume,
  spreadTimes,
  volumeOfDay,
} from '../../src/domain/warmup/warmup-plan.ts';
import { WARMUP_RULES } from '../../src/domain/warmup/warmup-rules.ts';
import { DEFAULT_WARMUP, isChange, WARMUP_STATUSES } from '../../src/domain/warmup/warmup.ts';
import { seededRandom } from '../chaos/seeded-random.ts';

const DAY_MS = 86_400_000;

describe('the ramp', () => {
  it('is 5 messages on the first day, 2 more each day, and 40 from day 19 on', () => {
    const days = Array.from({ length: 60 }, (_, n) => volumeOfDay(DEFAULT_WARMUP, n + 1));
    expect(days.slice(0, 4)).toEqual([5, 7, 9, 11]);
    expect(days[17]).toBe(39);
    expect(new Set(days.slice(18))).toEqual(new Set([40]));
    expect(days.every((volume, n) => n === 0 || volume >= days[n - 1]!)).toBe(true);
  });

  it('is halved while throttled, and gives way to cold mail below the daily maximum', () => {
    const free = { isThrottled: false, dailyMax: 50, cold: 0 };
    expect(plannedVolume(40, free)).toBe(40);
    expect(plannedVolume(5, { ...free, isThrottled: true })).toBe(3);
    expect(plannedVolume(40, { ...free, cold: 30 })).toBe(20);
    expect(plannedVolume(40, { ...free, cold: 60 })).toBe(0);
  });
});

describe('the waking hours', () => {
  const berlin = { timezone: 'Europe/Berlin', weekdaysOnly: true, daySeconds: 86_400 };

  it('are 8 to 20 in the account’s zone, on both sides of a clock change', () => {
    const winter = wakingHours(berlin, new Date('2026-03-27T03:00:00Z'));
    expect(winter.from.toISOString()).toBe('2026-03-27T07:00:00.000Z');
    const summer = wakingHours(berlin, new Date('2026-03-30T03:00:00Z'));
    expect(summer.from.toISOString()).toBe('2026-03-30T06:00:00.000Z');
    expect(summer.until.toISOString()).toBe('2026-03-30T18:00:00.000Z');
  });

  it('skip the weekend, unless every day counts', () => {
    const friday = new Date('2026-11-20T20:30:00Z');
    expect(wakingHours(berlin, friday).from.toISOString()).toBe('2026-11-23T07:00:00.000Z');
    const always = { ...berlin, weekdaysOnly: false };
    expect(wakingHours(always, friday).from.toISOString()).toBe('2026-11-21T07:00:00.000Z');
  });

  it('shrink with a short day, whose weekdays stay those of the calendar', () => {
    const short = { ...berlin, daySeconds: 60, weekdaysOnly: false };
    const at = new Date('2026-11-21T10:00:05Z');
    const hours = wakingHours(short, at);
    expect(hours.from.toISOString()).toBe('2026-11-21T10:00:20.000Z');
    expect(hours.until.toISOString()).toBe('2026-11-21T10:00:50.000Z');
    expect(wakingHours(short, hours.until).from.toISOString()).toBe('2026-11-21T10:01:20.000Z');
    const monday = wakingHours({ ...short, weekdaysOnly: true }, at).from;
    expect(monday.getTime()).toBeGreaterThanOrEqual(Date.parse('2026-11-22T23:00:00Z'));
    expect(monday.getTime()).toBeLessThan(Date.parse('2026-11-22T23:01:00Z'));
  });

  it('never lie on a weekend of their zone, wherever that is, and always ahead', () => {
    const random = seededRandom(7);
    const zones = ['Asia/Tokyo', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'];
    const wrong = Array.from({ length: 500 }, () => {
      const timezone = zones[Math.floor(random() * zones.length)]!;
      const at = new Date(Date.parse('2026-01-01') + random() * 400 * DAY_MS);
      const hours = wakingHours({ timezone, weekdaysOnly: true, daySeconds: 86_400 }, at);
      const weekday = hours.from.toLocaleString('en', { timeZone: timezone, weekday: 'short' });
      return ['Sat', 'Sun'].includes(weekday) || hours.until <= at;
    }).filter(Boolean);
    expect(wrong).toEqual([]);
  });
});

describe('the times of a day', () => {
  it('lie within the waking hours, in order, apart, and differ from day to day', () => {
    const hours = { from: new Date(10 * 3_600_000), until: new Date(22 * 3_600_000) };
    const random = seededRandom(1);
    const seen = new Set<string>();
    for (let n = 1; n <= 40; n += 1) {
      const now = new Date(hours.from.getTime() + random() * 8 * 3_600_000);
      const times = spreadTimes(hours, now, n, random).map((time) => time.getTime());
      const gaps = times.slice(1).map((time, at) => time - times[at]!);
      const stretch = (hours.until.getTime() - now.getTime()) / n;
      expect(Math.min(...times)).toBeGreaterThanOrEqual(now.getTime());
      expect(Math.max(...times)).toBeLessThan(hours.until.getTime());
      expect(Math.min(Infinity, ...gaps)).toBeGreaterThan(stretch * 0.25);
      seen.add(times.join());
    }
    expect(seen.size).toBe(40);
  });

  it('do not begin late in the day', () => {
    const hours = { from: new Date(0), until: new Date(12_000) };
    expect(isWorthBeginning(hours, new Date(8_000))).toBe(true);
    expect(isWorthBeginning(hours, new Date(9_500))).toBe(false);
  });
});

describe('partners', () => {
  const mailbox = (mailboxId: number, tenant: number): WarmupPartner & { mailboxId: number } => ({
    mailboxId,
    userId: `tenant-${tenant}`,
    email: `m${mailboxId}@d${mailboxId % 7}-${tenant}.example`,
  });

  it('are never of the own tenant where there are several, over random sets of tenants', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 300; round += 1) {
      const tenants = 1 + Math.floor(random() * 4);
      const all = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, n) =>
        mailbox(n + 1, Math.floor(random() * tenants)),
      );
      const first = all[0]!;
      const me = { mailboxId: first.mailboxId, userId: first.userId!, email: first.email };
      const volume = 1 + Math.floor(random() * 40);
      const counts = new Map(all.map(({ email }) => [email, Math.floor(random() * 12)]));
      const chosen = choosePartners({ me, candidates: all, seeds: [], counts, volume, random });
      const several = all.some(({ userId }) => userId !== me.userId);
      expect(chosen.length).toBeLessThanOrEqual(volume);
      expect(chosen.filter(({ mailboxId }) => mailboxId === me.mailboxId)).toEqual([]);
      const neighbours = chosen.filter(({ userId }) => several && userId === me.userId);
      expect(neighbours).toEqual([]);
      for (const { email } of chosen) {
        const today = chosen.filter((other) => other.email === email).length;
        expect(today).toBeLessThanOrEqual(WARMUP_RULES.pairDailyMax);
        expect(today + counts.get(email)!).toBeLessThanOrEqual(WARMUP_RULES.pairWeeklyMax);
      }
    }
  });

  it('of one tenant are on other domains where there are some', () => {
    const same = { mailboxId: 2, userId: 'a', email: 'b@one.example' };
    const other = { mailboxId: 3, userId: 'a', email: 'c@two.example' };
    const choice = {
      me: { mailboxId: 1, userId: 'a', email: 'a@one.example' },
      seeds: [],
      counts: new Map(),
      volume: 4,
      random: seededRandom(1),
    };
    const apart = choosePartners({ ...choice, candidates: [same, other] });
    expect(new Set(apart.map(({ email }) => email))).toEqual(new Set([other.email]));
    expect(choosePartners({ ...choice, candidates: [same] })).toEqual([same, same]);
  });

  it('are seeds for a fifth of the messages, and for all of them where nobody else is enrolled', () => {
    const seeds = ['one@warmup.test', 'Two@warmup.test'];
    const me = { mailboxId: 1, userId: 'a', email: 'a@one.example' };
    const base = { me, seeds, counts: new Map<string, number>(), random: seededRandom(1) };
    const candidates = Array.from({ length: 20 }, (_, n) => mailbox(n + 2, 1));
    const mixed = choosePartners({ ...base, candidates, volume: 10 });
    expect(mixed.filter(({ mailboxId }) => mailboxId === null)).toHaveLength(2);
    expect(mixed).toHaveLength(10);
    const alone = choosePartners({ ...base, candidates: [], volume: 5 });
    expect(alone.map(({ email }) => email).toSorted()).toEqual([
      'one@warmup.test',
      'one@warmup.test',
      'two@warmup.test',
      'two@warmup.test',
    ]);
  });

  it('who had the fewest messages come first', () => {
    const candidates = Array.from({ length: 10 }, (_, n) => mailbox(n + 2, 1));
    const counts = new Map(candidates.slice(0, 8).map(({ email }) => [email, 3]));
    const me = { mailboxId: 1, userId: 'a', email: 'a@one.example' };
    const few = choosePartners({
      me,
      candidates,
      seeds: [],
      counts,
      volume: 2,
      random: seededRandom(9),
    });
    expect(few.map(({ email }) => email).toSorted()).toEqual(
      candidates
        .slice(8)
        .map(({ email }) => email)
        .toSorted(),
    );
  });
});

describe('health', () => {
  const none: WarmupRecord = { sent: 0, inbox: 0, spam: 0, bounced: 0, refused: 0 };
  const at = (status: (typeof WARMUP_STATUSES)[number], day = 3, served = false) => ({
    status,
    reason: null,
    day,
    isQuarantineServed: served,
  });

  it('is the share in the inbox, unknown while nothing was seen, and hard on losses', () => {
    expect(healthScore(none)).toBeNull();
    expect(healthScore({ ...none, sent: 20, inbox: 20 })).toBe(100);
    expect(healthScore({ ...none, sent: 1, spam: 1 })).toBe(83);
    expect(healthScore({ ...none, sent: 50, inbox: 25, spam: 25 })).toBe(55);
    expect(healthScore({ ...none, sent: 50, spam: 50 })).toBe(9);
    expect(healthScore({ ...none, sent: 40, inbox: 38, bounced: 2 })).toBe(83);
  });

  it('throttles below 70 and lets go at 80, not between', () => {
    const bad = { ...none, sent: 40, inbox: 25, spam: 15 };
    expect(judge(at('warming'), bad, 14)).toEqual({ status: 'throttled', reason: 'spam' });
    const between = { ...none, sent: 40, inbox: 28, spam: 10 };
    expect(judge(at('warming'), between, 14).status).toBe('warming');
    expect(judge(at('throttled'), between, 14).status).toBe('throttled');
    const good = { ...none, sent: 40, inbox: 38, spam: 2 };
    expect(judge(at('throttled'), good, 14).status).toBe('warming');
    expect(judge(at('throttled', 15), good, 14).status).toBe('active');
  });

  it('quarantines below 40, and at 5 % bounces once there are 20 messages', () => {
    const spam = { ...none, sent: 40, inbox: 5, spam: 30 };
    expect(judge(at('active', 20), spam, 14)).toEqual({ status: 'quarantined', reason: 'spam' });
    const bounces = { ...none, sent: 20, inbox: 19, bounced: 1 };
    expect(judge(at('active', 20), bounces, 14).reason).toBe('bounces');
    expect(judge(at('active', 20), { ...bounces, sent: 19 }, 14).status).toBe('active');
  });

  it('brings back from quarantine to half the volume, after three days and with a clean record', () => {
    const spam = { ...none, sent: 40, spam: 30 };
    expect(judge(at('quarantined', 5, true), spam, 14).status).toBe('quarantined');
    expect(judge(at('quarantined', 5, false), none, 14).status).toBe('quarantined');
    expect(judge(at('quarantined', 5, true), none, 14).status).toBe('throttled');
  });

  it('leaves alone what a person chose, and a refused login', () => {
    const spam = { ...none, sent: 40, spam: 30 };
    expect(judge(at('paused'), spam, 14).status).toBe('paused');
    expect(judge(at('inactive'), spam, 14).status).toBe('inactive');
    const refused = { ...at('quarantined', 5, true), reason: 'login_refused' as const };
    expect(judge(refused, none, 14)).toEqual({ status: 'quarantined', reason: 'login_refused' });
  });

  it('lets go of what is throttled when nothing is known of it for seven days', () => {
    expect(judge(at('throttled'), { ...none, sent: 40 }, 14)).toEqual({
      status: 'warming',
      reason: null,
    });
  });

  it('is shown as unknown where nothing speaks for it, whatever a person or a record did', () => {
    expect(shownHealth('warming', null)).toBe('unknown');
    expect(shownHealth('active', 100)).toBe('healthy');
    expect(shownHealth('throttled', null)).toBe('throttled');
    expect(shownHealth('quarantined', null)).toBe('quarantined');
  });

  it('has one word for clients, whether a healthy mailbox is warming or active', () => {
    expect(WARMUP_STATUSES.map(healthWord)).toEqual([
      'healthy',
      'healthy',
      'healthy',
      'healthy',
      'throttled',
      'quarantined',
    ]);
  });
});

describe('cold mail of a mailbox', () => {
  const settings = { WARMUP_DAYS: 14, WARMUP_COLD_START: 5, WARMUP_COLD_INCREASE: 5 };
  const allowanceOf = (standing?: WarmupStanding, change: Partial<ColdSettings> = {}) =>
    coldAllowance(standing, { ...settings, ...change }, 30);

  it('is not held back where the mailbox is not enrolled', () => {
    expect(allowanceOf(undefined)).toEqual({ allowance: 30, holdReason: null });
    const stopped = { status: 'inactive', day: 3, cold_day: 0 } as const;
    expect(allowanceOf(stopped)).toEqual({ allowance: 30, holdReason: null });
  });

  it('is none for 14 days, then 5 and 5 more each healthy day, up to the daily limit', () => {
    const standing = (day: number) => ({
      status: day <= 14 ? ('warming' as const) : ('active' as const),
      day,
      cold_day: Math.max(0, day - 14),
    });
    const days = Array.from({ length: 22 }, (_, n) => allowanceOf(standing(n + 1)));
    expect(days.map(({ allowance }) => allowance)).toEqual([
      ...Array.from({ length: 14 }, () => 0),
      5,
      10,
      15,
      20,
      25,
      30,
      30,
      30,
    ]);
    expect(days[13]!.holdReason).toBe('warming_up');
    expect(days[21]!.holdReason).toBeNull();
  });

  it('begins, grows and waits as the installation is set', () => {
    const at = { status: 'active', day: 15, cold_day: 3 } as const;
    expect(allowanceOf(at).allowance).toBe(15);
    expect(allowanceOf(at, { WARMUP_COLD_START: 2 }).allowance).toBe(12);
    expect(allowanceOf(at, { WARMUP_COLD_INCREASE: 1 }).allowance).toBe(7);
    expect(allowanceOf(at, { WARMUP_DAYS: 15 })).toEqual({
      allowance: 0,
      holdReason: 'warming_up',
    });
  });

  it('is half while throttled and none in quarantine; a pause changes nothing', () => {
    const at = { day: 20, cold_day: 3 };
    expect(allowanceOf({ ...at, status: 'throttled' }).allowance).toBe(8);
    expect(allowanceOf({ ...at, status: 'paused' }).allowance).toBe(15);
    expect(allowanceOf({ ...at, status: 'quarantined' })).toEqual({
      allowance: 0,
      holdReason: 'mailbox_failing',
    });
  });
});

describe('the Message-IDs of warm-up messages', () => {
  it('are told from others by their form alone; whose they are, rows know', () => {
    const token = `w${'a'.repeat(24)}`;
    const id = warmupMessageId(token, 'acme.com');
    expect(warmupTokenOf(id)).toBe(token);
    const others = [
      '',
      '<other@acme.com>',
      `<${token}>`,
      `<x${token}@acme.com>`,
      `<${token}a@b.c>`,
    ];
    expect(warmupIdsAmong([...others, id])).toEqual([id]);
  });
});

describe('requests', () => {
  it('change a state, are no-ops in the same one, or illegal. Choice 28', () => {
    const answers = WARMUP_STATUSES.map((status) =>
      (['start', 'pause', 'resume', 'stop'] as const).map((action) => {
        try {
          return isChange(status, action) ? 'changes' : 'same';
        } catch (error) {
          return (error as { code: string }).code;
        }
      }),
    );
    const live = ['same', 'changes', 'same', 'changes'];
    expect(answers).toEqual([
      ['changes', 'INVALID_STATE', 'INVALID_STATE', 'same'],
      live,
      live,
      ['INVALID_STATE', 'same', 'changes', 'changes'],
      live,
      live,
    ]);
  });
});
