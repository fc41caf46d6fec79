/**
 * How many connections to mailboxes each inbox of this process holds. A connection takes some 0.3 MB, so that a worker
 * with a hundred inboxes cannot hold as many of each as one with ten. Who wants few has all of them; the others share
 * the rest evenly.
 */

/** One inbox' part. */
export interface ConnectionShare {
  /** How many of the wanted ones it may hold now; `total` is what the process holds at most. */
  most(wanted: number, total: number): number;
  /** It holds none any more. */
  leave(): void;
}

export function createConnectionShares(): () => ConnectionShare {
  const wants = new Map<ConnectionShare, number>();
  let known: { total: number; level: number } | undefined;

  return () => {
    const share: ConnectionShare = {
      most(wanted, total) {
        if (wants.get(share) !== wanted || known?.total !== total) known = undefined;
        wants.set(share, wanted);
        known ??= { total, level: levelOf([...wants.values()], total) };
        return Math.min(wanted, known.level);
      },
      leave() {
        wants.delete(share);
        known = undefined;
      },
    };
    return share;
  };
}

/** The most that one may have, so that all together have no more than `total`. */
function levelOf(wants: readonly number[], total: number): number {
  let left = total;
  let others = wants.length;
  for (const wanted of wants.toSorted((a, b) => a - b)) {
    if (wanted * others > left) return Math.floor(left / others);
    left -= wanted;
    others -= 1;
  }
  return Infinity;
}

/** Of the process. */
export const joinConnections = createConnectionShares();
