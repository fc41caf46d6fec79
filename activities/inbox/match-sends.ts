/** Ties messages to the sends of campaigns, and tells the sends what became of them. */
import type { Transaction } from 'kysely';
import { findSendWindow } from '../../src/db/campaigns/campaigns.ts';
import {
  findSendsByIds,
  findSendsByLeadAddress,
  findSendsByMessageIds,
  type MatchedSend,
} from '../../src/db/inbox/message-sends.ts';
import { pauseWhatIsRejected, type RejectionSettings } from '../../src/db/sending/rejections.ts';
import { holdForReview } from '../../src/db/sending/review-holds.ts';
import { recordSendOutcome, type SendOutcome } from '../../src/db/sending/send-outcomes.ts';
import { markSenderRefused } from '../../src/db/sending/sending-mailboxes.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MessageKind } from '../../src/domain/inbox/inbox.ts';
import { emailKey } from '../../src/domain/leads/lead-keys.ts';
import {
  kindAs,
  provesBounce,
  type Answered,
} from '../../src/domain/inbox/mail-classification/index.ts';
import type { RecipientLinks } from '../../src/domain/sending/recipient-links.ts';
import { startOnOrAfter } from '../../src/domain/sending/send-window.ts';
import type { ReadMessage } from './read-message.ts';
import type { FolderRead } from './store-messages.ts';

export interface Match extends Answered {
  send: MatchedSend;
}

export interface MatchTools {
  trx: Transaction<Database>;
  recipientLinks: Pick<RecipientLinks, 'isMessageTag' | 'read'>;
  config: RejectionSettings;
}

/**
 * Headers first, then the address that a report came to or the token of a link, then who wrote: a
 * lead whom this mailbox had written to by then. A report of a bounce or a complaint is believed by its
 * proof alone, never by whom it names. In the order of the messages.
 */
export async function matchSends(
  { trx, recipientLinks }: MatchTools,
  folder: FolderRead,
  messages: readonly ReadMessage[],
): Promise<(Match | undefined)[]> {
  const isSent = folder.role === 'sent';
  const named = await findSendsByMessageIds(trx, folder, messages.flatMap(namedIds));
  const byHeaders = messages.map((message) => matchNamed(folder, message, named));
  if (isSent) return byHeaders;
  const open = messages.filter((_message, at) => !byHeaders[at]);
  const verpIds = open.flatMap((message) => provenSend(recipientLinks, message) ?? []);
  const byVerp = await findSendsByIds(trx, folder, verpIds);
  const keys = open.flatMap((message) => personKey(message) ?? []);
  const byAddress = await findSendsByLeadAddress(trx, folder, keys);
  return messages.map((message, at) => {
    if (byHeaders[at]) return byHeaders[at];
    const verp = byVerp.get(String(provenSend(recipientLinks, message)));
    if (verp) return { send: verp, by: 'verp' };
    const sent = byAddress.get(personKey(message) ?? '');
    // A message that was there before ours is no answer to it.
    if (!sent || message.receivedAt < sent.sentAt) return undefined;
    // A newsletter of the company that was written to has nothing to do with the campaign.
    if (message.verdict.isAutomatic && !quotesSubject(message, sent)) return undefined;
    const { sentAt: _sentAt, ...send } = sent;
    return { send, by: 'address' };
  });
}

/** `[#12] A question`: a machine that names our message by its subject is answering it. */
const quotesSubject = ({ subject }: ReadMessage, sent: MatchedSend): boolean =>
  sent.subject.length >= MIN_QUOTED && subject.toLowerCase().includes(sent.subject.toLowerCase());

/** What is shorter stands in any subject. */
const MIN_QUOTED = 8;

/** Ids of sends can be guessed by anybody who writes to the mailbox; what proves them cannot. */
function provenSend(
  links: MatchTools['recipientLinks'],
  { verdict: { facts } }: ReadMessage,
): number | undefined {
  const { verpSendId: id, verpTag: tag, unsubscribeToken: token } = facts;
  const link = token === undefined ? undefined : links.read(token);
  if (link) return link.kind === 'unsubscribe' ? link.sendId : undefined;
  return id !== undefined && tag !== undefined && links.isMessageTag(id, tag) ? id : undefined;
}

/** Every Message-ID that a message names: its own, what it answers, what a report is about. */
const namedIds = (message: ReadMessage): string[] => [message.messageId, ...answeredIds(message)];

