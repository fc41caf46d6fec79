/**
 * How many connections of the pool the changes of one account may hold at once, so that those which wait for a
 * lock of the account (its leads, its inbox) leave some to others. Waiting for a place holds none. Choice 154.
 *
 * Why not p-queue for each account: how many an account may have depends on what the others have.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import { upstreamUnavailable } from '../../domain/errors.ts';
import { poolLimit } from '../database.ts';
import type { Database } from '../tables.ts';

/** As long as a statement may take: a request that waits any longer has lost its client. */
const LONGEST_WAIT_MS = 20_000;

interface Account {
  held: number;
  /** Those who wait, first come first. */
  waiting: (() => void)[];
}

/** Of one pool. */
interface Places {
  limit: number;
  held: number;
  accounts: Map<string, Account>;
}

const ofPools = new WeakMap<Kysely<Database>, Places>();
const within = new AsyncLocalStorage<true>();

/** Runs `work`, which takes one connection, as soon as the account may have one more. */
export async function inAccountPlace<T>(
  db: Kysely<Database>,
  userId: string,
  work: () => Promise<T>,
): Promise<T> {
  // Who has a place waits for no second one: all may be held by those who do so.
  if (within.getStore()) return work();
  const places = ofPools.get(db) ?? { limit: poolLimit(db), held: 0, accounts: new Map() };
  ofPools.set(db, places);
  const account = places.accounts.get(userId) ?? { held: 0, waiting: [] };
  places.accounts.set(userId, account);
  if (account.waiting.length === 0 && mayHold(places, account)) take(places, account);
  else await turnOf(account);
  try {
    return await within.run(true, work);
  } finally {
    account.held -= 1;
    places.held -= 1;
    giveOut(places);
  }
}

/** At most half of what the others leave, and always one. */
const mayHold = ({ limit, held }: Places, account: Account): boolean =>
  account.held < Math.max(1, Math.floor((limit - (held - account.held)) / 2));

function take(places: Places, account: Account): void {
  account.held += 1;
  places.held += 1;
}

/** Resolves with the place taken. */
function turnOf({ waiting }: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(upstreamUnavailable('Other changes of this account take long; repeat the request'));
    }, LONGEST_WAIT_MS);
    waiting.push(start);
  });
}

function giveOut(places: Places): void {
  for (const [userId, account] of places.accounts) {
    while (account.waiting.length > 0 && mayHold(places, account)) {
      take(places, account);
      account.waiting.shift()!();
    }
    if (account.held === 0 && account.waiting.length === 0) places.accounts.delete(userId);
  }
}
