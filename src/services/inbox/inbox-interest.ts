/** A client says what an answer means. Choice 114. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { lockInbox } from '../../db/inbox/inbox-counts.ts';
import { insertCorrection, lockJudgedMessage, wordsKey } from '../../db/inbox/interests.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { changeInterest } from '../../transactions/inbox/change-interest.ts';

/** It stays as it is said, and is remembered for the same words, where it has any. Repeating it changes nothing. */
export async function correctInterest(
  { clock }: Pick<Context, 'clock'>,
  trx: Transaction<Database>,
  { userId, id, interest }: { userId: string; id: number; interest: Interest | null },
): Promise<void> {
  await lockInbox(trx, userId);
  const message = await lockJudgedMessage(trx, { userId, id });
  if (!message) throw notFound('message');
  if (message.kind !== 'reply') {
    const reason = `The message is known to be ${message.kind}; only the answer of a person has an interest`;
    throw invalid('INVALID_STATE', reason);
  }
  if (message.by === 'client' && message.interest === interest) return;
  const at = clock.now();
  const key = wordsKey(message.text);
  await insertCorrection(trx, message, { wordsKey: key, interest, at });
  await changeInterest(trx, message, {
    judgement: { interest, by: 'client', confidence: null },
    at,
  });
}
