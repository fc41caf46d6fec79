/** Stores messages with the cursor after them, a batch in one transaction. */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { isDataError } from '../../src/db/data-errors.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { holdForOutcomes } from '../../src/db/campaigns/answer-locks.ts';
import { CAME_BY_JUNK, JUNK_LABEL, takeOutOfJunk } from '../../src/db/inbox/inbox-changes.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import { insertPlaces, moveCursor } from '../../src/db/inbox/mailbox-folders.ts';
import { findMessages, insertMessages, type NewMessage } from '../../src/db/inbox/messages.ts';
import type { Database } from '../../src/db/tables.ts';
import { causesOf } from '../../src/domain/database-down.ts';
import { announceAnswers } from './announce-answers.ts';
import { askLater, judgeAnswers } from './judge-answers.ts';
import { insertCampaignMessages } from './campaign-messages.ts';
import { withoutErased } from './erased-messages.ts';
import { firstOfEach, type Ahead } from './look-ahead.ts';
import { kindOf, matchSends, type Match, type MatchTools } from './match-sends.ts';
import type { FolderRead, ReadMessage } from './read-message.ts';
import { planForStored } from './plan-starts.ts';
import { recordOutcome } from './record-outcomes.ts';
import { assignThreads } from './threads.ts';
import { runSerially } from './serial-work.ts';
import { asUnstorable } from './unstorable-messages.ts';

/** Another worker reads this folder: what was read must not be stored. */
export class CursorMoved extends Error {}

/** Messages above `fromUid` up to `toUid`; warm-up messages are left out of them. */
export interface MessageBatch {
  messages: readonly ReadMessage[];
  fromUid: number;
  toUid: number;
  ahead: Ahead;
}

type StoreContext = MatchTools &
  Partial<Pick<Context, 'logger'>> & {
    /** Of the reading of the mailbox: once it has fired, nobody waits for what is being stored. */
    signal?: AbortSignal | undefined;
  };

/**
 * A known message (from another folder, or from before the UIDs changed) only gets another location, and is junk no
 * more once it is in the inbox.
 * Where the database rejects a message's content, the others are stored one by one, with a note in its
 * place: one message must not block a mailbox.
 */
export async function storeMessages(
  context: StoreContext,
  folder: FolderRead,
  batch: MessageBatch,
): Promise<{ added: number }> {
  try {
    return await storeBatch(context, folder, batch);
  } catch (error) {
    if (!isDataError(error) || batch.messages.length === 0) throw error;
    return storeEach(context, folder, batch);
  }
}

async function storeEach(
  context: StoreContext,
  folder: FolderRead,
  batch: MessageBatch,
): Promise<{ added: number }> {
  const messages = batch.messages.toSorted((a, b) => a.uid - b.uid);
  let added = 0;
  let { fromUid } = batch;
  for (const [at, message] of messages.entries()) {
    const toUid = at === messages.length - 1 ? batch.toUid : message.uid;
    const store = async (tried: readonly ReadMessage[]) =>
      (await storeBatch(context, folder, { ...batch, messages: tried, fromUid, toUid })).added;
    added += await store([message])
      .catch((error: unknown) => {
        noteRefused(context, folder, message, error);
        return store([asUnstorable(message)]);
      })
      .catch((error: unknown) => {
        noteRefused(context, folder, message, error);
        return store([]);
      });
    fromUid = toUid;
  }
  return { added };
}

/** Rethrows the error unless the message's content caused it. */
function noteRefused(
  { logger }: StoreContext,
  { mailboxId }: FolderRead,
  { uid }: ReadMessage,
  error: unknown,
): void {
  if (!isDataError(error)) throw error;
  const code = causesOf(error).find((cause) => cause.code !== undefined)?.code;
  logger?.error({ mailboxId, uid, code }, 'a message could not be stored');
}

