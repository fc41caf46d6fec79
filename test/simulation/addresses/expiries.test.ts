/** What may follow a message that expired: nothing until a client decides, and no thread elsewhere. */
import { beforeEach, expect, it } from 'vitest';
import { createExpiries, wrongAfterExpiry, type Expiries, type Expiry } from './expiries.ts';

const OLD = 'ann@old.example';
const NEW = 'ann@new.example';
const expiry: Expiry = { at: 5, to: OLD, messageId: '<a@b.example>', isPausing: true };
const message = { campaignId: 1, leadId: 1, to: OLD, claimedAt: 20 };
const thread = { messageId: '<a@b.example>', isKnownThere: false };

let expiries: Expiries;
beforeEach(() => {
  expiries = createExpiries();
});

const wrong = (...[change, of]: [Partial<typeof message>, typeof thread?]) =>
  wrongAfterExpiry(expiries, { ...message, ...change }, of).join('\n');

it('nothing leaves until a client lets the lead go on, at whatever address', () => {
  expiries.note(1, 1, expiry);
  expect(wrong({})).toMatch(/paused since a message expired/);
  expect(wrong({ to: NEW })).toMatch(/paused since a message expired/);
  expect(wrong({ claimedAt: 5 })).toBe('');
  expect(wrong({ leadId: 2 })).toBe('');
  expiries.resume(1, 1, 10);
  expect(wrong({}, { ...thread, isKnownThere: true })).toBe('');
  expiries.note(1, 1, { ...expiry, at: 15 });
  expect(wrong({})).toMatch(/paused since a message expired/);
});

it('a lead that was corrected before is not paused', () => {
  expiries.note(1, 1, { ...expiry, isPausing: false });
  expect(wrong({ to: NEW })).toBe('');
});

it('the thread does not go on at another address, unless the campaign is known there', () => {
  expiries.note(1, 1, expiry);
  expiries.resume(1, 1, 10);
  expect(wrong({ to: OLD }, thread)).toBe('');
  expect(wrong({ to: NEW }, thread)).toMatch(/expired at another address/);
  expect(wrong({ to: NEW }, { ...thread, isKnownThere: true })).toBe('');
  // A message of the thread at the new address.
  expect(wrong({ to: NEW }, { ...thread, messageId: '<d@b.example>' })).toBe('');
  expect(wrong({ to: NEW, claimedAt: 5 }, thread)).toBe('');
});
