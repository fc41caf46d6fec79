/** The moment at which a shard changes its owner, as the rows of the leases show it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../../src/db/tables.ts';
import { SHARDS } from '../../src/domain/shards/shards.ts';

type Db = Kysely<Database>;

/** How long a start may take beside other work: what is measured is what becomes of the work. */
export const PATIENCE_MS = 240_000;
/** A session begins within a tenth of a second where days are short. */
const LOOK_MS = 20;
/** Of a transaction that waits for the next owner: shorter than the limit of a statement, which waits for it. */
const ROUND_MS = 15_000;

export interface ShardOwner {
  /** The key of its lease. */
  owner: string | null;
  /** `pid@host`. */
  process: string | null;
  isHeld: boolean;
}

export const ownerOf = (db: Db, shard: number): Promise<ShardOwner> =>
  db
    .selectFrom('shards')
    .leftJoin('shard_workers', 'shard_workers.id', 'shards.owner')
    .select(['owner', 'process', sql<boolean>`leased_until > clock_timestamp()`.as('isHeld')])
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow();

/** Resolves with the name of the process, as soon as another worker has taken the shard. */
export const nextOwner = (db: Db, shard: number, before: string | null): Promise<string> =>
  soon(`another owner of shard ${shard}`, PATIENCE_MS, async () => {
    const { owner, process, isHeld } = await ownerOf(db, shard);
    return owner !== null && owner !== before && isHeld ? (process ?? undefined) : undefined;
  });

/**
 * Calls `strike` while a worker whose connection was made after `since` is about to take the shard: it has asked, the
 * lease of before has ended, and only a lock of ours is between. Resolves once the lock is gone.
 */
export async function asNextOwnerTakes(
  db: Db,
  { shard, since, strike }: { shard: number; since: Date; strike: () => void | Promise<void> },
): Promise<void> {
  const look = (trx: Transaction<Database>) =>
    soon(`somebody who takes shard ${shard}`, ROUND_MS, async () => {
      const { isHeld } = await ownerOf(trx, shard);
      return (!isHeld && (await isTaking(trx, since))) || undefined;
    });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const hasStruck = await db.transaction().execute(async (trx) => {
      await sql`lock table shards in share mode`.execute(trx);
      const isFound = await look(trx).catch(() => false);
      if (isFound) await strike();
      return isFound;
    });
    if (hasStruck) return;
    if (Date.now() > deadline) throw new Error(`Nobody takes shard ${shard}`);
    // Who waited longer than its statement may asks again.
    await sleep(LOOK_MS);
  }
}

async function isTaking(db: Db, since: Date): Promise<boolean> {
  // A transaction sees the connections of its first look otherwise, and none that was made since.
  await sql`select pg_stat_clear_snapshot()`.execute(db);
  const { rows } = await sql`
    select from pg_locks as lock join pg_stat_activity as line using (pid)
    where lock.relation = 'shards'::regclass and not lock.granted and line.backend_start > ${since}`.execute(
    db,
  );
  return rows.length > 0;
}

/** By the clock of Postgres. */
export async function nowOf(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

/** Messages of the shard's campaigns that a worker has claimed, or whose texts are on their way. */
export async function countInFlight(db: Db, shard: number): Promise<number> {
  const { count } = await db
    .selectFrom('sends')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<boolean>`campaign_id % ${SHARDS}::int = ${shard}`)
    .where('state', 'in', ['claimed', 'sending'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Looks often, also while Postgres does not answer. */
export async function soon<Found>(
  what: string,
  limitMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const deadline = Date.now() + limitMs;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      const found = await look();
      if (found !== undefined) return found;
    } catch (error) {
      cause = error;
    }
    await sleep(LOOK_MS);
  }
  throw new Error(`${what} did not come within ${limitMs / 1_000} s`, { cause });
}
