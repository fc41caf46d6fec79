/** Records delivery results, and adds follow-ups to the inbox thread with their recipient. */
import type { Transaction } from 'kysely';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import type { EndedSession, DeliveryResult } from '../../src/domain/sending/delivery-results.ts';
import { findThreadsOfRecipients } from '../../src/db/inbox/message-threads.ts';
import { pauseWhatIsRejected } from '../../src/db/sending/rejections.ts';
import type { Database } from '../../src/db/tables.ts';
import { insertCampaignMessages } from '../inbox/campaign-messages.ts';
import { writeSettledResults, type SettledResult } from './settled-results.ts';
import type { SessionTools } from './tools.ts';

type Tools = Pick<SessionTools, 'db' | 'logger' | 'sleep' | 'clock' | 'config'>;

/** Retry delays: what was sent must be recorded, so a database restart is waited out. */
const PATIENCE_MS = [100, 300, 1_000, 3_000, 10_000, 20_000];

/**
 * In one transaction. A recipient without an inbox thread, the usual case, adds no cost. Returns what was written, with
 * when the recipients are due.
 */
export async function recordDeliveryResults(
  tools: Tools,
  session: EndedSession,
  ends: readonly SettledResult[],
): Promise<DeliveryResult[]> {
  const write = () =>
    despiteDeadlocks(() =>
      tools.db.transaction().execute((trx) => writeOnce({ trx, tools }, session, ends)),
    );
  for (const ms of PATIENCE_MS) {
    try {
      return await write();
    } catch (err) {
      tools.logger.warn({ err }, 'ends of messages could not be written yet');
      await tools.sleep(ms, new AbortController().signal);
    }
  }
  return write();
}

async function writeOnce(
  { trx, tools }: { trx: Transaction<Database>; tools: Tools },
  session: EndedSession,
  ends: readonly SettledResult[],
): Promise<DeliveryResult[]> {
  const threads = await threadsOf(trx, session, ends);
  // Lock order: the inbox before messages, as when the inbox is read.
  if (threads.size > 0) await lockInbox(trx, session.userId);
  const mine = await writeSettledResults(trx, tools, { session, ends });
  const rejected = mine.filter(({ isRejected }) => isRejected);
  if (rejected.length > 0) {
    const sendIds = rejected.map(({ sendId }) => sendId);
    await pauseWhatIsRejected(trx, tools.config, { sendIds, now: tools.clock.now() });
  }
  const now = await threadsOf(trx, session, mine);
  // An answer that was stored just now did not yet see this message as sent.
  if (threads.size === 0 && now.size > 0) throw new Error('an answer has come meanwhile');
  const answers = followUps(mine).flatMap(({ sendId: id, leadId, mailboxId, subject }) => {
    const threadId = now.get(leadId);
    const { campaignId } = session;
    if (threadId === undefined) return [];
    return { send: { id, mailboxId, campaignId, leadId, subject }, threadId };
  });
  await insertCampaignMessages(trx, session.userId, answers);
  return mine;
}

/** Only follow-ups: no thread is older than a first message. */
const followUps = (ends: readonly DeliveryResult[]): DeliveryResult[] =>
  ends.filter(({ state, step }) => state === 'sent' && step > 0);

const threadsOf = (
  trx: Transaction<Database>,
  { campaignId }: EndedSession,
  ends: readonly DeliveryResult[],
): Promise<Map<number, number>> =>
  findThreadsOfRecipients(
    trx,
    campaignId,
    followUps(ends).map(({ leadId }) => leadId),
  );
