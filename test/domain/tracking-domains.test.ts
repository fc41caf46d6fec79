/** Names for links of clients: which can carry a record, what is said of them, and when they are looked at. */
import { describe, expect, it } from 'vitest';
import {
  cnameTargetOf,
  cnameTrouble,
  orderWaitMs,
  recordWaitMs,
  refusedWaitMs,
  renewalOf,
  trackingNameOf,
} from '../../src/domain/domains/tracking-domains.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('trackingNameOf', () => {
  it.each([
    ['Links.Acme.COM', 'links.acme.com'],
    ['a.b.acme.co.uk.', 'a.b.acme.co.uk'],
    ['klick.Müller.de', 'klick.xn--mller-kva.de'],
    // A suffix that people share has registrable names below it.
    ['links.acme.github.io', 'links.acme.github.io'],
  ])('takes %s', (text, name) => expect(trackingNameOf(text)).toBe(name));

  it.each([
    'acme.com',
    'acme.co.uk',
    'acme.github.io',
    'com',
    'localhost',
    '127.0.0.1',
    'a b.acme.com',
    'https://x.acme.com',
    '',
  ])('refuses %j, which can carry no CNAME record or is no name', (text) =>
    expect(trackingNameOf(text)).toBeUndefined(),
  );
});

describe('cnameTrouble', () => {
  const target = cnameTargetOf('abc123', 'links.outreach.test');
  const one = { name: 'links.acme.com', target };

  it('is none where the record points to the token, whatever the case', () => {
    expect(cnameTrouble(one, ['ABC123.links.outreach.test'])).toBeUndefined();
  });

  it('says what to set', () => {
    expect(cnameTrouble(one, [])).toEqual({
      code: 'CNAME_MISSING',
      message: 'There is no CNAME record yet. Set: links.acme.com CNAME abc123.links.outreach.test',
    });
  });

  it('takes no token of somebody else for its own', () => {
    expect(cnameTrouble(one, ['other.links.outreach.test'])).toMatchObject({
      code: 'CNAME_WRONG',
      message: expect.stringContaining('points to other.links.outreach.test'),
    });
  });
});

describe('times', () => {
  it('looks for a record every minute, and less often as time goes by', () => {
    expect([0, 59 * MINUTE, HOUR, DAY - 1, DAY].map(recordWaitMs)).toEqual([
      MINUTE,
      MINUTE,
      10 * MINUTE,
      10 * MINUTE,
      HOUR,
    ]);
  });

  it('asks for an order at once, and less often the longer it stands', () => {
    const ages = [0, 30_000, MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY];
    expect(ages.map((age) => orderWaitMs(age))).toEqual([
      3_000,
      3_000,
      6_000,
      MINUTE,
      6 * MINUTE,
      HOUR,
      HOUR,
    ]);
    let [asked, age] = [0, 0];
    for (; age < 7 * DAY; asked += 1) age += orderWaitMs(age);
    expect(asked).toBeLessThan(300);
    expect(orderWaitMs(0, 20_000)).toBe(20_000);
    expect(orderWaitMs(10 * MINUTE, 20_000)).toBe(MINUTE);
  });

  it('stays below five orders of a name an hour after refusals', () => {
    const waits = [1, 2, 3, 4, 50].map(refusedWaitMs);
    expect(waits).toEqual([15 * MINUTE, HOUR, 6 * HOUR, DAY, DAY]);
  });

  it.each([
    [90, 60],
    [45, 30],
    [6, 4],
    [365, 335],
  ])('renews a certificate of %i days on day %i', (life, day) => {
    const from = new Date('2026-01-01T00:00:00Z');
    const at = (days: number) => new Date(from.getTime() + days * DAY);
    expect(renewalOf({ from, to: at(life) })).toEqual(at(day));
  });
});
