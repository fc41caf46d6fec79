/** Who has to get messages again in the simulated world: at a corrected address, and after a lifted suppression. */
import { beforeEach, describe, expect, it } from 'vitest';
import { UNVERIFIED } from '../address-rules.ts';
import { createBook, type Book, type SimulatedCampaign } from '../book.ts';
import { createHistory } from '../history.ts';
import { owed } from './owed.ts';

const [OLD, NEW] = ['ann@old.example', 'ann@new.example'];

let book: Book;
let campaign: SimulatedCampaign;
let written: string[];
beforeEach(() => {
  book = createBook();
  campaign = { id: 1, isCancelled: false } as SimulatedCampaign;
  book.campaigns.push(campaign);
  book.people.add(1);
  book.addresses.set(1, createHistory(OLD));
  book.verdicts.set(1, createHistory(UNVERIFIED));
  written = [OLD];
});

const correct = (to = NEW) => book.addresses.get(1)!.set(to, 10);
const wrong = (status: string, reason: string | null = null) =>
  owed(book, { campaign_id: 1, lead_id: 1, status, hold_reason: reason }, (_, address) =>
    written.includes(address),
  );

describe('a lead with another address', () => {
  beforeEach(() => book.closeAddress(OLD, 'bounced', 5));

  it.each<[string, string | null, RegExp]>([
    ['bounced', null, /has bounced at the address of before/],
    ['skipped', 'duplicate_address', /left out \(duplicate_address\)/],
    ['skipped', 'no_email', /left out \(no_email\)/],
    ['paused', 'undelivered', /expired at the address of before/],
  ])('does not end as %s (%s)', (status, reason, words) => {
    correct();
    expect(wrong(status, reason)).toMatch(words);
    written.push(NEW);
    expect(wrong(status, reason)).toBeUndefined();
  });

  it('may have ended otherwise', () => {
    correct();
    expect(wrong('completed')).toBeUndefined();
    expect(wrong('paused')).toBeUndefined();
    expect(wrong('skipped', 'company_replied')).toBeUndefined();
    expect(wrong('removed', 'undelivered')).toBeUndefined();
  });

  it('waits for a client where the message expired at the address that it has', () => {
    correct();
    book.expiries.note(1, 1, { at: 12, to: NEW, messageId: '<a@b.example>', isPausing: true });
    expect(wrong('paused', 'undelivered')).toBeUndefined();
  });

  it('is not compared with its own address of before', () => {
    expect(wrong('bounced')).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['the new address is suppressed', () => book.closeAddress(NEW, 'suppressed', 8)],
    ['the new address bounced as well', () => book.bouncedAddresses.add(NEW)],
    ['another lead has it', () => book.addresses.set(2, createHistory(NEW))],
    ['there is none', () => book.addresses.get(1)!.set('', 12)],
    ['it is invalid', () => book.verdicts.get(1)!.set({ ...UNVERIFIED, status: 'invalid' }, 12)],
    ['its person wants to be left alone', () => book.closeRecipient(1, 1, 'unsubscribed', 8)],
    ['it has answered', () => book.closeRecipient(1, 1, 'replied', 8)],
    ['it has answered since it entered', () => book.closeRecipient(1, 1, 'answered', 8)],
    ['its campaign was cancelled', () => (campaign.isCancelled = true)],
    ['it is deleted', () => book.people.delete(1)],
  ])('may end so where %s', (_, happens) => {
    correct();
    happens();
    expect(wrong('bounced')).toBeUndefined();
    expect(wrong('skipped', 'duplicate_address')).toBeUndefined();
  });
});

describe('a lead that was suppressed', () => {
  beforeEach(() => book.closeAddress(OLD, 'suppressed', 5));

  it.each(['skipped', 'bounced', 'unsubscribed'])(
    'comes back (%s) once that is lifted',
    (status) => {
      expect(wrong(status, 'suppressed')).toBeUndefined();
      book.openAddress(OLD, ['suppressed'], 7);
      expect(wrong(status, 'suppressed')).toMatch(/nobody wants that any more/);
    },
  );

  it('stays out where something else closes its address, or it was removed', () => {
    book.closeAddress('old.example', 'suppressed', 6);
    book.openAddress(OLD, ['suppressed'], 7);
    expect(wrong('skipped', 'suppressed')).toBeUndefined();
    book.openAddress('old.example', ['suppressed'], 8);
    expect(wrong('skipped', 'suppressed')).toMatch(/nobody wants/);
    book.closeRecipient(1, 1, 'removed', 9);
    expect(wrong('skipped', 'suppressed')).toBeUndefined();
  });
});
