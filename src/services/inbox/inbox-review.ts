/** A person decides whether an answer is automatic when only its headers say so. Choice 34. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { findSendWindow } from '../../db/campaigns/campaigns.ts';
import { lockInbox } from '../../db/inbox/inbox-counts.ts';
import { insertQuestions } from '../../db/inbox/interest-questions.ts';
import { lockJudgedMessage } from '../../db/inbox/interests.ts';
import {
  endReviewHold,
  lockReceivedMessage,
  setMessageKind,
  type ReviewedMessage,
} from '../../db/sending/review-holds.ts';
import { changeInterest } from '../../transactions/inbox/change-interest.ts';
import { judgeInterests } from '../../transactions/inbox/judge-interests.ts';
import { recordSendOutcome } from '../../transactions/send-outcomes.ts';
import type { SendOutcome } from '../../db/sending/outcome-events.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { DecidedKind } from '../../domain/inbox/inbox.ts';
import { returnDateIn } from '../../domain/inbox/mail-classification/index.ts';
import { startOnOrAfter } from '../../domain/sending/send-window.ts';

type Needs = Pick<Context, 'clock' | 'config'>;

const OUTCOMES: Readonly<Record<DecidedKind, SendOutcome['kind'] | undefined>> = {
  reply: 'replied',
  auto_reply: 'auto_replied',
  unsubscribe_request: 'unsubscribed',
  complaint: 'complained',
  message: undefined,
};

interface Decision {
  userId: string;
  id: number;
  kind: DecidedKind;
  /** The same person says what the answer means. */
  isJudged: boolean;
}

/**
 * Afterwards everything is as if the message had been classified so on arrival. Repeating it changes
 * nothing. Returns the mailbox whose campaigns may have a lead to write to again.
 */
export async function decideKind(
  context: Needs,
  trx: Transaction<Database>,
  { userId, id, kind, isJudged }: Decision,
): Promise<number | undefined> {
  await lockInbox(trx, userId);
  const message = await lockReceivedMessage(trx, { userId, id });
  if (!message) throw notFound('message');
  if (message.kind === kind) return undefined;
  if (message.kind !== 'needs_review') {
    const reason = `The message is known to be ${message.kind}; only needs_review is decided`;
    throw invalid('INVALID_STATE', reason);
  }
  const returnDate = kind === 'auto_reply' ? returnDateIn(message) : undefined;
  await setMessageKind(trx, id, { kind, facts: returnDate === undefined ? {} : { returnDate } });
  const now = context.clock.now();
  await endReviewHold(trx, message, now);
  await tellSend(context, trx, message, { kind: OUTCOMES[kind], returnDate });
  if (kind === 'reply' && !isJudged) await judgeDecided(context, trx, { userId, id, at: now });
  return message.mailboxId;
}

/** The answer came in before, without an interest: what it means is told now. */
async function judgeDecided(
  { config }: Needs,
  trx: Transaction<Database>,
  { userId, id, at }: { userId: string; id: number; at: Date },
): Promise<void> {
  const message = (await lockJudgedMessage(trx, { userId, id }))!;
  const [judgement] = await judgeInterests(trx, userId, [message.text]);
  const { by } = judgement!;
  if (by !== null) await changeInterest(trx, message, { judgement: { ...judgement!, by }, at });
  else if (config.INTEREST_MODEL !== undefined) await insertQuestions(trx, { userId, ids: [id] });
}

async function tellSend(
  { config }: Needs,
  trx: Transaction<Database>,
  { sendId, campaignId, leadId, receivedAt: at }: ReviewedMessage,
  outcome: { kind: SendOutcome['kind'] | undefined; returnDate: string | undefined },
): Promise<void> {
  const { kind, returnDate } = outcome;
  if (sendId === null || kind === undefined) return;
  const window =
    returnDate === undefined || campaignId === null
      ? undefined
      : await findSendWindow(trx, { campaignId, leadId, at });
  const backAt = window && startOnOrAfter(window, returnDate!);
  await recordSendOutcome(trx, sendId, { kind, at, backAt }, config);
}
