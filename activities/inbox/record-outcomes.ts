/** Records on the sends of campaigns what messages mean for them. */
import type { Transaction } from 'kysely';
import { findSendWindow } from '../../src/db/campaigns/campaigns.ts';
import type { SendOutcome } from '../../src/db/sending/outcome-events.ts';
import { pauseWhatIsRejected } from '../../src/db/sending/rejections.ts';
import { holdForReview } from '../../src/db/sending/review-holds.ts';
import { markSenderRefused } from '../../src/db/sending/sending-mailboxes.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MessageKind } from '../../src/domain/inbox/inbox.ts';
import type { MessageFacts } from '../../src/domain/inbox/mail-classification/index.ts';
import { startOnOrAfter } from '../../src/domain/sending/send-window.ts';
import { recordSendOutcome } from '../../src/transactions/send-outcomes.ts';
import { kindOf, personKey, type Match, type MatchTools } from './match-sends.ts';
import type { ReadMessage } from './read-message.ts';

const OUTCOMES: Readonly<Partial<Record<MessageKind, SendOutcome['kind']>>> = {
  reply: 'replied',
  auto_reply: 'auto_replied',
  bounce: 'bounced',
  complaint: 'complained',
  unsubscribe_request: 'unsubscribed',
};

export type OutcomeTools = Pick<MatchTools, 'config'> & { trx: Transaction<Database> };

/** Records what a message means for its send; holds a sequence that a person must review. Safe to repeat. */
export async function recordOutcome(
  { trx, config }: OutcomeTools,
  message: ReadMessage,
  match: Match,
): Promise<void> {
  const { campaignId, leadId } = match.send;
  if (kindOf(message, match) === 'needs_review' && leadId !== null) {
    await holdForReview(trx, { campaignId, leadId }, message.receivedAt);
  }
  const outcome = await outcomeOf(trx, message, match);
  if (!outcome) return;
  await recordSendOutcome(trx, match.send.id, outcome, config);
  if (outcome.kind === 'rejected') {
    await pauseWhatIsRejected(trx, config, { sendIds: [match.send.id], now: outcome.at });
  }
  if (message.verdict.facts.refusal === 'sender') {
    const { isListed = false } = message.verdict.facts;
    await markSenderRefused(trx, match.send.mailboxId, { isListed, now: outcome.at });
  }
}

/** Nobody refused it for what it is, and nobody has got it: RFC 3463, 3.5; the limit of the account that sends. */
const NOT_ON_THE_WAY: ReadonlySet<MessageFacts['refusal']> = new Set(['transport', 'sender']);

async function outcomeOf(
  trx: Transaction<Database>,
  message: ReadMessage,
  match: Match,
): Promise<SendOutcome | undefined> {
  const { facts } = message.verdict;
  const kind = OUTCOMES[kindOf(message, match)];
  // A host that is still trying has not given up: RFC 3464, 2.3.3.
  if (kind === undefined || facts.action === 'delayed') return undefined;
  const at = message.receivedAt;
  if (kind === 'bounced') {
    const { status, words } = facts;
    if (facts.isRejection) return { kind: 'rejected', at, words, status };
    // A full mailbox, or a limit of our own host, says nothing about the address.
    const isPermanent = facts.isPermanent === true && facts.refusal === 'recipient';
    const hasExpired =
      !isPermanent && (facts.isPermanent === false || NOT_ON_THE_WAY.has(facts.refusal));
    return { kind, at, isPermanent, hasExpired, status };
  }
  if (kind === 'auto_replied' && facts.returnDate !== undefined) {
    // Midnight of UTC is the evening before in the Americas.
    const { campaignId, leadId } = match.send;
    const window = await findSendWindow(trx, { campaignId, leadId, at });
    return { kind, at, backAt: window && startOnOrAfter(window, facts.returnDate) };
  }
  return {
    kind,
    at,
    ...(kind === 'unsubscribed' && { writtenFrom: personKey(message) }),
  };
}
