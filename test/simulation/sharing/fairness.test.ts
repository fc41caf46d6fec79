/** The simulation's referee sees a small campaign that is starved, and not one that has nobody to write to. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ALL_ALLOWED, CATCH_ALL_HELD, UNVERIFIED } from '../address-rules.ts';
import { createBook, type Book, type SimulatedCampaign, type SimulatedWindow } from '../book.ts';
import { createHistory } from '../history.ts';
import { unfair } from './fairness.ts';

const MINUTE = 60_000;
const [SMALL, LARGE] = [1, 2];
const window: SimulatedWindow = {
  timezone: 'UTC',
  activeDays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  startTime: '00:00',
  endTime: '23:59',
};

let book: Book;
let small: SimulatedCampaign;
beforeEach(() => {
  book = createBook();
  small = {
    id: SMALL,
    isSmall: true,
    joined: new Map<number, number>(),
    window: createHistory(window),
    isActive: createHistory(true),
    choice: createHistory(ALL_ALLOWED),
  } as SimulatedCampaign;
  book.campaigns.push(small);
  for (const leadId of [1, 2, 3, 4]) {
    book.addresses.set(leadId, createHistory(`lead${leadId}@client.example`));
    book.verdicts.set(leadId, createHistory(UNVERIFIED));
  }
});

/** First messages of the large campaign, one each minute from 1 to `many`. */
const large = (many: number) =>
  Array.from({ length: many }, (_, n) => ({
    campaignId: LARGE,
    leadId: 100 + n,
    at: (n + 1) * MINUTE,
  }));
const first = (leadId: number, minute: number) => ({
  campaignId: SMALL,
  leadId,
  at: minute * MINUTE,
});
/** With one mailbox, and so many leads of the small campaign as are given. */
const judge = (many: number, ...own: ReturnType<typeof first>[]) =>
  unfair(
    book,
    [...large(many), ...own].toSorted((a, b) => a.at - b.at),
    1,
  );

describe('a small campaign', () => {
  it('is starved where its people wait for many messages of another one', () => {
    expect(judge(36, first(1, 0), first(2, 60))).toEqual([]);
    expect(judge(37, first(1, 0), first(2, 60))).toEqual([
      'the small campaign waited for 37 messages of the large one',
    ]);
  });

  it('does not wait before those come whom a client adds', () => {
    const own = [first(1, 0), first(2, 70), first(3, 70), first(4, 70)];
    for (const leadId of [2, 3, 4]) small.joined.set(leadId, 60 * MINUTE);
    expect(judge(100, ...own)).toEqual([]);
    // And is starved like any from then on.
    const late = own.map(({ leadId, at }) => first(leadId, at === 0 ? 0 : 110));
    expect(judge(120, ...late)).toEqual([
      'the small campaign waited for 51 messages of the large one',
    ]);
  });

  it('has not waited for a lead that begins anew', () => {
    expect(judge(100, first(1, 0), first(2, 1), first(1, 90), first(2, 95))).toEqual([]);
  });

  it.each<[string, (at: number) => void]>([
    [
      'a client has paused',
      (at) => {
        book.pausedLead(SMALL, 2).set(true, -MINUTE);
        book.pausedLead(SMALL, 2).set(false, at);
      },
    ],
    [
      'has no address yet',
      (at) => {
        book.addresses.set(2, createHistory(''));
        book.addresses.get(2)!.set('lead2@client.example', at);
      },
    ],
    [
      'has a suppressed address',
      (at) => {
        book.closeAddress('lead2@client.example', 'suppressed', -MINUTE);
        book.openAddress('lead2@client.example', ['suppressed'], at);
      },
    ],
    [
      'has an invalid address',
      (at) => {
        book.verdicts.set(2, createHistory({ ...UNVERIFIED, status: 'invalid' }));
        book.verdicts.get(2)!.set(UNVERIFIED, at);
      },
    ],
    [
      'has an address that the campaign holds',
      (at) => {
        book.verdicts.set(2, createHistory({ status: 'risky', reason: 'catch_all', score: 60 }));
        small.choice = createHistory(CATCH_ALL_HELD);
        small.choice.set(ALL_ALLOWED, at);
      },
    ],
  ])('does not wait for a lead that %s', (_, heldUntil) => {
    heldUntil(90 * MINUTE);
    expect(judge(100, first(1, 0), first(2, 100))).toEqual([]);
    expect(judge(200, first(1, 0), first(2, 150))).toEqual([
      'the small campaign waited for 61 messages of the large one',
    ]);
  });
});
