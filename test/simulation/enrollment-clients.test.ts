/**
 * Why a simulated lead may be left out of a campaign: only for a reason that was true at that moment.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { SkipReason } from '../../src/db/campaigns/enrollments.ts';
import { ALL_ALLOWED, UNVERIFIED, VERDICTS } from './address-rules.ts';
import { createBook, type Book, type SimulatedCampaign } from './book.ts';
import { isLeftOutRightly } from './enrollment-clients.ts';
import { createHistory } from './history.ts';
import type { GivenAnswer } from './subsequences/answers.ts';

const INVALID = VERDICTS.find(({ status }) => status === 'invalid')!;

let book: Book;
beforeEach(() => {
  book = createBook();
  book.campaigns.push({ id: 1, choice: createHistory(ALL_ALLOWED) } as SimulatedCampaign);
  book.addresses.set(1, createHistory('ann@c.example'));
  book.verdicts.set(1, createHistory(UNVERIFIED));
  book.people.add(1);
});

const isRight = (...reasons: SkipReason[]) =>
  isLeftOutRightly(book, { leadId: 1, reasons, from: 10, to: 20, isWritten: false });

describe('a lead that was not added', () => {
  it('needs a reason that was true of it', () => {
    expect(isRight('suppressed', 'invalid_email', 'not_found', 'already_contacted')).toBe(false);
  });

  it('may have had an invalid address for a moment, before or behind another verdict', () => {
    book.verdicts.get(1)!.set(INVALID, 10);
    book.verdicts.get(1)!.set(UNVERIFIED, 10);
    expect(isRight('invalid_email')).toBe(true);
    expect(isRight('suppressed')).toBe(false);
  });

  it('may have had no address for a moment', () => {
    book.addresses.get(1)!.set('', 12);
    book.addresses.get(1)!.set('ann@d.example', 12);
    expect(isRight('no_email')).toBe(true);
    book.addresses.set(2, createHistory(''));
    expect(isRight('duplicate_address')).toBe(false);
  });

  it('may have had the address of another lead meanwhile', () => {
    const other = createHistory('bob@c.example');
    book.addresses.set(2, other);
    expect(isRight('duplicate_address', 'no_email')).toBe(false);
    other.set('ann@c.example', 15);
    other.set('bob@d.example', 16);
    expect(isRight('duplicate_address')).toBe(true);
  });

  it('is not left out by a verdict of before', () => {
    book.verdicts.get(1)!.set(INVALID, 5);
    book.verdicts.get(1)!.set(UNVERIFIED, 9);
    expect(isRight('invalid_email')).toBe(false);
  });

  it('keeps the wish of its person with another address', () => {
    book.closeRecipient(1, 1, 'unsubscribed', 2);
    book.closeAddress('ann@c.example', 'unsubscribed', 2);
    book.addresses.get(1)!.set('ann@d.example', 5);
    expect(isRight('suppressed')).toBe(true);
    expect(isRight('invalid_email')).toBe(false);
  });

  it('may have been taken away, or its address', () => {
    book.closeAddress('ann@c.example', 'suppressed', 15);
    expect(isRight('suppressed')).toBe(true);
    expect(isRight('not_found')).toBe(false);
    book.people.delete(1);
    expect(isRight('not_found')).toBe(true);
  });

  it('may have had the first message as another lead', () => {
    const left = { leadId: 1, from: 10, to: 20, isWritten: true };
    expect(isLeftOutRightly(book, { ...left, reasons: ['already_contacted'] })).toBe(true);
    expect(isLeftOutRightly(book, { ...left, reasons: ['suppressed'] })).toBe(false);
  });

  it('may be of a company of which somebody has answered this campaign', () => {
    const left = { leadId: 1, from: 10, to: 20, isWritten: false, campaignId: 1 };
    const reasons: SkipReason[] = ['company_replied'];
    const isSo = (change = {}) => isLeftOutRightly(book, { ...left, reasons, ...change });
    book.companies.set(1, 7);
    book.companies.set(2, 7);
    expect(isSo()).toBe(false);
    book.answers.give(2, { at: 15, campaignId: 1 } as GivenAnswer);
    expect(isSo()).toBe(true);
    expect(isSo({ to: 14 })).toBe(false);
    expect(isSo({ campaignId: 2 })).toBe(false);
    expect(isSo({ reasons: ['suppressed'] })).toBe(false);
    book.companies.set(1, 8);
    expect(isSo()).toBe(false);
  });
});
