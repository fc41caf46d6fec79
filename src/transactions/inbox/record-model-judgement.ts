/** What a model has said of an answer that nobody has judged meanwhile. Choice 118. */
import type { Kysely } from 'kysely';
import { planStarts } from '../../db/campaigns/subsequence-starts.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { lockInbox } from '../../db/inbox/inbox-counts.ts';
import { endQuestion } from '../../db/inbox/interest-questions.ts';
import { lockJudgedMessage } from '../../db/inbox/interests.ts';
import type { Database } from '../../db/tables.ts';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { changeInterest } from './change-interest.ts';
import { judgeInterests } from './judge-interests.ts';

/**
 * The client's word wins: said of this answer, or of another one with the same words, while the model was asked.
 * A second record of the same changes nothing.
 */
export const recordModelJudgement = (
  db: Kysely<Database>,
  { userId, messageId }: { userId: string; messageId: number },
  said: { interest: Interest | null; confidence: number; at: Date; daySeconds: number },
): Promise<void> =>
  despiteDeadlocks(() =>
    db.transaction().execute(async (trx) => {
      await lockInbox(trx, userId);
      const message = await lockJudgedMessage(trx, { userId, id: messageId });
      await endQuestion(trx, messageId);
      if (message?.kind !== 'reply' || message.by !== null) return;
      const [own] = await judgeInterests(trx, userId, [message.text]);
      const { interest, confidence, at, daySeconds } = said;
      const judgement =
        own!.by === null
          ? { interest, by: 'model' as const, confidence }
          : { ...own!, by: own!.by };
      await changeInterest(trx, message, { judgement, at });
      await planStarts(trx, [messageId], { now: at, daySeconds });
    }),
  );
