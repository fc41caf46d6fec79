/** How many new leads a day of a campaign may have, and when that day ends. Choice 66. */
import { describe, expect, it } from 'vitest';
import { capacityOf, campaignDay, newLeadLimit } from '../../src/domain/campaigns/new-leads.ts';

const DAY = 86_400;
const day = (timezone: string, at: string, daySeconds = DAY) => {
  const { from, until } = campaignDay(timezone, new Date(at), daySeconds);
  return [from.toISOString(), until.toISOString()];
};

describe('campaignDay', () => {
  it('is the calendar day of the zone', () => {
    expect(day('America/New_York', '2027-03-01T04:59:59.999Z')).toEqual([
      '2027-02-28T05:00:00.000Z',
      '2027-03-01T05:00:00.000Z',
    ]);
    expect(day('America/New_York', '2027-03-01T05:00:00.000Z')).toEqual([
      '2027-03-01T05:00:00.000Z',
      '2027-03-02T05:00:00.000Z',
    ]);
    expect(day('Asia/Kolkata', '2027-03-01T18:29:59.999Z')[1]).toBe('2027-03-01T18:30:00.000Z');
  });

  it('has 23 or 25 hours where the clock changes, and begins at 01:00 where midnight is left out', () => {
    expect(day('America/New_York', '2027-03-14T12:00:00Z')).toEqual([
      '2027-03-14T05:00:00.000Z',
      '2027-03-15T04:00:00.000Z',
    ]);
    expect(day('America/New_York', '2027-11-07T12:00:00Z')).toEqual([
      '2027-11-07T04:00:00.000Z',
      '2027-11-08T05:00:00.000Z',
    ]);
    // Brazil skipped midnight on 4 November 2018.
    expect(day('America/Sao_Paulo', '2018-11-03T12:00:00Z')[1]).toBe('2018-11-04T03:00:00.000Z');
  });

  it('follows the length of a day of sending where that is another', () => {
    expect(day('America/New_York', '1970-01-01T00:02:30Z', 60)).toEqual([
      '1970-01-01T00:02:00.000Z',
      '1970-01-01T00:03:00.000Z',
    ]);
  });
});

describe('newLeadLimit', () => {
  const limit = (max: number | null, share: number | null, capacity: number) =>
    newLeadLimit({ max_new_leads_per_day: max, new_lead_share: share }, capacity);

  it.each([
    [null, null, 100, Infinity],
    [7, null, 100, 7],
    [null, 25, 100, 25],
    [null, 25, 99, 24],
    [30, 25, 100, 25],
    [20, 25, 100, 20],
    [null, 100, 100, 100],
    // Rounded down, but a share is never nothing.
    [null, 1, 40, 1],
    [null, 0, 100, 0],
    [5, 0, 100, 0],
    [null, 50, 0, 0],
  ])('max %s, share %s of %i: %s', (max, share, capacity, expected) => {
    expect(limit(max, share, capacity)).toBe(expected);
  });
});

describe('capacityOf', () => {
  const boxes = [
    { email: 'a@one.test', perDay: 30 },
    { email: 'b@one.test', perDay: 30 },
    { email: 'c@two.test', perDay: 10 },
  ];
  it('adds up mailboxes, each sending domain up to its own limit', () => {
    expect(capacityOf(boxes, 0)).toBe(70);
    expect(capacityOf(boxes, 50)).toBe(60);
    expect(capacityOf([], 50)).toBe(0);
  });
});
