/** Nonces (RFC 8555, 6.5). They are in memory alone: like real authorities, this one forgets them at a restart. */
import { randomBytes } from 'node:crypto';

/** Every so many-th good one is refused all the same, as pebble does: clients have to try again. */
const REFUSED_EVERY = 6;
const MAX_KEPT = 10_000;

export interface Nonces {
  fresh(): string;
  /** Whether it is good; it is no more, from then on. `isSpared`: good ones are taken, whichever it is. */
  use(nonce: unknown, isSpared: boolean): boolean;
}

export function createNonces(): Nonces {
  const unused = new Set<string>();
  let used = 0;
  return {
    fresh() {
      const nonce = randomBytes(16).toString('base64url');
      unused.add(nonce);
      const [oldest] = unused;
      if (unused.size > MAX_KEPT) unused.delete(oldest!);
      return nonce;
    },
    use(nonce, isSpared) {
      if (typeof nonce !== 'string' || !unused.delete(nonce)) return false;
      if (isSpared) return true;
      used += 1;
      return used % REFUSED_EVERY !== 0;
    },
  };
}
