/** Matches messages to the sends of campaigns. */
import type { Kysely } from 'kysely';
import type { Context } from '../../src/context.ts';
import {
  findSendsByAddress,
  findSendsByIds,
  findSendsByMessageIds,
  type MatchedSend,
} from '../../src/db/inbox/message-sends.ts';
import type { RejectionSettings } from '../../src/db/sending/rejections.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MessageKind } from '../../src/domain/inbox/inbox.ts';
import { emailKey } from '../../src/domain/leads/lead-keys.ts';
import {
  kindAs,
  provesBounce,
  type Answered,
} from '../../src/domain/inbox/mail-classification/index.ts';
import type { RecipientLinks } from '../../src/domain/sending/recipient-links.ts';
import type { ReadMessage, FolderRead } from './read-message.ts';

export interface Match extends Answered {
  send: MatchedSend;
}

export interface MatchTools {
  db: Kysely<Database>;
  recipientLinks: Pick<RecipientLinks, 'isMessageTag' | 'read'>;
  config: RejectionSettings & Partial<Pick<Context['config'], 'INTEREST_MODEL'>>;
}

/**
 * Matches by headers first, then by the address that a report was sent to or the token of a link, then
 * by sender: an address, or a lead, that this mailbox had written to by then. A bounce or complaint report counts only
 * with its proof, never by the person it names. In the order of the messages.
 */
export async function matchSends(
  { db, recipientLinks }: Pick<MatchTools, 'db' | 'recipientLinks'>,
  folder: FolderRead,
  messages: readonly ReadMessage[],
): Promise<(Match | undefined)[]> {
  const isSent = folder.role === 'sent';
  const named = await findSendsByMessageIds(db, folder, messages.flatMap(namedIds));
  const byHeaders = messages.map((message) => matchNamed(folder, message, named));
  if (isSent) return byHeaders;
  const open = messages.filter((_message, at) => !byHeaders[at]);
  const verpIds = open.flatMap((message) => provenSend(recipientLinks, message) ?? []);
  const byVerp = await findSendsByIds(db, folder, verpIds);
  const byAddress = await sentBefore(db, folder, open);
  return messages.map((message, at) => {
    if (byHeaders[at]) return byHeaders[at];
    const verp = byVerp.get(String(provenSend(recipientLinks, message)));
    if (verp) return { send: verp, by: 'verp' };
    const send = byAddress.get(message);
    if (!send) return undefined;
    // A newsletter of the contacted company is unrelated to the campaign.
    if (message.verdict.isAutomatic && !quotesSubject(message, send)) return undefined;
    return { send, by: 'address' };
  });
}

/** What was sent to whom a message is from, before it came: what arrived before ours is no answer to it. */
async function sentBefore(
  db: MatchTools['db'],
  folder: FolderRead,
  messages: readonly ReadMessage[],
): Promise<Map<ReadMessage, MatchedSend>> {
  const wanted = messages.flatMap((message) => {
    const emailKey = personKey(message);
    return emailKey === undefined ? [] : [{ message, emailKey, receivedAt: message.receivedAt }];
  });
  const sent = await findSendsByAddress(db, folder, wanted);
  return new Map(wanted.flatMap(({ message }, at) => (sent[at] ? [[message, sent[at]]] : [])));
}

/** `[#12] A question`: an automatic message that quotes our subject is an answer to it. */
const quotesSubject = ({ subject }: ReadMessage, sent: MatchedSend): boolean =>
  sent.subject.length >= MIN_QUOTED && subject.toLowerCase().includes(sent.subject.toLowerCase());

/** Shorter subjects occur in unrelated ones. */
const MIN_QUOTED = 8;

/** Anybody who writes to the mailbox can guess ids of sends; what proves them cannot be guessed. */
function provenSend(
  links: MatchTools['recipientLinks'],
  { verdict: { facts } }: ReadMessage,
): number | undefined {
  const { verpSendId: id, verpTag: tag, unsubscribeToken: token } = facts;
  const link = token === undefined ? undefined : links.read(token);
  if (link) return link.kind === 'unsubscribe' ? link.sendId : undefined;
  return id !== undefined && tag !== undefined && links.isMessageTag(id, tag) ? id : undefined;
}

/** Every Message-ID in a message: its own, those it answers, those a report is about. */
const namedIds = (message: ReadMessage): string[] => [message.messageId, ...answeredIds(message)];

/** Nearest ancestor first. */
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
    // Complaints are anonymised: the recipient of our message is the one who complains, whoever is
    // named.
    if (message.verdict.kind === 'complaint' && message.verdict.reported?.isOfOthers) continue;
    // Our own answers in a thread belong to it, too.
    if (send) return { send, by: 'headers' };
  }
  return undefined;
}

/** The address by which the send is looked up: the sender's. Reports prove their message or match nobody. */
export function personKey({ verdict, fromAddress }: ReadMessage): string | undefined {
  if (verdict.kind === 'bounce' || verdict.kind === 'complaint') return undefined;
  return emailKey(fromAddress) ?? undefined;
}

/**
 * A message from a lead who was written to is an answer, whether its headers say so or not. A complaint
 * that proves no message of ours may be forged: a person reviews it, and no sequence is held for it.
 */
export const kindOf = ({ verdict }: ReadMessage, match: Match | undefined): MessageKind =>
  verdict.kind === 'complaint' && !match ? 'needs_review' : kindAs(verdict, match);
