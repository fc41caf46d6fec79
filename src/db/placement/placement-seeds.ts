/** Seed mailboxes of accounts, and their logins. Choice 123. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import type { MailServer, MailServers } from '../../domain/mailboxes/mail-servers.ts';
import type { SeedOrder, SeedProvider } from '../../domain/placement/placement.ts';
import type { MailboxLogin } from '../mailboxes/mailbox-access.ts';
import type { Database } from '../tables.ts';
import type { PlacementSeedsTable } from './placement-tables.ts';

/** Without its password. */
export type PlacementSeed = Omit<Selectable<PlacementSeedsTable>, 'password'>;

const COLUMNS = [
  'id',
  'user_id',
  'address',
  'provider',
  'username',
  'imap',
  'checked_at',
  'error_code',
  'error_message',
  'created_at',
  'updated_at',
] as const;

/** What its sealed password is bound to. */
export const seedPasswordBinding = (seedId: number) => `placement-seed:${seedId}:password`;

/** Undefined where the account has that address as a seed. */
export async function insertSeed(
  trx: Transaction<Database>,
  { cipher, userId }: { cipher: Cipher; userId: string },
  { address, provider, username, imap, password }: SeedOrder,
): Promise<PlacementSeed | undefined> {
  const row = await trx
    .insertInto('placement_seeds')
    .values({
      user_id: userId,
      address,
      provider,
      username,
      imap: JSON.stringify(imap),
      password: Buffer.alloc(0),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row && updateSeed(trx, { cipher, id: row.id }, { password });
}

export interface SeedChange {
  provider?: SeedProvider | undefined;
  username?: string | undefined;
  imap?: MailServer | undefined;
  password?: string | undefined;
}

/** What its last login has shown goes with a change. */
export const updateSeed = (
  trx: Transaction<Database>,
  { cipher, id }: { cipher: Cipher; id: number },
  { provider, username, imap, password }: SeedChange,
): Promise<PlacementSeed> =>
  trx
    .updateTable('placement_seeds')
    .set({
      ...(provider !== undefined && { provider }),
      ...(username !== undefined && { username }),
      ...(imap !== undefined && { imap: JSON.stringify(imap) }),
      ...(password !== undefined && { password: cipher.seal(password, seedPasswordBinding(id)) }),
      checked_at: null,
      error_code: null,
      error_message: null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

export const findUserSeed = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<PlacementSeed | undefined> => ofUser(db, userId).where('id', '=', id).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockUserSeed = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<PlacementSeed | undefined> =>
  ofUser(trx, userId).where('id', '=', id).forUpdate().executeTakeFirst();

/** All, or those of `ids`, by id. */
export const listSeeds = (
  db: Kysely<Database>,
  userId: string,
  ids?: readonly number[],
): Promise<PlacementSeed[]> => {
  const query = ofUser(db, userId).orderBy('id');
  return (ids === undefined ? query : query.where('id', 'in', [...ids])).execute();
};

/** Messages to it that are still looked for fail. */
export const deleteSeed = (trx: Transaction<Database>, id: number) =>
  trx.deleteFrom('placement_seeds').where('id', '=', id).execute();

export interface SeedLogin {
  seedId: number;
  provider: SeedProvider;
  access: MailboxLogin & { servers: MailServers };
  /** When it was last logged in to, or could not be; null: not since it was changed. */
  checkedAt: Date | null;
  /** What its last login has shown; null: it worked. */
  trouble: { code: string; message: string } | null;
}

/** The logins of these seeds; those that were deleted are left out. */
export async function listSeedLogins(
  { db, cipher }: { db: Kysely<Database>; cipher: Cipher },
  ids: readonly number[],
): Promise<SeedLogin[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('placement_seeds')
    .select(['id', 'address', 'provider', 'username', 'imap', 'password'])
    .select(['checked_at', 'error_code', 'error_message'])
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ id, address: email, provider, username, imap, ...row }) => ({
    seedId: id,
    provider,
    access: {
      host: imap.host,
      email,
      password: cipher.open(row.password, seedPasswordBinding(id)),
      // It is read alone.
      servers: { username, smtp: imap, imap },
    },
    checkedAt: row.checked_at,
    trouble:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  }));
}

/** What a login has shown, unless the seed was changed since. */
export async function noteSeedLogin(
  db: Kysely<Database>,
  seedId: number,
  at: Date,
  error: { code: string; message: string } | null,
): Promise<void> {
  await sql`
    update placement_seeds set checked_at = ${at}, error_code = ${error?.code ?? null},
      error_message = ${error?.message ?? null}
    where id = ${seedId} and updated_at <= ${at}`.execute(db);
}

const ofUser = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('placement_seeds').select(COLUMNS).where('user_id', '=', userId);
