/** Locks for changes of an account's leads, and the hash that an erased person leaves. */
import { createHash } from 'node:crypto';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Waits for running imports of the account, and makes later ones wait until the transaction ends, so that
 * they see what it writes. For all code that matches, moves or removes leads. Take it before rows of the
 * account's leads are locked, and never for actions of a recipient (unsubscribing, bouncing, complaining):
 * these must not wait for an import (`recheckLeads` makes both consistent). The number:
 * migrations/0043-list-deletions.ts.
 */
export async function lockAccountLeads(trx: Kysely<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6001))`.execute(trx);
}

/** Suppressions committed so far are visible to the statements after this one: `since` of `recheckLeads`. */
export async function suppressionsKnown(trx: Transaction<Database>): Promise<string> {
  const { rows } = await sql<{ since: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as since`.execute(trx);
  return rows[0]!.since;
}

/**
 * For leads that the transaction stores as not suppressed: at its commit, those whose address was suppressed
 * after `since` become suppressed. A transaction that writes a suppression likewise checks at its commit for
 * leads that were stored meanwhile. The two checks exclude each other (lock 6003, held during commits only),
 * so the later one sees what the other has written, and neither waits for the other's work. Imports do the
 * same.
 */
export async function recheckLeads(
  trx: Transaction<Database>,
  { userId, leadIds, since }: { userId: string; leadIds: readonly number[]; since: string },
): Promise<void> {
  await trx
    .insertInto('suppression_rechecks')
    .values({ user_id: userId, since, lead_ids: [...leadIds] })
    .execute();
}

/** Waits for suppressions that are being committed; the next statement sees them. */
export async function awaitSuppressions(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6003))`.execute(trx);
}

/**
 * `erasure_tombstones.key_hash` of one of `tombstoneKeys` (src/domain/leads/lead-keys.ts), `email:ann@x.de`.
 * The import's statement computes the same hash.
 */
export const tombstoneHash = (userId: string, tombstoneKey: string): Buffer =>
  createHash('sha256').update(`${userId}:${tombstoneKey}`).digest();

/**
 * Locks the recipients of these leads, or of those that a query finds, in all campaigns until the transaction ends. Callers that change or
 * remove leads take these locks before those of the leads, in the order of all writers of recipients, which
 * limits deadlocks.
 */
export async function lockRecipientsOfLeads(
  trx: Transaction<Database>,
  leads: readonly number[] | RawBuilder<unknown>,
): Promise<void> {
  const ids = 'isRawBuilder' in leads ? sql`array(${leads})` : sql`${[...leads]}::bigint[]`;
  await sql`select from recipients where lead_id = any (${ids})
    order by campaign_id, lead_id for no key update`.execute(trx);
}
