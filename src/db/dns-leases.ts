/**
 * Turns at the DNS records of a domain. A registrar is asked between a look and a change, which
 * takes seconds: a row with an end instead of a lock, so that no transaction stays open meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** A holder renews its lease while it works, so only a dead one loses it. */
export const DNS_LEASE_SECONDS = 30;
/** A third of the lease, so that one lost renewal does no harm. */
const RENEW_MS = (DNS_LEASE_SECONDS * 1_000) / 3;
const POLL_MS = 100;

/** Whose turn it shall be. */
export interface DnsTurn {
  domainId: number;
  /** How long to wait for somebody else's turn to end. */
  waitMs: number;
  /** What is thrown when it did not end, or ours was taken over. */
  busy: () => Error;
}

/**
 * Runs `work` while nobody else changes the domain's records. It gets `assertMine`, to be called
 * right before each change: it throws where this process was stopped for so long that its turn is
 * over. A lease that ran out is taken over.
 */
export async function withDnsLease<T>(
  db: Kysely<Database>,
  turn: DnsTurn,
  work: (assertMine: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { domainId, busy } = turn;
  const owner = randomUUID();
  const deadline = Date.now() + turn.waitMs;
  while (!(await acquire(db, domainId, owner))) {
    if (Date.now() >= deadline) throw busy();
    await sleep(POLL_MS);
  }
  // A renewal that fails is not an error yet: `assertMine` decides.
  const renewal = setInterval(() => {
    renew(db, domainId, owner).catch(() => undefined);
  }, RENEW_MS);
  try {
    return await work(async () => {
      if (!(await renew(db, domainId, owner))) throw busy();
    });
  } finally {
    clearInterval(renewal);
    // The work is done: a row that stays only makes the next one wait for its end.
    await release(db, domainId, owner).catch(() => undefined);
  }
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${DNS_LEASE_SECONDS})`;

async function acquire(db: Kysely<Database>, domainId: number, owner: string): Promise<boolean> {
  const { rows } = await sql`
    insert into dns_leases as lease (domain_id, owner, expires_at)
    values (${domainId}, ${owner}, ${leaseEnd})
    on conflict (domain_id) do update
    set owner = excluded.owner, expires_at = excluded.expires_at
    where lease.expires_at <= now()
    returning 1`.execute(db);
  return rows.length > 0;
}

/** False when somebody else has taken over. */
async function renew(db: Kysely<Database>, domainId: number, owner: string): Promise<boolean> {
  const { rows } = await sql`
    update dns_leases set expires_at = ${leaseEnd}
    where domain_id = ${domainId} and owner = ${owner} returning 1`.execute(db);
  return rows.length > 0;
}

async function release(db: Kysely<Database>, domainId: number, owner: string): Promise<void> {
  await sql`delete from dns_leases where domain_id = ${domainId} and owner = ${owner}`.execute(db);
}
