/**
 * Slots of the built-in probe at mail providers, and pauses from them, shared by all processes.
 *
 * A slot is a lease, so that a dead process loses its own. A process that has to wait leaves a mark, and
 * while the mark is fresh no process enters without having waited: a long queue does not starve others.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { ProbePlaces } from '../../domain/email-validation/probe-places.ts';
import { LEASE_SECONDS, whileHeld } from '../leases.ts';
import type { Database } from '../tables.ts';

const POLL_MS = 100;
/** A process that has given up waiting soon stops blocking others. */
const MARK_POLLS = 5;

/** The first pause; each further one is twice as long. */
export const FIRST_REST_SECONDS = 3_600;
/** Blocklists that delist addresses automatically do so within days: a day later is soon enough. */
export const MAX_REST_SECONDS = 24 * 3_600;
/** After this long without a blocklist refusal the next pause is a first one. */
export const REST_MEMORY_SECONDS = 7 * 24 * 3_600;

export function createProbePlaces(db: Kysely<Database>): ProbePlaces {
  let entries = 0;
  return {
    async at(provider, { limit, signal, pollMs = POLL_MS }, work) {
      const owner = randomUUID();
      const entry = { provider, limit, owner, first: (entries += 1) % limit, pollMs };
      let entered = await enter(db, { ...entry, hasWaited: false });
      while (entered === 'full') {
        await sleep(pollMs, undefined, { signal });
        entered = await enter(db, { ...entry, hasWaited: true });
      }
      if (entered === 'resting') return 'resting';
      await whileHeld(db, { name: entered.place, owner }, work);
      return 'done';
    },
    async isResting(provider) {
      const { rows } = await sql`
        select 1 from probe_rests where provider = ${provider} and rests_until > now()`.execute(db);
      return rows.length > 0;
    },
    rest: (provider) => rest(db, provider),
  };
}

interface Entry {
  provider: string;
  limit: number;
  owner: string;
  /** Which slot is tried first: concurrent callers of one process try different ones. */
  first: number;
  hasWaited: boolean;
  pollMs: number;
}

/** Two concurrent callers may both find it full. */
async function enter(
  db: Kysely<Database>,
  { provider, limit, owner, first, hasWaited, pollMs }: Entry,
): Promise<{ place: string } | 'full' | 'resting'> {
  const waiting = `probe waiting ${provider}`;
  const { rows } = await sql<{ place: string | null; is_resting: boolean }>`
    with resting as (
      select 1 from probe_rests where provider = ${provider} and rests_until > now()),
    entered as (
      insert into leases as place (name, owner, expires_at)
      select free.name, ${owner}::uuid, now() + make_interval(secs => ${LEASE_SECONDS})
      from (select n, 'probe ' || n || ' ' || ${provider} as name
            from generate_series(1, ${limit}::int) as n) as free
      where not exists (select 1 from resting)
        and not exists (
          select 1 from leases as other where other.name = free.name and other.expires_at > now())
        and (${hasWaited} or not exists (
          select 1 from leases as mark where mark.name = ${waiting} and mark.expires_at > now()))
      order by (free.n + ${first}::int) % ${limit}::int
      limit 1
      on conflict (name) do update
      set owner = excluded.owner, expires_at = excluded.expires_at
      where place.expires_at <= now()
      returning name)
    select (select name from entered) as place, exists (select 1 from resting) as is_resting
    `.execute(db);
  const [{ place, is_resting: isResting } = { place: null, is_resting: false }] = rows;
  if (isResting) return 'resting';
  if (place !== null) return { place };
  await sql`
    insert into leases (name, owner, expires_at)
    values (${waiting}, ${owner}, now() + make_interval(secs => ${(pollMs * MARK_POLLS) / 1_000}))
    on conflict (name) do update
    set owner = excluded.owner, expires_at = excluded.expires_at`.execute(db);
  return 'full';
}

/** Concurrent reports count as one pause. */
async function rest(db: Kysely<Database>, provider: string): Promise<void> {
  const seconds = sql`least(${MAX_REST_SECONDS}::float8, ${FIRST_REST_SECONDS} * 2.0 ^ last.rests)`;
  await sql`
    insert into probe_rests as last (provider, rests, rests_until)
    values (${provider}, 1, now() + make_interval(secs => ${FIRST_REST_SECONDS}))
    on conflict (provider) do update
    set rests = case when ${isForgotten} then 1 else last.rests + 1 end,
      rests_until = now() + make_interval(
        secs => case when ${isForgotten} then ${FIRST_REST_SECONDS} else ${seconds} end)
    where last.rests_until <= now()`.execute(db);
}

const isForgotten = sql`
  (last.rests_until < now() - make_interval(secs => ${REST_MEMORY_SECONDS}))`;
