/**
 * How many mailboxes of this process are opened at once: looked up, logged in to, read for the first time. Whoever
 * begins with thousands, after a start or when a host is back, would otherwise ask resolver, hosts and Postgres for all
 * of them in one moment, and fail by time-outs. Open ones mostly wait, and have no limit here.
 *
 * Accounts take turns, so that a thousand mailboxes of one, on a host that does not answer, hold up no other account.
 */

const AT_ONCE = 20;
const NEW = { open: 0, turn: 0 };

export interface Opening {
  account: string;
  /** It could not be opened the last time: others of its account go first. */
  hasFailed: boolean;
}

/** Resolves when it is one's turn, with what ends the turn; `signal` ends it, too, and the wait, by a rejection. */
export type Openings = (signal: AbortSignal, opening: Opening) => Promise<() => void>;

interface Account {
  open: number;
  /** Number of its latest turn; 0 before the first. */
  turn: number;
  /** Of those that wait, what begins their turns. */
  waiting: Set<() => void>;
  failed: Set<() => void>;
}

export function createOpenings(atOnce: number = AT_ONCE): Openings {
  const accounts = new Map<string, Account>();
  let places = atOnce;
  let turns = 0;

  const beginNext = (): void => {
    while (places > 0) {
      const account = nextOf(accounts.values());
      if (!account) return;
      const queue = account.waiting.size > 0 ? account.waiting : account.failed;
      const [begin] = queue;
      queue.delete(begin!);
      account.open += 1;
      account.turn = turns += 1;
      places -= 1;
      begin!();
    }
  };
  return (signal, { account: id, hasFailed }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const account = accounts.get(id) ?? { ...NEW, waiting: new Set(), failed: new Set() };
      accounts.set(id, account);
      const queue = hasFailed ? account.failed : account.waiting;
      const forget = () => {
        if (account.open + account.waiting.size + account.failed.size === 0) accounts.delete(id);
      };
      const end = () => {
        signal.removeEventListener('abort', end);
        if (isOver) return;
        isOver = true;
        account.open -= 1;
        places += 1;
        forget();
        beginNext();
      };
      let isOver = false;
      const refuse = () => {
        queue.delete(begin);
        forget();
        reject(signal.reason as Error);
      };
      const begin = () => {
        signal.removeEventListener('abort', refuse);
        signal.addEventListener('abort', end);
        resolve(end);
      };
      signal.addEventListener('abort', refuse, { once: true });
      queue.add(begin);
      beginNext();
    });
}

/** Of those with mailboxes that wait: who has the fewest open, and of these who had its latest turn first. */
function nextOf(accounts: Iterable<Account>): Account | undefined {
  let next: Account | undefined;
  for (const account of accounts) {
    if (account.waiting.size + account.failed.size === 0) continue;
    const isFirst =
      !next || account.open < next.open || (account.open === next.open && account.turn < next.turn);
    if (isFirst) next = account;
  }
  return next;
}

/** Of the process. */
export const openings = createOpenings();
