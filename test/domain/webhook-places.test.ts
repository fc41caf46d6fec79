/** Places by how quickly an endpoint answers, and turns between accounts. Choice 45. */
import { describe, expect, it } from 'vitest';
import {
  answerMsAfter,
  placesFor,
  tallyOf,
  type DueEndpoint,
  type Flight,
} from '../../src/domain/webhooks/webhook-places.ts';
import { roundRobin, noteServed, newRotation } from '../../src/domain/webhooks/webhook-rotation.ts';

const NOW = 100_000;

const endpoint = (answerMs: number | null, more: Partial<DueEndpoint> = {}): DueEndpoint => ({
  id: 1,
  userId: 'ann',
  answerMs,
  isFailing: false,
  ...more,
});

const flights = (count: number, more: Partial<Flight> = {}): Flight[] =>
  Array.from({ length: count }, () => ({
    webhookId: 99,
    userId: 'bob',
    begunAt: NOW,
    isSlow: false,
    ...more,
  }));

const places = (asked: DueEndpoint, underWay: Flight[] = [], accounts = 1) =>
  placesFor(asked, tallyOf(underWay, NOW), accounts).places;

describe('an endpoint', () => {
  it.each([
    [null, 1],
    [5, 8],
    [1_000, 8],
    [2_000, 4],
    [4_000, 2],
    [14_000, 1],
  ])('that answers after %s ms has %d places', (answerMs, count) => {
    expect(places(endpoint(answerMs))).toBe(count);
    expect(places(endpoint(answerMs), flights(1, { webhookId: 1, userId: 'ann' }))).toBe(count - 1);
  });

  it('has one while it takes nothing', () => {
    expect(places(endpoint(5, { isFailing: true }))).toBe(1);
  });

  it('that was quick is slow as soon as a request waits', () => {
    const waiting = flights(3, { webhookId: 1, userId: 'ann', begunAt: NOW - 1_500 });
    expect(placesFor(endpoint(5), tallyOf(waiting, NOW), 1)).toEqual({ places: 2, isSlow: true });
  });

  it('becomes quick again by what it does', () => {
    let ms = 14_000;
    for (let n = 0; n < 4; n++) ms = answerMsAfter(ms, 20);
    expect(ms).toBeLessThan(1_000);
  });
});

describe('slow requests', () => {
  it('take no place of a quick endpoint, however many there are', () => {
    const slow = [...flights(320, { isSlow: true }), ...flights(500, { begunAt: NOW - 2_000 })];
    expect(places(endpoint(5), slow, 2)).toBe(8);
    expect(places(endpoint(null), slow, 2)).toBe(1);
    expect(places(endpoint(14_000), slow, 2)).toBe(0);
  });

  it('are twenty of one account at once, known or not', () => {
    const own = flights(20, { userId: 'ann', isSlow: true });
    expect(places(endpoint(14_000), own)).toBe(0);
    expect(places(endpoint(null), own)).toBe(0);
    expect(places(endpoint(5), own)).toBe(8);
    expect(places(endpoint(14_000, { userId: 'eve' }), own, 2)).toBe(1);
  });
});

describe('quick requests', () => {
  it('are shared between the accounts that want some', () => {
    expect(places(endpoint(5), flights(60, { userId: 'ann' }), 1)).toBe(4);
    expect(places(endpoint(5), flights(30, { userId: 'ann' }), 2)).toBe(2);
    expect(places(endpoint(5, { userId: 'eve' }), flights(32), 2)).toBe(8);
    expect(places(endpoint(5), flights(64), 2)).toBe(0);
  });
});

describe('the order of endpoints', () => {
  const of = (userId: string, ...ids: number[]) => ids.map((id) => ({ id, userId }));
  const due = [...of('ann', 1, 2, 3, 4), ...of('bob', 5), ...of('eve', 6, 7)];
  const ids = (rotation = newRotation()) => roundRobin(due, rotation).map(({ id }) => id);

  it('goes from account to account, so that many endpoints are not served more often than one', () => {
    expect(ids()).toEqual([1, 5, 6, 2, 7, 3, 4]);
  });

  it('continues after the one served last, among accounts and within each', () => {
    const rotation = newRotation();
    noteServed(rotation, { id: 2, userId: 'ann' });
    expect(ids(rotation)).toEqual([5, 6, 3, 7, 4, 1, 2]);
    noteServed(rotation, { id: 7, userId: 'eve' });
    expect(ids(rotation)).toEqual([3, 5, 6, 4, 7, 1, 2]);
  });
});
