/** Money of operations: the hold was taken with the row, here it is confirmed, captured, released. */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { captureHold, refund, releaseHold } from '../../src/db/wallet/ledger.ts';
import { findOperation as findLedgerOperation } from '../../src/db/wallet/ledger-posting.ts';
import { getOperation, type Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';

/** A part of an operation's price; $0.00 parts move nothing. */
export type PricePart = 'domain' | 'server';

export const walletActivities = (context: Pick<Context, 'db'>) => ({
  /** Throws for an operation that has no hold: the row and the hold were written together. */
  async confirmHold({ operationId }: { operationId: number }): Promise<void> {
    const { hold_id } = await getOperation(context.db, operationId);
    if (hold_id === null) throw new Error(`operation ${operationId} has no hold`);
  },

  /** Undo: what was not captured is available again. Safe to repeat. */
  async releaseHold({ operationId }: { operationId: number }): Promise<void> {
    await context.db.transaction().execute(async (trx) => {
      const { hold_id } = await getOperation(trx, operationId);
      if (hold_id === null) return;
      const operationKey = `operation:${operationId}:release`;
      await releaseHold(trx, { holdId: hold_id, operationKey, description: 'Released' });
    });
  },
});

/** Captures a part within the transaction that records what was bought for it. */
export async function capturePart(
  trx: Transaction<Database>,
  operation: Operation,
  part: PricePart,
  description: string,
): Promise<void> {
  const amountCents = priceOf(operation, part);
  if (amountCents === 0 || operation.hold_id === null) return;
  await captureHold(trx, {
    holdId: operation.hold_id,
    amountCents,
    operationKey: partKey(operation, part),
    description,
  });
}

/** Gives a captured part back; a part that was never captured moves nothing. */
export async function refundPart(
  trx: Transaction<Database>,
  operation: Operation,
  part: PricePart,
  description: string,
): Promise<void> {
  const { user_id: userId, resource_type, resource_id } = operation;
  const captured = await findLedgerOperation(trx, {
    userId,
    type: 'capture',
    operationKey: partKey(operation, part),
  });
  if (!captured) return;
  await refund(trx, {
    userId,
    amountCents: priceOf(operation, part),
    operationKey: `${partKey(operation, part)}:refund`,
    referenceType: resource_type,
    referenceId: String(resource_id),
    description,
  });
}

const partKey = (operation: Operation, part: PricePart) => `operation:${operation.id}:${part}`;

/** The price was fixed when the hold was taken and is in the operation's input. */
function priceOf(operation: Operation, part: PricePart): number {
  const { price } = operation.input as { price?: { domainCents?: number; serverCents?: number } };
  return (part === 'domain' ? price?.domainCents : price?.serverCents) ?? 0;
}
