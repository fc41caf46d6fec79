/**
 * How many connections to mailboxes each inbox of this process holds. A connection takes some 0.3 MB, so that a worker
 * with a hundred inboxes cannot hold as many of each as one with ten. Who wants few has all of them; the others share
 * the rest evenly, and those that came first have what is over.
 */

/** A part grows only where it would have been larger for so long: inboxes come and go, and each connection is a login. */
const GROWS_AFTER_MS = 60_000;

/** One inbox' part. */
export interface ConnectionShare {
  /** How many of the wanted ones it may hold now; `total` is what the process holds at most. */
  most(wanted: number, total: number): number;
  /** It holds none any more. */
  leave(): void;
}

interface Part {
  wanted: number;
  given: number;
  largerSince?: number | undefined;
}

export function createConnectionShares({ now = Date.now } = {}): () => ConnectionShare {
  const parts = new Map<ConnectionShare, Part>();
  let known: { total: number; fair: Map<Part, number> } | undefined;

  return () => {
    let hasLeft = false;
    const share: ConnectionShare = {
      most(wanted, total) {
        if (hasLeft) return 0;
        const isNew = !parts.has(share);
        const part = parts.get(share) ?? { wanted, given: 0 };
        if (isNew || part.wanted !== wanted || known?.total !== total) known = undefined;
        part.wanted = wanted;
        parts.set(share, part);
        known ??= { total, fair: fairParts([...parts.values()], total) };
        const fair = known.fair.get(part)!;
        if (fair <= part.given) part.largerSince = undefined;
        else part.largerSince ??= now();
        const mayGrow = isNew || now() - (part.largerSince ?? now()) >= GROWS_AFTER_MS;
        if (fair < part.given || mayGrow) {
          part.given = fair;
          part.largerSince = undefined;
        }
        return Math.min(wanted, part.given);
      },
      leave() {
        hasLeft = true;
        parts.delete(share);
        known = undefined;
      },
    };
    return share;
  };
}

/** All together have no more than `total`. */
function fairParts(parts: readonly Part[], total: number): Map<Part, number> {
  const fair = new Map<Part, number>();
  let left = total;
  let others = parts.length;
  for (const part of parts.toSorted((a, b) => a.wanted - b.wanted)) {
    if (part.wanted * others > left) break;
    fair.set(part, part.wanted);
    left -= part.wanted;
    others -= 1;
  }
  const even = Math.floor(left / others);
  let over = left % others;
  for (const part of parts) {
    if (fair.has(part)) continue;
    fair.set(part, over > 0 ? even + 1 : even);
    over -= 1;
  }
  return fair;
}

/** Of the process. */
export const joinConnections = createConnectionShares();
