/** Who waits for whom when the leads of an account are changed, and what an erased person leaves. */
import { createHash } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Waits for the imports of the account that are under way, and makes later ones wait until the
 * transaction ends: they see what it writes. For whoever matches, moves or removes leads. Take it
 * before rows of the account's leads are locked, and never for what a recipient does (unsubscribing,
 * bouncing, complaining): these must not wait for an import (`recheckLeads` is how both fit together).
 * The number: migrations/0043-list-deletions.ts.
 */
export async function lockAccountLeads(trx: Kysely<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6001))`.execute(trx);
}

/** What is suppressed by now is seen by the statements after this one: `since` of `recheckLeads`. */
export async function suppressionsKnown(trx: Transaction<Database>): Promise<string> {
  const { rows } = await sql<{ since: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as since`.execute(trx);
  return rows[0]!.since;
}

/**
 * Of leads that the transaction takes to be free: as it commits, those whose address was suppressed
 * after `since` are suppressed. Who writes a suppression looks as it commits for leads that were stored
 * meanwhile. Both looks exclude each other (lock 6003, held during commits alone), so the later one
 * sees what the other has written, and neither waits for the other's work. Imports do the same.
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
 * The statement of the import computes the same.
 */
export const tombstoneHash = (userId: string, tombstoneKey: string): Buffer =>
  createHash('sha256').update(`${userId}:${tombstoneKey}`).digest();

/**
 * Locks the recipients of these leads, of all campaigns, until the transaction ends. Whoever changes or removes leads takes these before the
 * leads, in the order of all who write to recipients: two of them wait for each other no more than once.
 */
export async function lockRecipientsOfLeads(
  trx: Transaction<Database>,
  leadIds: readonly number[],
): Promise<void> {
  await sql`select from recipients where lead_id = any (${[...leadIds]}::bigint[])
    order by campaign_id, lead_id for no key update`.execute(trx);
}
