/** Mailboxes of a process are opened a few at a time, however many there are. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOpenings } from '../../activities/inbox/openings.ts';

const never = new AbortController().signal;

/** Asks for a turn; `end` is there once it has begun. */
function ask(openings: ReturnType<typeof createOpenings>, signal = never) {
  const asked: { end?: () => void; refused?: unknown } = {};
  openings(signal).then(
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
});
