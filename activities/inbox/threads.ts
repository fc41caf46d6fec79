/** Assigns the messages of a batch to threads: those they answer, or new ones. RFC 5322, 3.6.4. */
import type { Transaction } from 'kysely';
import {
  campaignLeadKey,
  findThreadsAnswering,
  findThreadsWithLeads,
  insertThreads,
  type CampaignLead,
  type NewThread,
} from '../../src/db/inbox/message-threads.ts';
import { findMessages } from '../../src/db/inbox/messages.ts';
import type { Database } from '../../src/db/tables.ts';
import { answeredIds, type Match } from './match-sends.ts';
import type { ReadMessage, FolderRead } from './read-message.ts';

const MAX_SUBJECT_CHARS = 500;

/** A thread that exists, or the index of a new one in the list of those to be created. */
type Thread = { id: number } | { made: number };

/** Thread ids in the order of the messages. Needs `lockInbox`. */
export async function assignThreads(
  trx: Transaction<Database>,
  folder: FolderRead,
  messages: readonly ReadMessage[],
  matches: readonly (Match | undefined)[],
): Promise<number[]> {
  const found = await findThreads(trx, folder, messages, matches);
  const made: NewThread[] = [];
  const chosen = messages.map((message, at) => {
    const send = matches[at]?.send;
    const lead = send && leadOf(send);
    const person = lead && campaignLeadKey(lead);
    const thread =
      answeredIds(message)
        .map((id) => found.byMessageId.get(id))
        .find((each) => each !== undefined) ??
      found.byAnswer.get(message.messageId) ??
      (person === undefined ? undefined : found.byPerson.get(person)) ??
      ({ made: made.push(newThread(message, matches[at])) - 1 } as const);
    found.byMessageId.set(message.messageId, thread);
    for (const id of answeredIds(message)) found.byAnswer.set(id, thread);
    if (person !== undefined) found.byPerson.set(person, thread);
    return thread;
  });
  const ids = await insertThreads(trx, folder, made);
  return chosen.map((thread) => ('id' in thread ? thread.id : ids[thread.made]!));
}

async function findThreads(
  trx: Transaction<Database>,
  folder: FolderRead,
  messages: readonly ReadMessage[],
  matches: readonly (Match | undefined)[],
) {
  const { mailboxId } = folder;
  const answered = await findMessages(trx, mailboxId, [...new Set(messages.flatMap(answeredIds))]);
  const own = messages.map(({ messageId }) => messageId);
  const answering = await findThreadsAnswering(trx, mailboxId, own);
  const people = matches.flatMap((match) => (match && leadOf(match.send)) ?? []);
  const withLeads = await findThreadsWithLeads(trx, mailboxId, people);
  const asThreads = (ids: Iterable<[string, number]>) =>
    new Map<string, Thread>([...ids].map(([key, id]) => [key, { id }]));
  return {
    byMessageId: asThreads([...answered].map(([id, { threadId }]) => [id, threadId])),
    byAnswer: asThreads(answering),
    byPerson: asThreads(withLeads),
  };
}

/** Undefined where the lead is gone. */
const leadOf = ({ campaignId, leadId }: Match['send']): CampaignLead | undefined =>
  leadId === null ? undefined : { campaignId, leadId };

/** Takes the subject of the campaign's message: a report has one of its own. */
const newThread = ({ subject, receivedAt }: ReadMessage, match: Match | undefined): NewThread => ({
  campaignId: match?.send.campaignId ?? null,
  leadId: match?.send.leadId ?? null,
  subject: (match?.send.subject || subject).slice(0, MAX_SUBJECT_CHARS),
  lastMessageAt: receivedAt,
});
