/** Who starts again in the simulated world: a lead who bounced and has a new address. */
import { beforeEach, describe, expect, it } from 'vitest';
import { UNVERIFIED } from './address-rules.ts';
import { createBook, type Book, type SimulatedCampaign, type SimulatedWindow } from './book.ts';
import { createHistory } from './history.ts';
import { isOpen, type Observed } from './rules.ts';

const [OLD, NEW] = ['ann@old.example', 'ann@new.example'];

let book: Book;
let isActive: SimulatedCampaign['isActive'];
beforeEach(() => {
  book = createBook();
  isActive = createHistory(true);
  book.campaigns.push({ id: 1, isActive, leads: new Set([1]) } as SimulatedCampaign);
  book.addresses.set(1, createHistory(OLD));
  book.verdicts.set(1, createHistory(UNVERIFIED));
});

const correct = () => book.addresses.get(1)!.set(NEW, 10);

it('its first message is sent again also where an address in between has bounced', () => {
  const sent = { campaignId: 1, leadId: 1, to: OLD, at: 1 } as Observed;
  const again = { ...sent, to: NEW, at: 20 };
  book.addresses.get(1)!.set('ann@between.example', 5);
  expect(book.beginsAnew(again, sent)).toBe(false);
  book.bouncedAddresses.add('ann@between.example');
  correct();
  expect(book.beginsAnew(again, sent)).toBe(true);
  expect(book.beginsAnew({ ...again, to: OLD }, sent)).toBe(false);
});

it.each<[string, () => void]>([
  ['was suppressed', () => book.closeAddress(OLD, 'suppressed', 5)],
  [
    'had been suppressed meanwhile',
    () => {
      book.closeAddress('old.example', 'suppressed', 5);
      book.openAddress('old.example', ['suppressed'], 7);
    },
  ],
  ['was invalid', () => book.verdicts.get(1)!.set({ ...UNVERIFIED, status: 'invalid' }, 5)],
])('the first message is sent again where the address of before %s', (_, happens) => {
  const sent = { campaignId: 1, leadId: 1, to: OLD, at: 1 } as Observed;
  const again = { ...sent, to: NEW, at: 20 };
  happens();
  expect(book.beginsAnew({ ...again, to: OLD }, sent)).toBe(false);
  correct();
  expect(book.beginsAnew(again, sent)).toBe(true);
});

it.each<[string, () => void]>([
  ['had none for a while', () => book.addresses.get(1)!.set('', 5)],
  [
    'had that of another lead',
    () => {
      book.addresses.set(2, createHistory('bob@old.example'));
      book.addresses.get(1)!.set('bob@old.example', 5);
    },
  ],
  [
    'got a message that expired',
    () => book.expiries.note(1, 1, { at: 5, to: OLD, messageId: '<a@b.example>', isPausing: true }),
  ],
])('the first message is sent again to a lead that %s', (_, happens) => {
  const sent = { campaignId: 1, leadId: 1, to: OLD, at: 1 } as Observed;
  const again = { ...sent, to: NEW, at: 20 };
  happens();
  correct();
  expect(book.beginsAnew(again, sent)).toBe(true);
  expect(book.beginsAnew({ ...again, to: OLD }, sent)).toBe(false);
});

it('the first message is not sent again for a correction alone, nor for what had expired before it', () => {
  const sent = { campaignId: 1, leadId: 1, to: OLD, at: 6 } as Observed;
  book.expiries.note(1, 1, { at: 5, to: OLD, messageId: '<a@b.example>', isPausing: true });
  correct();
  expect(book.beginsAnew({ ...sent, to: NEW, at: 20 }, sent)).toBe(false);
});

describe('a lead that gets the address of another one, after a message to its own', () => {
  const sent = { campaignId: 1, leadId: 1, to: OLD, at: 1 } as Observed;
  const again = { ...sent, to: NEW, at: 20 };
  /** The other one has the address until then. */
  const otherHas = (until: number) => {
    book.people.add(1).add(2);
    book.addresses.set(2, createHistory(NEW));
    book.addresses.get(2)!.set('bob@new.example', until);
  };

  it('was left out, and gets the first message there once the other one has given it up', () => {
    otherHas(12);
    book.campaigns[0]!.leads.add(2);
    correct();
    expect(book.beginsAnew(again, sent)).toBe(true);
    expect(book.beginsAnew({ ...again, to: OLD }, sent)).toBe(false);
  });

  it('also once the other one is deleted', () => {
    otherHas(Infinity);
    correct();
    expect(book.beginsAnew(again, sent)).toBe(false);
    book.people.delete(2);
    expect(book.beginsAnew(again, sent)).toBe(true);
  });

  it('goes on where the other one had given it up before, or is in no such campaign', () => {
    otherHas(9);
    book.campaigns[0]!.leads.add(2);
    correct();
    expect(book.beginsAnew(again, sent)).toBe(false);
    otherHas(12);
    expect(book.beginsAnew(again, sent)).toBe(true);
    book.campaigns[0]!.leads.delete(2);
    expect(book.beginsAnew(again, sent)).toBe(false);
  });
});

it('the first message is sent again at an address that was given up before, and is that of the lead once more', () => {
  const sent = { campaignId: 1, leadId: 1, to: OLD, at: 1 } as Observed;
  const again = { ...sent, to: NEW, at: 20 };
  book.addresses.get(1)!.set(NEW, 5);
  book.closeAddress(NEW, 'suppressed', 6);
  book.openAddress(NEW, ['suppressed'], 7);
  // What is lifted lets the thread go on.
  expect(book.beginsAnew(again, sent)).toBe(false);
  book.addresses.get(1)!.set('ann@between.example', 8);
  book.addresses.get(1)!.set(NEW, 9);
  expect(book.beginsAnew(again, sent)).toBe(true);
});

describe('whose clock counts', () => {
  /** A Monday, nine to five. */
  const monday = Date.parse('2026-03-02T00:00:00Z');
  const window: SimulatedWindow = {
    timezone: 'Europe/London',
    activeDays: ['mon'],
    startTime: '09:00',
    endTime: '17:00',
  };
  const isOpenAt = (hours: number) =>
    book
      .windowsAt(1, 1, monday + hours * 3_600_000)
      .some((one) => isOpen(one, monday + hours * 3_600_000));
  const openHours = () => Array.from({ length: 48 }, (_, n) => n - 12).filter(isOpenAt);
  const campaignWith = (change: Partial<SimulatedWindow>) =>
    Object.assign(book.campaigns[0]!, { window: createHistory({ ...window, ...change }) });

  it('is that of the recipient where the campaign wants it, and theirs is known', () => {
    campaignWith({ isOfRecipient: true });
    expect(openHours()).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
    book.zones.set(1, 'Asia/Tokyo');
    expect(openHours()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    book.zones.set(1, 'America/Los_Angeles');
    expect(openHours()).toEqual([17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('is that of the campaign otherwise, wherever the recipient is', () => {
    campaignWith({});
    book.zones.set(1, 'Asia/Tokyo');
    expect(openHours()).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
  });
});
