/** Mailboxes of a process are opened a few at a time, however many there are. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOpenings, type Opening, type Openings } from '../../activities/engine/openings.ts';

const never = new AbortController().signal;

/** Asks for a turn; `end` is there once it has begun. */
function ask(openings: Openings, signal = never, opening: Partial<Opening> = {}) {
  const asked: { end?: () => void; refused?: unknown } = {};
  openings(signal, { account: 'one', hasFailed: false, ...opening }).then(
    (end) => (asked.end = end),
    (error: unknown) => (asked.refused = error),
  );
  return asked;
}

const begun = (all: readonly { end?: () => void }[]) => all.filter(({ end }) => end).length;

describe('openings', () => {
  it('let the next one begin when one has ended, in the order in which they asked', async () => {
    const openings = createOpenings(2);
    const all = Array.from({ length: 5 }, () => ask(openings));
    await turn();
    expect(begun(all)).toBe(2);
    all[1]!.end!();
    await turn();
    expect(begun(all.slice(0, 3))).toBe(3);
    expect(begun(all)).toBe(3);
    // Ending twice makes room once.
    all[1]!.end!();
    await turn();
    expect(begun(all)).toBe(3);
  });

  it('make room when one is stopped that never ends: what hangs keeps no other waiting', async () => {
    const openings = createOpenings(1);
    const stop = new AbortController();
    const all = [ask(openings, stop.signal), ask(openings)];
    await turn();
    expect(begun(all)).toBe(1);
    stop.abort();
    await turn();
    expect(begun(all)).toBe(2);
  });

  it('refuse one that is stopped while it waits, and pass it over', async () => {
    const openings = createOpenings(1);
    const stop = new AbortController();
    const all = [ask(openings), ask(openings, stop.signal), ask(openings)];
    await turn();
    stop.abort();
    all[0]!.end!();
    await turn();
    expect(all[1]!.refused).toBeInstanceOf(Error);
    expect(all.map(({ end }) => end !== undefined)).toEqual([true, false, true]);
  });

  it('give the next place that comes free to another account, however many mailboxes of one wait', async () => {
    const openings = createOpenings();
    const many = Array.from({ length: 1_000 }, () => ask(openings));
    const others = ['two', 'two', 'three'].map((account) => ask(openings, never, { account }));
    await turn();
    expect([begun(many), begun(others)]).toEqual([20, 0]);
    for (const { end } of many.slice(0, 3)) end!();
    await turn();
    expect([begun(many), begun(others)]).toEqual([20, 3]);
    // Those that have ended, and others in their place.
    for (const { end } of others) end!();
    await turn();
    expect(begun(many)).toBe(23);
  });

  it('let mailboxes that could not be opened wait behind others of their account, and not of others', async () => {
    const openings = createOpenings(1);
    const first = ask(openings);
    const failed = ask(openings, never, { hasFailed: true });
    const fresh = ask(openings);
    const other = ask(openings, never, { account: 'two', hasFailed: true });
    const order: string[] = [];
    const note = async (name: string, one: { end?: () => void }) => {
      await turn();
      if (one.end) order.push(name);
      one.end?.();
    };
    await note('first', first);
    await note('other', other);
    await note('fresh', fresh);
    await note('failed', failed);
    expect(order).toEqual(['first', 'other', 'fresh', 'failed']);
  });

  it('remember nothing of one that was told to stop before it asked', async () => {
    const openings = createOpenings(1);
    const stopped = ask(openings, AbortSignal.abort());
    const next = ask(openings);
    await turn();
    expect(stopped.refused).toBeInstanceOf(Error);
    expect(begun([stopped, next])).toBe(1);
  });
});
