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
  book.campaigns.push({ id: 1, isActive } as SimulatedCampaign);
  book.addresses.set(1, createHistory(OLD));
  book.verdicts.set(1, createHistory(UNVERIFIED));
});

const correct = () => book.addresses.get(1)!.set(NEW, 10);

it('a lead begins anew whose address had bounced before it was corrected', () => {
  expect(book.isCorrected(1, 1)).toBe(false);
  book.closeAddress(OLD, 'bounced', 5);
  expect(book.isCorrected(1, 1)).toBe(false);
  correct();
  expect(book.isCorrected(1, 1)).toBe(true);
});

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
  ['bounced only then', () => book.closeAddress(OLD, 'bounced', 10)],
  [
    'was lifted before',
    () => {
      book.closeAddress(OLD, 'bounced', 5);
      book.openAddress(OLD, ['bounced'], 7);
    },
  ],
  [
    'bounced, as the new one does later',
    () => {
      book.closeAddress(OLD, 'bounced', 5);
      book.bouncedAddresses.add(NEW);
    },
  ],
])('no lead does whose address %s', (_, happens) => {
  happens();
  correct();
  expect(book.isCorrected(1, 1)).toBe(false);
});

it.each<[string, () => void]>([
  ['its campaign was not active', () => isActive.set(false, 8)],
  ['the new address is suppressed', () => book.closeAddress(NEW, 'suppressed', 8)],
  ['its person wants to be left alone', () => book.closeRecipient(1, 1, 'unsubscribed', 8)],
  ['it has answered since it entered', () => book.closeRecipient(1, 1, 'answered', 8)],
])('nor one that has bounced, where %s', (_, happens) => {
  book.closeAddress(OLD, 'bounced', 5);
  happens();
  correct();
  expect(book.isCorrected(1, 1)).toBe(false);
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
