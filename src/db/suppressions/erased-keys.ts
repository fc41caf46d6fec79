/** Which of some keys belong to people who were erased. */
import { sql, type Kysely } from 'kysely';
import { tombstoneHash } from '../leads/lead-locks.ts';
import type { Database } from '../tables.ts';

/** `keys` are tombstone keys (`email:ann@x.de`, src/domain/leads/lead-keys.ts); returns the erased ones. */
export async function listErasedKeys(
  db: Kysely<Database>,
  userId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  return new Set((await findErasures(db, userId, keys)).keys());
}

/** When the people of these tombstone keys were erased, by key; others are absent. */
export async function findErasures(
  db: Kysely<Database>,
  userId: string,
  keys: readonly string[],
): Promise<Map<string, Date>> {
  if (keys.length === 0) return new Map();
  const byHash = new Map(keys.map((key) => [tombstoneHash(userId, key).toString('hex'), key]));
  const rows = await db
    .selectFrom('erasure_tombstones')
    .select(['key_hash', 'erased_at'])
    .where('user_id', '=', userId)
    .where(
      'key_hash',
      '=',
      // As one parameter: a statement has room for 65,535 only.
      sql<Buffer>`any(${[...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`,
    )
    .execute();
  return new Map(
    rows.map(({ key_hash, erased_at }) => [byHash.get(key_hash.toString('hex'))!, erased_at]),
  );
}
