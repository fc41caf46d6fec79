/** What people's answers mean, judged as they are stored. Choice 114. */
import type { Transaction } from 'kysely';
import { listCorrections, wordsKey } from '../../src/db/inbox/interests.ts';
import type { NewMessage } from '../../src/db/inbox/messages.ts';
import type { Database } from '../../src/db/tables.ts';
import { judgeInterest } from '../../src/domain/inbox/interest/index.ts';

/** In the order given. Words that the client has corrected mean what the client said. */
export async function judgeAnswers(
  trx: Transaction<Database>,
  userId: string,
  messages: readonly NewMessage[],
): Promise<NewMessage[]> {
  const keys = messages
    .filter(({ kind }) => kind === 'reply')
    .map(({ bodyText }) => wordsKey(bodyText));
  const corrected = await listCorrections(trx, userId, keys);
  return messages.map((message) => {
    if (message.kind !== 'reply') return message;
    const interest = corrected.get(wordsKey(message.bodyText));
    const judgement =
      interest === undefined
        ? judgeInterest(message.bodyText)
        : { interest, by: 'client' as const, confidence: null };
    return { ...message, judgement };
  });
}
