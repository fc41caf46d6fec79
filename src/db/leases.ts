/**
 * Turns at a thing outside: the DNS records of a domain, a mailbox on its host. Others are asked
 * meanwhile, which takes seconds: a row with an end instead of a lock, so that no transaction stays
 * open and no connection is held.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** A holder renews its lease while it works, so only a dead one loses it. */
export const LEASE_SECONDS = 30;
/** A third of the lease, so that one lost renewal does no harm. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
const POLL_MS = 100;

/** The name of turns at the DNS records of a domain. */
export const domainRecords = (domainId: number) => `domain ${domainId}`;
/** The name of turns at a domain that a mail host serves. */
export const domainOnHost = (domainId: number) => `mail domain ${domainId}`;
/** The name of turns at a mailbox on its host. */
export const mailboxOnHost = (mailboxId: number) => `mailbox ${mailboxId}`;

/** Whose turn it shall be. */
export interface Turn {
  /** What it is a turn at: `domainRecords`, `domainOnHost`, `mailboxOnHost`. */
  name: string;
  /** How long to wait for somebody else's turn to end. */
  waitMs: number;
  /** What is thrown when it did not end, or ours was taken over. */
  busy: () => Error;
}

/**
 * Runs `work` while nobody else is at the thing. It gets `assertMine`, to be called
 * right before each change: it throws where this process was stopped for so long that its turn is
 * over. A lease that ran out is taken over.
 */
export async function withLease<T>(
  db: Kysely<Database>,
  turn: Turn,
  work: (assertMine: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { name, busy } = turn;
  const owner = randomUUID();
  const deadline = Date.now() + turn.waitMs;
  while (!(await acquire(db, name, owner))) {
    if (Date.now() >= deadline) throw busy();
    await sleep(POLL_MS);
  }
  return whileHeld(db, { name, owner }, () =>
    work(async () => {
      if (!(await renew(db, name, owner))) throw busy();
    }),
  );
}

/** Runs `work` while a lease that was just taken is kept, and gives it back. */
export async function whileHeld<T>(
  db: Kysely<Database>,
  { name, owner }: { name: string; owner: string },
  work: () => Promise<T>,
): Promise<T> {
  // A renewal that fails is not an error yet: `assertMine` decides.
  const renewal = setInterval(() => {
    renew(db, name, owner).catch(() => undefined);
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // The work is done: a row that stays only makes the next one wait for its end.
    await release(db, name, owner).catch(() => undefined);
  }
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`;

async function acquire(db: Kysely<Database>, name: string, owner: string): Promise<boolean> {
  const { rows } = await sql`
    insert into leases as lease (name, owner, expires_at)
    values (${name}, ${owner}, ${leaseEnd})
    on conflict (name) do update
    set owner = excluded.owner, expires_at = excluded.expires_at
    where lease.expires_at <= now()
    returning 1`.execute(db);
  return rows.length > 0;
}

/** False when somebody else has taken over. */
async function renew(db: Kysely<Database>, name: string, owner: string): Promise<boolean> {
  const { rows } = await sql`
    update leases set expires_at = ${leaseEnd}
    where name = ${name} and owner = ${owner} returning 1`.execute(db);
  return rows.length > 0;
}

async function release(db: Kysely<Database>, name: string, owner: string): Promise<void> {
  await sql`delete from leases where name = ${name} and owner = ${owner}`.execute(db);
}
