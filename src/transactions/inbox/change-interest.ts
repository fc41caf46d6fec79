/**
 * The one way by which the interest of a message that is stored changes, whoever says so. What is judged as it
 * arrives is told by `message.received` (activities/inbox/announce-answers.ts).
 */
import type { Transaction } from 'kysely';
import { endQuestion } from '../../db/inbox/interest-questions.ts';
import { setJudgement, type JudgedMessage } from '../../db/inbox/interests.ts';
import type { Database } from '../../db/tables.ts';
import { insertEvents } from '../../db/webhooks/events.ts';
import type { Interest, InterestJudge } from '../../domain/inbox/interest/interest.ts';

export interface NewJudgement {
  interest: Interest | null;
  by: InterestJudge;
  confidence: number | null;
}

/** Clients are told where it differs from before. Needs `lockInbox` and the lock of the message. */
export async function changeInterest(
  trx: Transaction<Database>,
  message: JudgedMessage,
  { judgement, at }: { judgement: NewJudgement; at: Date },
): Promise<void> {
  const { id, userId, threadId, campaignId, leadId, mailboxId, interest: before } = message;
  const { interest, by } = judgement;
  await setJudgement(trx, id, judgement);
  // Nobody need be asked any more.
  await endQuestion(trx, id);
  if (interest === before) return;
  await insertEvents(trx, [
    {
      userId,
      type: 'message.interest_changed',
      resource: leadId === null ? `message/${id}` : `lead/${leadId}`,
      payload: {
        inboxId: id,
        threadId,
        campaignId,
        leadId,
        mailboxId,
        interest,
        interestBefore: before,
        interestBy: by,
        at: at.toISOString(),
      },
    },
  ]);
}
