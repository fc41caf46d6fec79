/** Notes how letters ended, and shows a follow-up in the thread that the inbox has with its recipient. */
import type { Transaction } from 'kysely';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import type { EndedRound, LetterEnd } from '../../src/db/sending/letter-ends.ts';
import { findThreadsOfRecipients } from '../../src/db/inbox/message-threads.ts';
import { pauseWhatIsRejected } from '../../src/db/sending/rejections.ts';
import type { Database } from '../../src/db/tables.ts';
import { insertCampaignLetters } from '../inbox/campaign-letters.ts';
import { writeSettledEnds, type SettledEnd } from './settled-ends.ts';
import type { RoundTools } from './tools.ts';

type Tools = Pick<RoundTools, 'db' | 'logger' | 'sleep' | 'clock' | 'config'>;

/** What has been sent must be noted: a database that restarts is waited for. */
const PATIENCE_MS = [100, 300, 1_000, 3_000, 10_000, 20_000];

/** In one transaction. Whoever has no thread in the inbox, as most have none, costs it nothing. */
export async function writeEnds(
  tools: Tools,
  round: EndedRound,
  ends: readonly SettledEnd[],
): Promise<void> {
  const write = () =>
    despiteDeadlocks(() =>
      tools.db.transaction().execute((trx) => writeOnce({ trx, tools }, round, ends)),
    );
  for (const ms of PATIENCE_MS) {
    try {
      return await write();
    } catch (err) {
      tools.logger.warn({ err }, 'ends of letters could not be written yet');
      await tools.sleep(ms, new AbortController().signal);
    }
  }
  await write();
}

async function writeOnce(
  { trx, tools }: { trx: Transaction<Database>; tools: Tools },
  round: EndedRound,
  ends: readonly SettledEnd[],
): Promise<void> {
  const threads = await threadsOf(trx, round, ends);
  // The locks of an inbox that is written come before those of letters, as when it is read.
  if (threads.size > 0) await lockInbox(trx, round.userId);
  const mine = await writeSettledEnds(trx, tools, { round, ends });
  const rejected = mine.filter(({ isRejected }) => isRejected);
  if (rejected.length > 0) {
    const sendIds = rejected.map(({ sendId }) => sendId);
    await pauseWhatIsRejected(trx, tools.config, { sendIds, now: tools.clock.now() });
  }
  const now = await threadsOf(trx, round, mine);
  // An answer that was just stored did not see this letter as sent.
  if (threads.size === 0 && now.size > 0) throw new Error('an answer has come meanwhile');
  const answers = followUps(mine).flatMap(({ sendId: id, leadId, mailboxId, subject }) => {
    const threadId = now.get(leadId);
    const { campaignId } = round;
    if (threadId === undefined) return [];
    return { send: { id, mailboxId, campaignId, leadId, subject }, threadId };
  });
  await insertCampaignLetters(trx, round.userId, answers);
}

/** No thread is older than a first letter. */
const followUps = (ends: readonly LetterEnd[]): LetterEnd[] =>
  ends.filter(({ state, step }) => state === 'sent' && step > 0);

const threadsOf = (
  trx: Transaction<Database>,
  { campaignId }: EndedRound,
  ends: readonly LetterEnd[],
): Promise<Map<number, number>> =>
  findThreadsOfRecipients(
    trx,
    campaignId,
    followUps(ends).map(({ leadId }) => leadId),
  );
