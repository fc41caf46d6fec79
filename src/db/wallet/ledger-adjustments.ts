/**
 * Movements that are neither earned nor paid in: what the processor takes and gives back, and what a person
 * changes. As in ledger.ts: the caller's transaction first, once per `operationKey`, positive integer cents.
 */
import type { Transaction } from 'kysely';
import { invalid } from '../../domain/errors.ts';
import { formatDollars } from '../../domain/wallet/money.ts';
import type { WalletMovement } from './ledger.ts';
import { findOperation, lockWallet, post, saveWallet, settleOwed } from './ledger-posting.ts';
import { assertPositive } from './ledger-rules.ts';
import type { Database } from '../tables.ts';

type Trx = Transaction<Database>;

/**
 * The processor took money back (refund or dispute there): the available balance is reduced, the rest becomes
 * debt. Held money stays, so that its work continues. Choice 35.
 */
export async function takeBack(
  trx: Trx,
  movement: WalletMovement,
): Promise<{ takenCents: number; owedCents: number }> {
  const { userId, amountCents } = movement;
  assertPositive(amountCents);
  const wallet = await lockWallet(trx, userId);
  const done = await findOperation(trx, { ...movement, type: 'adjustment' });
  const takenCents = done ? -done.amount_cents : Math.min(wallet.availableCents, amountCents);
  const owedCents = amountCents - takenCents;
  if (done) return { takenCents, owedCents };
  const owed = `${formatDollars(owedCents)} of ${formatDollars(amountCents)} is owed`;
  await post(trx, wallet, {
    ...movement,
    description: owedCents > 0 ? `${movement.description}, ${owed}` : movement.description,
    type: 'adjustment',
    amountCents: takenCents === 0 ? 0 : -takenCents,
    entries: {
      processor: amountCents,
      ...(takenCents > 0 && { available: -takenCents }),
      ...(owedCents > 0 && { receivable: -owedCents }),
    },
  });
  await saveWallet(trx, wallet);
  return { takenCents, owedCents };
}

/** The processor gave back what it had taken; debt is settled from it first. */
export async function giveBack(trx: Trx, movement: WalletMovement): Promise<void> {
  const { userId, amountCents } = movement;
  assertPositive(amountCents);
  const wallet = await lockWallet(trx, userId);
  if (await findOperation(trx, { ...movement, type: 'adjustment' })) return;
  const entries = { processor: -amountCents, available: amountCents };
  await post(trx, wallet, { ...movement, type: 'adjustment', amountCents, entries });
  await settleOwed(trx, wallet, movement);
  await saveWallet(trx, wallet);
}

/**
 * A person changes a balance: `amountCents` is signed. Throws `invalid` ADJUSTMENT_TOO_LARGE where more would
 * be taken than is available: nobody is put into debt by hand.
 */
export async function adjust(trx: Trx, movement: WalletMovement): Promise<void> {
  const { userId, amountCents } = movement;
  assertPositive(Math.abs(amountCents));
  const wallet = await lockWallet(trx, userId);
  if (await findOperation(trx, { ...movement, type: 'adjustment' })) return;
  if (wallet.availableCents + amountCents < 0) {
    const [wanted, there] = [-amountCents, wallet.availableCents].map(formatDollars);
    const message = `${wanted} cannot be taken: ${there} is available`;
    throw invalid('ADJUSTMENT_TOO_LARGE', message);
  }
  const entries = { adjustments: -amountCents, available: amountCents };
  await post(trx, wallet, { ...movement, type: 'adjustment', amountCents, entries });
  await settleOwed(trx, wallet, movement);
  await saveWallet(trx, wallet);
}
