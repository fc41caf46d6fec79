/** Since when each encryption key was the first of ENCRYPTION_KEYS. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** Notes that this key is the first one; the first time counts. Returns that time. */
export async function noteFirstKey(db: Kysely<Database>, keyId: string): Promise<Date> {
  await sql`insert into encryption_keys (key_id) values (${keyId}) on conflict do nothing`.execute(
    db,
  );
  return (await findFirstKeyTime(db, keyId))!;
}

/** Undefined: it was never noted. */
export async function findFirstKeyTime(
  db: Kysely<Database>,
  keyId: string,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('encryption_keys')
    .select('first_at')
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row?.first_at;
}
