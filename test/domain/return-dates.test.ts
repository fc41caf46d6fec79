/** Days of return without a year: the nearest, and none that has passed. */
import { describe, expect, it } from 'vitest';
import { readReturnDate } from '../../src/domain/inbox/mail-classification/return-dates.ts';

describe('the day of return', () => {
  it.each([
    // The evening of 30 November in New York.
    ['2026-12-01T02:30:00Z', 'I am out of the office until November 30 ...', '2026-11-30'],
    ['2026-11-30T03:00:00Z', 'I am out until 11/29', '2026-11-29'],
    ['2026-11-30T03:00:00Z', 'I will be out of the office through November 29', '2026-11-30'],
    ['2026-11-30T03:00:00Z', 'I will be back on Monday.', '2026-11-30'],
    ['2026-11-30T15:00:00Z', 'I will be back on Monday.', '2026-12-07'],
    // The morning of that day in Berlin, the first one of an absence.
    ['2026-11-30T08:05:00Z', 'I will be back on Monday.', '2026-12-07'],
    ['2026-11-30T06:05:00Z', 'Ab Montag bin ich wieder erreichbar.', '2026-12-07'],
    ['2026-12-04T08:05:00Z', 'Ab Freitag bin ich wieder erreichbar.', '2026-12-11'],
    ['2026-11-28T03:00:00Z', 'Out of office until Friday', '2026-12-04'],
    ['2026-11-30T15:00:00Z', 'I am out of the office until November 30.', '2026-11-30'],
  ])('%s: %s', (at, text, day) => {
    expect(readReturnDate(text, new Date(at))).toBe(day);
  });

  it.each([
    ['2026-12-03T15:00:00Z', 'Ich bin bis zum 30. November nicht im Büro.'],
    ['2026-12-01T15:00:00Z', 'I am out of the office until November 30.'],
    ['2026-11-30T12:00:00Z', 'I was on leave until 15 November and may be slow to answer'],
    ['2026-11-30T12:00:00Z', 'We were closed from 20.11. bis 25.11. and are catching up'],
    ['2027-01-04T12:00:00Z', 'Out of office until 31 December'],
    ['2027-01-04T12:00:00Z', 'Je serai absent jusqu’au 30/12'],
    ['2028-03-02T12:00:00Z', 'I will be back on 29 February'],
  ])('%s: none where it has passed: %s', (at, text) => {
    expect(readReturnDate(text, new Date(at))).toBeUndefined();
  });

  it.each([
    ['2026-12-20T12:00:00Z', 'I am away until 7 January.', '2027-01-07'],
    ['2026-12-20T12:00:00Z', 'Ich bin vom 23.12. bis 6.1. im Urlaub', '2027-01-06'],
    ['2026-12-31T12:00:00Z', 'back on 1 January', '2027-01-01'],
    ['2026-12-01T08:00:00Z', 'Sono fuori ufficio fino al 10/12', '2026-12-10'],
    ['2026-11-30T12:00:00Z', 'I am on leave until 1 May', '2027-05-01'],
    ['2026-02-01T12:00:00Z', 'I am on parental leave until 15 July', '2026-07-15'],
    ['2026-11-30T12:00:00Z', 'I am on leave until 15 November 2027', '2027-11-15'],
  ])('%s: the next one that is near: %s', (at, text, day) => {
    expect(readReturnDate(text, new Date(at))).toBe(day);
  });
});
