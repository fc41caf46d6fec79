/**
 * What is done with new messages before they wait for the inbox of their account: that one is held while any
 * mailbox of the account stores a batch, and by erasures. Choice 153.
 */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { isDataError } from '../../src/db/data-errors.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { findMessages } from '../../src/db/inbox/messages.ts';
import { judgeInterest, type Judgement } from '../../src/domain/inbox/interest/index.ts';
import type { MessageKind } from '../../src/domain/inbox/inbox.ts';
import { withoutErased } from './erased-messages.ts';
import { kindOf, matchSends, type Match, type MatchTools } from './match-sends.ts';
import type { FolderRead, ReadMessage } from './read-message.ts';
import { recordOutcome } from './record-outcomes.ts';

export interface Ahead {
  /** Messages whose outcomes are recorded: not by their Message-IDs, which different messages may share. */
  recorded: ReadonlySet<ReadMessage>;
  /** What the rules say of answers, by their texts. */
  judged: ReadonlyMap<string, Judgement>;
}

export type AheadContext = MatchTools &
  Partial<Pick<Context, 'logger'>> & {
    /** Of the reading of the mailbox: once it has fired, what is left is read again. */
    signal?: AbortSignal | undefined;
  };

/** Nobody may be written to after these: they wait for no other work of the account. */
const STOPPING: ReadonlySet<MessageKind> = new Set(['bounce', 'complaint', 'unsubscribe_request']);

/** Answers that are judged before others of the process have their turn. */
const AT_ONCE = 4;

export const NOTHING_AHEAD: Ahead = { recorded: new Set(), judged: new Map() };

/**
 * Records who has bounced, complained or unsubscribed, each in a transaction of its own, which takes only the
 * locks of that recipient; and asks the rules what answers mean, which takes time. Safe to repeat: where the
 * process dies before the messages are stored they are read again, and recording them again changes nothing.
 */
export async function lookAhead(
  context: AheadContext,
  folder: FolderRead,
  read: readonly ReadMessage[],
): Promise<Ahead> {
  if (folder.role === 'sent' || read.length === 0) return NOTHING_AHEAD;
  try {
    return await lookAtNew(context, folder, read);
  } catch (error) {
    // Storing finds which message it is, and puts a note in its place.
    if (!isDataError(error)) throw error;
    return NOTHING_AHEAD;
  }
}

async function lookAtNew(
  context: AheadContext,
  folder: FolderRead,
  read: readonly ReadMessage[],
): Promise<Ahead> {
  const { db, signal } = context;
  const ids = read.map(({ messageId }) => messageId);
  const known = await findMessages(db, folder.mailboxId, ids);
  const messages = firstOfEach(await withoutErased(db, folder.userId, read)).filter(
    ({ messageId }) => !known.has(messageId),
  );
  const matches = await matchSends(context, folder, messages);
  const recorded = new Set<ReadMessage>();
  const judged = new Map<string, Judgement>();
  for (const [at, message] of messages.entries()) {
    if (signal?.aborted) break;
    const match = matches[at];
    const kind = kindOf(message, match);
    if (match && STOPPING.has(kind) && (await isRecorded(context, message, match))) {
      recorded.add(message);
    }
    if (kind !== 'reply') continue;
    if (judged.size % AT_ONCE === 0) await yieldToEvents();
    judged.set(message.bodyText, judgeInterest(message.bodyText));
  }
  return { recorded, judged };
}

/** Copies of one message in one batch are one message in several locations; only the first one is stored. */
export function firstOfEach(messages: readonly ReadMessage[]): ReadMessage[] {
  const seen = new Set<string>();
  return messages.filter(({ messageId }) => !seen.has(messageId) && seen.add(messageId));
}

/** False where the database refuses what the message says: it is left to storing. */
async function isRecorded(
  { db, config, logger }: AheadContext,
  message: ReadMessage,
  match: Match,
): Promise<boolean> {
  const record = () =>
    db.transaction().execute((trx) => recordOutcome({ trx, config }, message, match));
  try {
    await despiteDeadlocks(record);
    return true;
  } catch (error) {
    if (!isDataError(error)) throw error;
    logger?.error({ uid: message.uid, sendId: match.send.id }, 'an outcome could not be recorded');
    return false;
  }
}
