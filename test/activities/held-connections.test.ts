/** The connections that a worker holds are shared among its inboxes. */
import { describe, expect, it } from 'vitest';
import { createConnectionShares } from '../../activities/engine/held-connections.ts';

describe('connections that a worker holds', () => {
  it('are as many as each wants while there is room', () => {
    const join = createConnectionShares();
    const [first, second] = [join(), join()];
    expect([first.most(40, 100), second.most(40, 100)]).toEqual([40, 40]);
  });

  it('are shared evenly by those that want more than their part', () => {
    const join = createConnectionShares();
    const wants = [3, 40, 40, 10];
    const shares = wants.map(() => join());
    const most = () => shares.map((share, at) => share.most(wants[at]!, 53));
    // What the small ones do not want is for the large ones.
    most();
    expect(most()).toEqual([3, 20, 20, 10]);
    shares[1]!.leave();
    expect([shares[0]!.most(3, 53), shares[2]!.most(40, 53)]).toEqual([3, 40]);
  });

  it('are never more than all together, however many inboxes there are', () => {
    const join = createConnectionShares();
    const shares = Array.from({ length: 5_000 }, () => join());
    for (const share of shares) share.most(40, 1_000);
    const sum = shares.reduce((all, share) => all + share.most(40, 1_000), 0);
    expect(sum).toBeLessThanOrEqual(1_000);
  });

  it('follow what inboxes want: one that has fewer mailboxes leaves the rest to others', () => {
    const join = createConnectionShares();
    const [first, second] = [join(), join()];
    first.most(40, 40);
    expect(second.most(40, 40)).toBe(20);
    first.most(5, 40);
    expect(second.most(40, 40)).toBe(35);
  });
});
