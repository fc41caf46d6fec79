/** The simulation's referee notices too many new leads on one day. */
import { describe, expect, it } from 'vitest';
import { createBook, type SimulatedCampaign } from '../book.ts';
import { createHistory } from '../history.ts';
import type { Observed } from '../rules.ts';
import {
  createLimitRules,
  mostNewLeads,
  type LimitBook,
  type NewLeadLimits,
} from './limit-rules.ts';

const HOUR = 3_600_000;
/** Noon in Auckland, where the next day begins at 11:00 UTC. */
const noon = Date.parse('2026-03-02T23:00:00Z');

const first = (leadId: number, at = noon, step = 0) =>
  ({ at, campaignId: 1, leadId, step }) as Observed;

function violationsOf(messages: readonly Observed[], book: Partial<LimitBook> = {}): string[] {
  const violations: string[] = [];
  const check = createLimitRules({
    newLeadLimitsAt: () => [2],
    timezonesAt: () => ['Pacific/Auckland'],
    ...book,
  });
  for (const one of messages) check(one, (rule) => void violations.push(rule));
  return violations;
}

describe('new leads of a day', () => {
  it('may be as many as the limit says, from midnight to midnight in the zone of the campaign', () => {
    const next = [first(3, noon + 12 * HOUR), first(4, noon + 20 * HOUR)];
    expect(violationsOf([first(1), first(2), ...next])).toEqual([]);
    expect(violationsOf([first(1), first(2), first(3, noon + 12 * HOUR - 1)])).toEqual([
      'it is new lead 3 of the day, and 2 are allowed',
    ]);
  });

  it('are counted in another zone by other midnights', () => {
    const messages = [first(1, noon - 13 * HOUR), first(2), first(3, noon + HOUR)];
    expect(violationsOf(messages)).toEqual([]);
    expect(violationsOf(messages, { timezonesAt: () => ['America/New_York'] })).toHaveLength(1);
  });

  it('are none where the share is nothing', () => {
    expect(violationsOf([first(1)], { newLeadLimitsAt: () => [0] })).toHaveLength(1);
  });

  it('do not include follow-ups, a lead that begins anew, nor those of another campaign', () => {
    const other = { ...first(4), campaignId: 2 };
    const messages = [first(1), first(1), first(2), first(1, noon, 1), first(2, noon, 1), other];
    expect(violationsOf(messages)).toEqual([]);
  });

  it('are excused by a limit, or a zone, that changes at this very moment', () => {
    const messages = [first(1), first(2), first(3)];
    expect(violationsOf(messages, { newLeadLimitsAt: () => [2, 3] })).toEqual([]);
    const morning = [first(1, noon - 13 * HOUR), first(2), first(3)];
    const zones = { timezonesAt: () => ['Europe/Berlin', 'Pacific/Auckland'] };
    expect(violationsOf(morning, zones)).toEqual([]);
  });

  it('are the smaller number of both; a share is rounded down, to at least one', () => {
    expect(mostNewLeads({ perDay: null, share: null }, 3)).toBe(Infinity);
    expect(mostNewLeads({ perDay: 4, share: null }, 3)).toBe(4);
    expect(mostNewLeads({ perDay: null, share: 5 }, 3)).toBe(4);
    expect(mostNewLeads({ perDay: 3, share: 5 }, 3)).toBe(3);
    expect(mostNewLeads({ perDay: 9, share: 5 }, 3)).toBe(4);
    expect(mostNewLeads({ perDay: null, share: 1 }, 1)).toBe(1);
    expect(mostNewLeads({ perDay: null, share: 0 }, 3)).toBe(0);
    // The domain that they have in common sends 150 a day.
    expect(mostNewLeads({ perDay: null, share: 10 }, 8)).toBe(15);
  });

  it('are a share of the mailboxes that begin threads at that time', () => {
    const book = createBook();
    const newLeads = createHistory<NewLeadLimits>({ perDay: null, share: 10 });
    const mailboxes = createHistory<readonly number[]>([1, 2, 3]);
    book.campaigns.push({ id: 1, newLeads, mailboxes } as SimulatedCampaign);
    expect(book.newLeadLimitsAt(1, noon)).toEqual([9]);
    mailboxes.set([1, 2], noon);
    expect(book.newLeadLimitsAt(1, noon)).toEqual([9, 6]);
    book.goneMailboxes.set(1, noon);
    expect(book.newLeadLimitsAt(1, noon + 1)).toEqual([3]);
    newLeads.set({ perDay: 1, share: null }, noon + 2);
    expect(book.newLeadLimitsAt(1, noon + 3)).toEqual([1]);
  });
});
