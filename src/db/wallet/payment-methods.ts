/** The saved card of a user, which automatic recharges charge. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { isUnsaved, replaces } from '../../domain/wallet/saved-method.ts';
import type { Database } from '../tables.ts';
import type { PaymentMethodsTable } from './wallet-tables.ts';

type Trx = Transaction<Database>;

export type PaymentMethod = Selectable<PaymentMethodsTable>;

export interface SavedMethod {
  userId: string;
  customerId: string;
  paymentMethodId: string;
  savedAt: Date;
}

/** Undefined where none was saved, or the last one is forgotten. */
export const findPaymentMethod = (
  db: Kysely<Database>,
  userId: string,
): Promise<PaymentMethod | undefined> =>
  db
    .selectFrom('payment_methods')
    .selectAll()
    .where('user_id', '=', userId)
    .where('forgotten_at', 'is', null)
    .executeTakeFirst();

/** Keeps the method that was saved last: its events may come in any order. False: the user is nobody here. */
export async function savePaymentMethod(trx: Trx, method: SavedMethod): Promise<boolean> {
  const { userId } = method;
  const user = await trx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!user) return false;
  const values = {
    customer_id: method.customerId,
    payment_method_id: method.paymentMethodId,
    saved_at: method.savedAt,
    forgotten_at: null,
  };
  const made = await trx
    .insertInto('payment_methods')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (made) return true;
  const known = await trx
    .selectFrom('payment_methods')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!replaces(known, method)) return true;
  await trx.updateTable('payment_methods').set(values).where('user_id', '=', userId).execute();
  return true;
}

/** The row stays: a late event of this card does not bring it back. Another one meanwhile stays as well. */
export async function forgetPaymentMethod(
  trx: Trx,
  { userId, paymentMethodId, now }: { userId: string; paymentMethodId: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('payment_methods')
    .set({ forgotten_at: now })
    .where('user_id', '=', userId)
    .where('payment_method_id', '=', paymentMethodId)
    .where('forgotten_at', 'is', null)
    .execute();
}

/** Those that would be kept now, had their event come. */
export async function listUnsaved(
  db: Kysely<Database>,
  methods: readonly SavedMethod[],
): Promise<SavedMethod[]> {
  if (methods.length === 0) return [];
  const ids = [...new Set(methods.map(({ userId }) => userId))];
  const users = await db
    .selectFrom('users')
    .select('user_id')
    .where('user_id', 'in', ids)
    .execute();
  const known = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('user_id', 'in', ids)
    .execute();
  const methodOf = new Map(known.map((row) => [row.user_id, row]));
  const isUser = new Set(users.map(({ user_id }) => user_id));
  return methods.filter(
    (method) => isUser.has(method.userId) && isUnsaved(methodOf.get(method.userId), method),
  );
}
