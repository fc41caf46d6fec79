/** Users: they exist by the `userId` claim of a JWT and are never registered here. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { UsersTable } from './account-tables.ts';
import type { Database } from '../tables.ts';

export type UserRow = Selectable<UsersTable>;

/** Inserts the user on first sight and updates a changed address or name, in one statement. */
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

/** The user's row, locked against changes until the transaction ends. */
export const holdUser = (
  trx: Transaction<Database>,
  userId: string,
): Promise<UserRow | undefined> =>
  trx.selectFrom('users').selectAll().where('user_id', '=', userId).forShare().executeTakeFirst();

/** Fields that messages need and the account lacks. CAN-SPAM; choice 56. */
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
    use_language_model?: boolean;
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
