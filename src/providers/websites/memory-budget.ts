/**
 * A budget of bytes for the pages of all visits; a page without memory pauses its server. Our own
 * because p-queue counts all tasks alike, and knows neither weights nor an overdraft.
 */

/** What one page holds. */
export interface Holding {
  /** Asks for `bytes` more: true at once, or false, and `granted` is called when they are available. */
  grow(bytes: number, granted: () => void): boolean;
  release(): void;
}

export interface MemoryBudget {
  hold(): Holding;
  usedBytes(): number;
}

interface Account {
  bytes: number;
  released: boolean;
}

interface Wish {
  account: Account;
  bytes: number;
  granted: () => void;
}

/**
 * Pages that have begun come before new ones, and one of them may always exceed the budget: since each
 * page is bounded, one can always finish and there is no deadlock.
 */
export function createMemoryBudget(limitBytes: number): MemoryBudget {
  const begun: Wish[] = [];
  const fresh: Wish[] = [];
  let used = 0;
  let overdrawn: Account | undefined;

  const fits = ({ account, bytes }: Wish): boolean => {
    if (used + bytes <= limitBytes || overdrawn === account) return true;
    if (overdrawn !== undefined || account.bytes === 0) return false;
    overdrawn = account;
    return true;
  };
  const give = ({ account, bytes }: Wish): void => {
    account.bytes += bytes;
    used += bytes;
  };
  const serve = (queue: Wish[]): void => {
    while (queue.length > 0 && (queue[0]!.account.released || fits(queue[0]!))) {
      const wish = queue.shift()!;
      if (wish.account.released) continue;
      give(wish);
      wish.granted();
    }
  };
  return {
    usedBytes: () => used,
    hold() {
      const account: Account = { bytes: 0, released: false };
      return {
        grow(bytes, granted) {
          const queue = account.bytes > 0 ? begun : fresh;
          const wish = { account, bytes, granted };
          const mayPass = queue === begun || begun.length + fresh.length === 0;
          if (mayPass && fits(wish)) {
            give(wish);
            return true;
          }
          queue.push(wish);
          return false;
        },
        release() {
          if (account.released) return;
          account.released = true;
          used -= account.bytes;
          if (overdrawn === account) overdrawn = undefined;
          serve(begun);
          if (begun.length === 0) serve(fresh);
        },
      };
    },
  };
}
