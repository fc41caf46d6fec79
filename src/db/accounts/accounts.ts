/** Users: they exist by the `userId` claim of a JWT and are never registered here. */
import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { ApiKeysTable, ApiKeySecretsTable } from './api-keys.ts';
import type { Database } from '../tables.ts';

export interface AccountTables {
  users: UsersTable;
  api_keys: ApiKeysTable;
  api_key_secrets: ApiKeySecretsTable;
}

export interface UsersTable {
  user_id: string;
  email: string;
  name: string | null;
  /** What recipients read as the sender; starts as the JWT's `name`. */
  sender_name: string | null;
  postal_address: string | null;
  timezone: Generated<string>;
  created_at: Generated<Date>;
}

export type UserRow = Selectable<UsersTable>;

/** Makes the user at first sight and follows a changed address or name, in one statement. */
export async function seeUser(
  db: Kysely<Database>,
  user: { userId: string; email: string; name: string | null },
): Promise<void> {
  await db
    .insertInto('users')
    .values({ user_id: user.userId, email: user.email, name: user.name, sender_name: user.name })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ email: user.email, name: user.name })
        .where((eb) =>
          eb.or([
            eb('users.email', '!=', user.email),
            eb('users.name', 'is distinct from', user.name),
          ]),
        ),
    )
    .execute();
}

export const findUser = (db: Kysely<Database>, userId: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** The user, who stays as they are until the transaction ends. */
export const holdUser = (
  trx: Transaction<Database>,
  userId: string,
): Promise<UserRow | undefined> =>
  trx.selectFrom('users').selectAll().where('user_id', '=', userId).forShare().executeTakeFirst();

/** What messages cannot go without and the account does not have. CAN-SPAM; choice 56. */
export const missingSenderFields = (
  user: Pick<UserRow, 'sender_name' | 'postal_address'> | undefined,
): ('senderName' | 'postalAddress')[] => [
  ...(user?.sender_name?.trim() ? [] : ['senderName' as const]),
  ...(user?.postal_address?.trim() ? [] : ['postalAddress' as const]),
];

/** Changes what the user may change about the account; undefined fields stay. */
export const updateUser = (
  db: Kysely<Database>,
  userId: string,
  changes: {
    sender_name?: string | null;
    postal_address?: string | null;
    timezone?: string;
  },
): Promise<UserRow | undefined> =>
  Object.keys(changes).length === 0
    ? findUser(db, userId)
    : db
        .updateTable('users')
        .set(changes)
        .where('user_id', '=', userId)
        .returningAll()
        .executeTakeFirst();
