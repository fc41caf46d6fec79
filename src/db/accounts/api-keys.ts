/** API keys and their secrets' hashes; a key keeps its id through every rotation. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { ApiKeysTable } from './account-tables.ts';
import type { Database } from '../tables.ts';

/** A key with the visible ends of its current secret. */
export type ApiKeyRow = Selectable<ApiKeysTable> & { prefix: string; last4: string };

export interface NewSecret {
  hash: Buffer;
  prefix: string;
  last4: string;
}

const withSecret = (db: Kysely<Database>) =>
  db
    .selectFrom('api_keys')
    .innerJoin('api_key_secrets as secret', (join) =>
      join.onRef('secret.key_id', '=', 'api_keys.id').on('secret.expires_at', 'is', null),
    )
    .selectAll('api_keys')
    .select(['secret.prefix', 'secret.last4']);

export const findApiKey = (
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<ApiKeyRow | undefined> =>
  withSecret(db)
    .where('api_keys.id', '=', id)
    .where('api_keys.user_id', '=', userId)
    .executeTakeFirst();

/** Newest first. */
export async function listApiKeys(
  db: Kysely<Database>,
  userId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const rows = await withSecret(db)
    .where('api_keys.user_id', '=', userId)
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, total: await countApiKeys(db, userId) };
}

export async function countApiKeys(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Serializes changes to a user's set of keys, so that their number can be limited. */
export async function lockUser(trx: Transaction<Database>, userId: string): Promise<void> {
  await trx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function insertApiKey(
  trx: Transaction<Database>,
  key: {
    id: string;
    userId: string;
    name: string;
    ipWhitelist: string[];
    scopes: string[];
    expiresAt: Date | null;
  },
  secret: NewSecret,
): Promise<void> {
  await trx
    .insertInto('api_keys')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      ip_whitelist: key.ipWhitelist,
      scopes: key.scopes,
      expires_at: key.expiresAt,
    })
    .execute();
  await insertSecret(trx, key.id, secret);
}

/**
 * Gives the key a new secret. The current one works for `graceSeconds` more; older ones keep
 * their own expiry. Returns when the secret that was current stops working.
 */
export async function replaceSecret(
  trx: Transaction<Database>,
  keyId: string,
  secret: NewSecret,
  graceSeconds: number,
): Promise<Date> {
  const previous = await trx
    .updateTable('api_key_secrets')
    .set({ expires_at: sql<Date>`now() + make_interval(secs => ${graceSeconds})` })
    .where('key_id', '=', keyId)
    .where('expires_at', 'is', null)
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  await trx
    .deleteFrom('api_key_secrets')
    .where('key_id', '=', keyId)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute();
  await insertSecret(trx, keyId, secret);
  return previous.expires_at!;
}

const insertSecret = (trx: Transaction<Database>, keyId: string, secret: NewSecret) =>
  trx
    .insertInto('api_key_secrets')
    .values({ key_id: keyId, ...secret })
    .execute();

export async function updateApiKey(
  db: Kysely<Database>,
  userId: string,
  id: string,
  changes: { name?: string; ip_whitelist?: string[]; scopes?: string[]; expires_at?: Date | null },
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await db
    .updateTable('api_keys')
    .set(changes)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute();
}

/** True when there was such a key. Its secrets go with it. */
export async function deleteApiKey(
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Records that the key was used, unless another process did within the minute. */
export async function touchApiKey(db: Kysely<Database>, id: string): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${id}
      and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(db);
}
