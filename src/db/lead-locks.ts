/** Who waits for whom when the leads of an account are changed, and what an erased person leaves. */
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/**
 * Waits for the imports of the account that are under way, and makes later ones wait until the
 * transaction ends: they see what it writes. For suppressions and erasures, which must not miss a
 * lead that is just being stored. Take it before rows of the account's leads are locked. The number:
 * migrations/0036-address-verdicts.ts.
 */
export async function lockAccountLeads(trx: Kysely<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6001))`.execute(trx);
}

/**
 * `erasure_tombstones.key_hash` of one of `tombstoneKeys` (src/domain/lead-keys.ts), `email:ann@x.de`.
 * The statement of the import computes the same.
 */
export const tombstoneHash = (userId: string, tombstoneKey: string): Buffer =>
  createHash('sha256').update(`${userId}:${tombstoneKey}`).digest();