/** The nearest first. */
export function answeredIds({ verdict, inReplyTo, referenceIds }: ReadMessage): string[] {
  const original = verdict.facts.originalMessageId;
  return [original, inReplyTo, ...referenceIds.toReversed()].filter(
    (id): id is string => typeof id === 'string',
  );
}

function matchNamed(
  { mailboxId }: FolderRead,
  message: ReadMessage,
  named: ReadonlyMap<string, MatchedSend>,
): Match | undefined {
  const own = named.get(message.messageId);
  if (own) return { send: own, by: 'copy' };
  for (const id of answeredIds(message)) {
    const send = named.get(id);
    if (send && message.verdict.kind === 'bounce') {
      const named = { mailboxId: send.mailboxId, recipientKey: send.emailKey };
      if (!provesBounce(message.verdict.reported, named, { mailboxId, keyOf: emailKey })) continue;
    }
    // People are made unknown in complaints: the one it went to complains, whoever is named.
    if (message.verdict.kind === 'complaint' && message.verdict.reported?.isOfOthers) continue;
    // What we answer in a thread belongs to it, too.
    if (send) return { send, by: 'headers' };
  }
  return undefined;
}

/** The address whose lead is looked for: who wrote. Reports prove their message, or are about nobody. */
function personKey({ verdict, fromAddress }: ReadMessage): string | undefined {
  if (verdict.kind === 'bounce' || verdict.kind === 'complaint') return undefined;
  return emailKey(fromAddress) ?? undefined;
}

/**
 * A message from a lead who was written to is an answer, whether its headers say so or not. A complaint
 * that proves no message of ours may be forged: a person looks at it, and nobody is held for it.
 */
export const kindOf = ({ verdict }: ReadMessage, match: Match | undefined): MessageKind =>
  verdict.kind === 'complaint' && !match ? 'needs_review' : kindAs(verdict, match);

const OUTCOMES: Readonly<Partial<Record<MessageKind, SendOutcome['kind']>>> = {
  reply: 'replied',
  auto_reply: 'auto_replied',
  bounce: 'bounced',
  complaint: 'complained',
  unsubscribe_request: 'unsubscribed',
};

/** Tells each send what came of it; own copies tell nothing, and own answers are not asked. */
export async function recordOutcomes(
  { trx, config }: MatchTools,
  messages: readonly ReadMessage[],
  matches: readonly (Match | undefined)[],
  wasAdded: (messageId: string) => boolean,
): Promise<void> {
  for (const [at, message] of messages.entries()) {
    const match = matches[at];
    if (!match || !wasAdded(message.messageId)) continue;
    const { campaignId, leadId } = match.send;
    if (kindOf(message, match) === 'needs_review' && leadId !== null) {
      await holdForReview(trx, { campaignId, leadId }, message.receivedAt);
    }
    const outcome = await outcomeOf(trx, message, match);
    if (outcome) await recordSendOutcome(trx, match.send.id, outcome, config);
    if (outcome?.kind === 'rejected') {
      await pauseWhatIsRejected(trx, config, { sendIds: [match.send.id], now: outcome.at });
    }
    if (outcome && message.verdict.facts.refusal === 'sender') {
      const { isListed = false } = message.verdict.facts;
      await markSenderRefused(trx, match.send.mailboxId, { isListed, now: outcome.at });
    }
  }
}

async function outcomeOf(
  trx: Transaction<Database>,
  message: ReadMessage,
  match: Match,
): Promise<SendOutcome | undefined> {
  const { facts } = message.verdict;
  const kind = OUTCOMES[kindOf(message, match)];
  // A host that still tries has not given up: RFC 3464, 2.3.3.
  if (kind === undefined || facts.action === 'delayed') return undefined;
  const at = message.receivedAt;
  if (kind === 'bounced') {
    const detail = facts.status === undefined ? {} : { status: facts.status };
    if (facts.refusal === 'policy') return { kind: 'rejected', at, words: facts.words, detail };
    // A full mailbox, or a host that lists us, is no fault of the address.
    const isPermanent = facts.isPermanent === true && facts.refusal === 'recipient';
    return { kind, at, isPermanent, detail };
  }
  if (kind === 'auto_replied' && facts.returnDate !== undefined) {
    // Midnight of UTC is the evening before in the Americas.
    const window = await findSendWindow(trx, match.send.campaignId);
    return { kind, at, backAt: window && startOnOrAfter(window, facts.returnDate) };
  }
  return { kind, at };
}
