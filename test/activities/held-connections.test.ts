/** The connections that a worker holds are shared among its inboxes. */
import { describe, expect, it } from 'vitest';
import { createConnectionShares } from '../../activities/engine/held-connections.ts';

const MINUTE = 60_000;

describe('connections that a worker holds', () => {
  it('are as many as each wants while there is room', () => {
    const join = createConnectionShares();
    const [first, second] = [join(), join()];
    expect([first.most(40, 100), second.most(40, 100)]).toEqual([40, 40]);
  });

  it('are shared evenly by those that want more than their part', () => {
    let at = 0;
    const join = createConnectionShares({ now: () => at });
    const wants = [3, 40, 40, 10];
    const shares = wants.map(() => join());
    const most = () => shares.map((share, n) => share.most(wants[n]!, 54));
    most();
    // What the small ones do not want is for the large ones; the first has what is over.
    expect(most()).toEqual([3, 21, 20, 10]);
    shares[1]!.leave();
    // Whoever has left gets no more, and takes nothing from the others.
    expect(shares[1]!.most(40, 54)).toBe(0);
    expect(shares[2]!.most(40, 54)).toBe(20);
    at += MINUTE;
    expect([shares[0]!.most(3, 54), shares[2]!.most(40, 54)]).toEqual([3, 40]);
  });

  it('are all in use and never more, however many inboxes there are', () => {
    const join = createConnectionShares();
    for (const [inboxes, wanted] of [
      [501, 40],
      [1_001, 1],
      [2_000, 5],
    ] as const) {
      const shares = Array.from({ length: inboxes }, () => join());
      for (const share of shares) share.most(wanted, 1_000);
      const sum = shares.reduce((all, share) => all + share.most(wanted, 1_000), 0);
      expect(sum).toBe(1_000);
      for (const share of shares) share.leave();
    }
  });

  it('are given up at once, and taken again only after a minute: a session that is begun anew moves nobody', () => {
    let at = 0;
    const join = createConnectionShares({ now: () => at });
    const [first, second] = [join(), join()];
    first.most(40, 40);
    expect(second.most(40, 40)).toBe(20);
    expect(first.most(40, 40)).toBe(20);
    second.leave();
    expect(first.most(40, 40)).toBe(20);
    at += MINUTE / 2;
    const again = join();
    expect([again.most(40, 40), first.most(40, 40)]).toEqual([20, 20]);
    at += MINUTE / 2 + 1;
    expect(first.most(40, 40)).toBe(20);
    again.leave();
    first.most(40, 40);
    at += MINUTE;
    expect(first.most(40, 40)).toBe(40);
  });
});
