/** Orders of long work: the row and the intent in one transaction, then the workflow. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { lockRequestedOperation, type Operation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';

/**
 * Writes an order in one transaction, unless the very same request (by its `requestKey`, Choice 51) has,
 * and starts its workflow; where Temporal is down, the reconciler does. Answers the operation of both.
 */
export async function orderOnce(
  context: Pick<Context, 'db' | 'startOperation'>,
  { userId, requestKey }: { userId: string; requestKey: string | undefined },
  begin: (trx: Transaction<Database>) => Promise<Operation>,
): Promise<Operation> {
  const operation = await commitOnce(context.db, async (trx) => {
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    return earlier || begin(trx);
  });
  if (operation.started_at === null) await context.startOperation(operation);
  return operation;
}
