/**
 * Leases on external resources: the DNS records of a domain, a mailbox on its host. The calls made under a
 * lease take seconds: a row with an expiry instead of a lock, so that no transaction stays open and no
 * connection is held.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** A holder renews its lease while it works, so only a dead holder loses it. */
export const LEASE_SECONDS = 30;
/** A third of the lease, so that one lost renewal does no harm. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
const POLL_MS = 100;

/** The lease name for the DNS records of a domain. */
export const domainRecords = (domainId: number) => `domain ${domainId}`;
/** The lease name for a domain that a mail host serves. */
export const domainOnHost = (domainId: number) => `mail domain ${domainId}`;
/** The lease name for a mailbox on its host. */
export const mailboxOnHost = (mailboxId: number) => `mailbox ${mailboxId}`;

/** A request for a lease. */
export interface LeaseRequest {
  /** The resource: `domainRecords`, `domainOnHost`, `mailboxOnHost`. */
  name: string;
  /** How long to wait for another holder's lease to end. */
  waitMs: number;
  /** The error thrown when the wait was too short, or our lease was taken over. */
  busy: () => Error;
  /** Fires when the work is left: it may never come to its end, and keeps the lease for no longer than a dead holder. */
  left?: AbortSignal | undefined;
  /** What the lease is renewed by, where the answers of the other one tell whether the work gets on. */
  renewBy?: Kysely<Database> | undefined;
}

/**
 * Runs `work` under the lease. It gets `assertMine`, to be called right before each change: it throws where
 * this process was stopped for so long that its lease has expired. An expired lease is taken over.
 */
export async function withLease<T>(
  db: Kysely<Database>,
  request: LeaseRequest,
  work: (assertMine: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { name, busy } = request;
  const owner = randomUUID();
  const deadline = Date.now() + request.waitMs;
  while (!(await acquire(db, name, owner))) {
    if (Date.now() >= deadline) throw busy();
    await sleep(POLL_MS);
  }
  const { left, renewBy } = request;
  return whileHeld(db, { name, owner, left, renewBy }, () =>
    work(async () => {
      if (!(await renew(db, name, owner))) throw busy();
    }),
  );
}

/** Runs `work` while renewing a lease that was just taken, and releases it. */
export async function whileHeld<T>(
  db: Kysely<Database>,
  {
    name,
    owner,
    left,
    renewBy = db,
  }: { name: string; owner: string } & Pick<LeaseRequest, 'left' | 'renewBy'>,
  work: () => Promise<T>,
): Promise<T> {
  // A renewal that fails is not an error yet: `assertMine` decides.
  const renewal = setInterval(() => {
    renew(renewBy, name, owner).catch(() => undefined);
  }, RENEW_MS);
  left?.addEventListener('abort', () => clearInterval(renewal), { once: true });
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // The work is done: a lease that was not released only makes the next holder wait for its expiry.
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

/** False when another holder has taken over. */
async function renew(db: Kysely<Database>, name: string, owner: string): Promise<boolean> {
  const { rows } = await sql`
    update leases set expires_at = ${leaseEnd}
    where name = ${name} and owner = ${owner} returning 1`.execute(db);
  return rows.length > 0;
}

async function release(db: Kysely<Database>, name: string, owner: string): Promise<void> {
  await sql`delete from leases where name = ${name} and owner = ${owner}`.execute(db);
}