async function storeBatch(
  context: StoreContext,
  folder: FolderRead,
  batch: MessageBatch,
): Promise<{ added: number }> {
  const { recipientLinks, config } = context;
  const { userId, mailboxId, uidValidity } = folder;
  const inTransaction = async (trx: Transaction<Database>) => {
    // An erasure writes its tombstones, then takes this lock: it waits for us, or is seen here.
    await lockInbox(trx, userId);
    const { fromUid, toUid, ahead } = batch;
    if (!(await moveCursor(trx, folder, { uidValidity, fromUid, toUid }))) throw new CursorMoved();
    const messages = await withoutErased(trx, userId, batch.messages);
    const ids = messages.map(({ messageId }) => messageId);
    const known = await findMessages(trx, mailboxId, ids);
    const fresh = firstOfEach(messages).filter(({ messageId }) => !known.has(messageId));
    if (folder.role === 'inbox') {
      await takeOutOfJunk(trx, { userId, ids: [...known.values()].map(({ id }) => id) });
    }
    const added = await addMessages({ trx, recipientLinks, config, ahead }, folder, fresh);
    // Messages that the API has sent meanwhile were not added: they are looked up once more.
    const missing = fresh.filter(({ messageId }) => !added.has(messageId));
    const late = await findMessages(
      trx,
      mailboxId,
      missing.map(({ messageId }) => messageId),
    );
    const idOf = (messageId: string) =>
      added.get(messageId) ?? known.get(messageId)?.id ?? late.get(messageId)!.id;
    const places = messages.map(({ uid, messageId }) => ({ uid, messageId: idOf(messageId) }));
    await insertPlaces(trx, folder, places);
    return { added: added.size };
  };
  const store = () => despiteDeadlocks(() => context.db.transaction().execute(inTransaction));
  return runSerially(userId, store, context.signal);
}

type StoreTools = Omit<MatchTools, 'db'> & { trx: Transaction<Database>; ahead: Ahead };

async function addMessages(
  tools: StoreTools,
  folder: FolderRead,
  messages: readonly ReadMessage[],
): Promise<Map<string, number>> {
  if (messages.length === 0) return new Map();
  const { trx, ahead, recipientLinks } = tools;
  const matches = await matchSends({ db: trx, recipientLinks }, folder, messages);
  const isOpen = (message: ReadMessage) => folder.role !== 'sent' && !ahead.recorded.has(message);
  const open = messages.flatMap((message, at) => {
    const match = matches[at];
    return match && isOpen(message) ? { message, match } : [];
  });
  await holdForOutcomes(
    trx,
    open.map(({ match }) => match.send.campaignId),
  );
  const threadIds = await assignThreads(trx, folder, messages, matches);
  const plain = messages.map((message, at) =>
    asMessage(folder, message, { match: matches[at], threadId: threadIds[at]! }),
  );
  const rows = await judgeAnswers(trx, folder.userId, { messages: plain, judged: ahead.judged });
  const answers = matches.flatMap((match, at) =>
    match && match.by !== 'copy' ? { send: match.send, threadId: threadIds[at]! } : [],
  );
  await insertCampaignMessages(trx, folder.userId, answers);
  const added = await insertMessages(trx, folder, rows);
  if (tools.config.INTEREST_MODEL !== undefined) {
    await askLater(trx, folder.userId, { rows, ids: added });
  }
  if (folder.role !== 'sent') {
    for (const { message, match } of open) {
      if (added.has(message.messageId)) await recordOutcome(tools, message, match);
    }
    const stored = messages.map((message, at) => {
      const inboxId = added.get(message.messageId);
      const { judgement } = rows[at]!;
      return { message, match: matches[at], inboxId, threadId: threadIds[at]!, judgement };
    });
    await announceAnswers(trx, folder, stored);
    await planForStored(trx, added, tools.config);
  }
  return added;
}

function asMessage(
  { role }: FolderRead,
  message: ReadMessage,
  { match, threadId }: { match: Match | undefined; threadId: number },
): NewMessage {
  const isSent = role === 'sent';
  // From the junk folder only answers are shown: the rest is junk.
  const isJunk = role === 'junk' && match === undefined;
  const { headers: _headers, uid: _uid, isSeen, verdict, ...rest } = message;
  return {
    ...rest,
    threadId,
    direction: isSent ? 'outbound' : 'inbound',
    kind: isSent ? 'message' : kindOf(message, match),
    isRead: isSent || isSeen,
    labels: role === 'junk' ? [JUNK_LABEL] : [],
    archived: isJunk,
    campaignId: match?.send.campaignId ?? null,
    leadId: match?.send.leadId ?? null,
    sendId: match?.send.id ?? null,
    facts: isSent ? {} : { ...verdict.facts, ...(role === 'junk' && CAME_BY_JUNK) },
  };
}
