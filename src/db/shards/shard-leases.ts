/** Which worker has which shard: leases by the clock of Postgres, since workers' clocks differ. */
import { hostname } from 'node:os';
import { sql, type Kysely } from 'kysely';
import { fairShare, type StandingWork } from '../../domain/shards/shards.ts';
import type { Database } from '../tables.ts';

/** A worker that has not renewed its leases for so long has lost them. */
export const LEASE_SECONDS = 15;

/** As Temporal's SDK names the process, so that an operator finds it by one name in both. */
export const PROCESS_NAME = `${process.pid}@${hostname()}`;

/** The shards of a worker: those that it has had without a gap, and those that others may have had meanwhile. */
export interface Leases {
  kept: number[];
  taken: number[];
  /** To be given up as soon as no session is left there: begin nothing in them. */
  leaving: number[];
}

/**
 * Renews the worker's leases, takes free shards up to its fair share, and gives up what is beyond it.
 * Safe to repeat. `keep` are shards that it
 * has: one that it holds without knowing is given back first. Of those beyond its share it keeps the `busy` ones until
 * their sessions have ended: what another worker finds there would have to count as uncertain. It gives up only what
 * it `mayGiveUp`, where it has begun nothing since it was asked what is busy; the others are `leaving` until the next
 * time. `atWork` are the jobs that it has a session for, which do not wait for a worker.
 */
export async function renewLeases(
  db: Kysely<Database>,
  worker: string,
  {
    keep,
    busy = new Set(),
    mayGiveUp = new Set(keep),
    atWork = [],
  }: {
    keep: readonly number[];
    busy?: ReadonlySet<number>;
    mayGiveUp?: ReadonlySet<number>;
    atWork?: readonly number[];
  },
): Promise<Leases> {
  return db.transaction().execute(async (trx) => {
    await sql`
      insert into shard_workers (id, process, seen_at, at_work)
      values (${worker}, ${PROCESS_NAME}, clock_timestamp(), ${[...atWork]}::bigint[])
      on conflict (id) do update
        set seen_at = excluded.seen_at, at_work = excluded.at_work`.execute(trx);
    const { rows: alive } = await sql<{ count: number }>`
      select count(*)::int as count from shard_workers
      where seen_at > clock_timestamp() - make_interval(secs => ${LEASE_SECONDS})`.execute(trx);
    const share = fairShare(alive[0]!.count);
    const leaving = keep.slice(share).filter((shard) => busy.has(shard) || !mayGiveUp.has(shard));
    const wanted = [...keep.slice(0, share), ...leaving];
    const until = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;
    const { rows: kept } = await sql<{ shard: number }>`
      update shards set leased_until = ${until}
      where owner = ${worker} and shard = any (${wanted}::smallint[])
        and leased_until > clock_timestamp()
      returning shard`.execute(trx);
    const own = kept.map(({ shard }) => shard);
    await sql`
      update shards set owner = null, leased_until = '-infinity'
      where owner = ${worker} and not shard = any (${own}::smallint[])`.execute(trx);
    const { rows: taken } = await sql<{ shard: number }>`
      update shards set owner = ${worker}, leased_until = ${until}
      where shard in (
        select shard from shards where leased_until <= clock_timestamp()
        order by random() limit ${Math.max(0, share - own.length)} for update skip locked)
      returning shard`.execute(trx);
    const isLeaving = (shard: number) => leaving.includes(shard);
    return {
      kept: own.filter((shard) => !isLeaving(shard)),
      taken: taken.map(({ shard }) => shard),
      leaving: own.filter(isLeaving),
    };
  });
}

/** Gives everything back: others take it at their next look. */
export async function endLeases(db: Kysely<Database>, worker: string): Promise<void> {
  await sql`
    update shards set owner = null, leased_until = '-infinity' where owner = ${worker}`.execute(db);
  await sql`
    delete from shard_workers
    where id = ${worker} or seen_at < clock_timestamp() - interval '1 day'`.execute(db);
}

/** Takes or renews the lease of standing work; false where another worker has it. */
export async function holdStanding(
  db: Kysely<Database>,
  { name, worker }: { name: StandingWork; worker: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into standing_leases as lease (name, owner, process, leased_until)
    values (${name}, ${worker}, ${PROCESS_NAME},
      clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (name) do update
      set owner = excluded.owner, process = excluded.process, leased_until = excluded.leased_until
      where lease.owner = excluded.owner or lease.leased_until <= clock_timestamp()
    returning name`.execute(db);
  return rows.length > 0;
}

/** Gives it back: another worker takes it at its next look. */
export async function endStanding(
  db: Kysely<Database>,
  { name, worker }: { name: StandingWork; worker: string },
): Promise<void> {
  await db
    .deleteFrom('standing_leases')
    .where('name', '=', name)
    .where('owner', '=', worker)
    .execute();
}
