/** The rows behind `Idempotency-Key`: which process handles a request, and the stored response. */
import { sql, type Kysely } from 'kysely';
import type {
  Claim,
  IdempotencyKeyId,
  IdempotencyStore,
} from '../../domain/accounts/http-stores.ts';
import { carryOut, currentRequest, ours } from './request-effects.ts';
import type { Database } from '../tables.ts';

/** A holder renews its lease while it works, so only a dead holder loses it. */
export const LEASE_SECONDS = 30;
/** Choice 51: answers are kept for a day. */
const KEEP_HOURS = 24;

export function createIdempotencyStore(db: Kysely<Database>): IdempotencyStore {
  const lease = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`;
  return {
    async claim(id, bodyHash, holder) {
      const { rows } = await sql<{ sealed_effect: Buffer | null }>`
        insert into idempotency_keys as k
          (user_id, route, key, body_hash, holder, lease_until, expires_at)
        values (${id.userId}, ${id.route}, ${id.key}, ${bodyHash}, ${holder}, ${lease},
          now() + make_interval(hours => ${KEEP_HOURS}))
        on conflict (user_id, route, key) do update
        set body_hash = excluded.body_hash, holder = excluded.holder, status = null,
          sealed_answer = null, lease_until = excluded.lease_until,
          sealed_effect = case when k.expires_at <= now() then null else k.sealed_effect end,
          is_audited = k.expires_at > now() and k.is_audited,
          is_forgotten = k.expires_at > now() and k.is_forgotten,
          expires_at = excluded.expires_at, created_at = now()
        where k.expires_at <= now()
          or (k.status is null and k.lease_until <= now() and k.body_hash = excluded.body_hash)
        returning sealed_effect`.execute(db);
      const [row] = rows;
      if (!row) return readClaim(db, id, bodyHash);
      return { state: 'ours', sealedEffect: row.sealed_effect };
    },
    async renew(id, holder) {
      await sql`update idempotency_keys set lease_until = ${lease}
        where ${ours(id, holder)}`.execute(db);
    },
    async keep(id, holder, answer) {
      await sql`update idempotency_keys
        set status = ${answer.status}, sealed_effect = null,
          sealed_answer = case when is_forgotten then null else ${answer.sealed}::bytea end
        where ${ours(id, holder)}`.execute(db);
    },
    async release(id, holder) {
      // Waits for an effect that is being committed, and then keeps the row.
      await sql`delete from idempotency_keys
        where ${ours(id, holder)} and sealed_effect is null`.execute(db);
      await sql`update idempotency_keys set lease_until = now()
        where ${ours(id, holder)}`.execute(db);
    },
    carryOut,
  };
}

/**
 * Deletes every stored answer and effect of the user, whatever its route: each may contain an erased person. The
 * keys of requests that were carried out stay, so that a repeat is refused and has no second effect. Requests
 * that are running keep no answer, but for the one that asks for the erasure, whose answer contains nobody.
 */
export async function forgetAnswers(db: Kysely<Database>, userId: string): Promise<void> {
  const own = currentRequest();
  const others = sql`user_id = ${userId}
    and (route, key) is distinct from (${own?.route ?? null}::text, ${own?.key ?? null}::text)`;
  // A refusal was no effect: its repeat is refused anew.
  await sql`delete from idempotency_keys where ${others} and status >= 300`.execute(db);
  // What has committed its effect counts as answered: nobody may take it over and do it again.
  await sql`update idempotency_keys
    set is_forgotten = true, sealed_answer = null, sealed_effect = null,
      status = case when sealed_effect is null then status else coalesce(status, 200) end
    where ${others}`.execute(db);
}

async function readClaim(
  db: Kysely<Database>,
  id: IdempotencyKeyId,
  bodyHash: Buffer,
): Promise<Claim> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'sealed_answer'])
    .where('user_id', '=', id.userId)
    .where('route', '=', id.route)
    .where('key', '=', id.key)
    .executeTakeFirst();
  // Deleted between the two statements: its holder gave up, the next claim decides.
  if (!row) return { state: 'running' };
  if (!row.body_hash.equals(bodyHash)) return { state: 'other_body' };
  if (row.status === null) return { state: 'running' };
  if (row.sealed_answer === null) return { state: 'forgotten' };
  return { state: 'kept', answer: { status: row.status, sealed: row.sealed_answer } };
}
