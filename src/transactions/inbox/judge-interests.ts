/** What people's answers mean, judged within the installation. Choice 114. */
import type { Transaction } from 'kysely';
import { listCorrections, wordsKey } from '../../db/inbox/interests.ts';
import type { Database } from '../../db/tables.ts';
import { judgeInterest, type Judgement } from '../../domain/inbox/interest/index.ts';

/** In the order given. Words that the client has corrected mean what the client said; others, what the rules say. */
export async function judgeInterests(
  trx: Transaction<Database>,
  userId: string,
  texts: readonly string[],
  rulesSay = judgeInterest,
): Promise<Judgement[]> {
  const keys = texts.map(wordsKey);
  const corrected = await listCorrections(trx, userId, keys);
  return texts.map((text, at) => {
    const interest = corrected.get(keys[at]!);
    return interest === undefined ? rulesSay(text) : { interest, by: 'client', confidence: null };
  });
}
