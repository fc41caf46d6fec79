/** The inbox of a user: pages, messages, threads, and actions on them. Choice 34. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { planStarts } from '../../db/campaigns/subsequence-starts.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { changeMessages, type MessagePatch } from '../../db/inbox/inbox-changes.ts';
import { readUnreadCount } from '../../db/inbox/inbox-counts.ts';
import type { InboxFilter } from '../../db/inbox/inbox-filters.ts';
import {
  findUserMessage,
  listAttachments,
  listLabels,
  listThreadMessages,
  type Attachment,
  type Message,
} from '../../db/inbox/inbox-messages.ts';
import { readMessagePage, type MessagePage } from '../../db/inbox/inbox-pages.ts';
import type { MessagePosition } from '../../db/inbox/inbox-searches.ts';
import { MAX_COUNTED } from '../../db/pages.ts';
import type { Database } from '../../db/tables.ts';
import {
  findUserThread,
  listThreads,
  type Thread,
  type ThreadFilter,
  type ThreadPosition,
} from '../../db/inbox/inbox-threads.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { DecidedKind } from '../../domain/inbox/inbox.ts';
import type { Interest } from '../../domain/inbox/interest/interest.ts';
import { wakeCampaignsOf } from '../campaigns/campaign-wakes.ts';
import { correctInterest } from './inbox-interest.ts';
import { decideKind } from './inbox-review.ts';
import { reschedule, tellOfSchedule } from './scheduled-replies.ts';

export {
  MAX_COUNTED,
  type Attachment,
  type InboxFilter,
  type Message,
  type MessagePage,
  type MessagePatch,
  type MessagePosition,
  type Thread,
  type ThreadFilter,
  type ThreadPosition,
};

type Needs = Pick<Context, 'db'>;

/** A message with its files. */
export interface WholeMessage {
  message: Message;
  attachments: Attachment[];
}

export const listUserMessages = (
  { db }: Needs,
  of: { userId: string; filter: InboxFilter },
  page: Parameters<typeof readMessagePage>[2],
): Promise<MessagePage> => readMessagePage(db, of, page);

/** Throws 404 for a foreign message as for a missing one. */
export async function getUserMessage(
  { db }: Needs,
  userId: string,
  id: number,
): Promise<WholeMessage> {
  const message = await findUserMessage(db, userId, id);
  if (!message) throw notFound('message');
  return { message, attachments: await listAttachments(db, [id]) };
}

export const listUserThreads = (
  { db }: Needs,
  of: { userId: string; filter: ThreadFilter },
  page: Parameters<typeof listThreads>[2],
) => listThreads(db, of, page);

/** A thread with a page of its messages, oldest first. */
export async function getUserThread(
  { db }: Needs,
  { userId, id }: { userId: string; id: number },
  page: { limit: number; offset: number },
): Promise<{ thread: Thread; messages: WholeMessage[] }> {
  const thread = await findUserThread(db, userId, id);
  if (!thread) throw notFound('thread');
  const messages = await listThreadMessages(db, { userId, threadId: id }, page);
  const attachments = await listAttachments(
    db,
    messages.filter(({ has_attachments }) => has_attachments).map((message) => message.id),
  );
  return {
    thread,
    messages: messages.map((message) => ({
      message,
      attachments: attachments.filter(({ message_id }) => message_id === message.id),
    })),
  };
}

interface MessageChanges extends MessagePatch {
  kind?: DecidedKind | undefined;
  interest?: Interest | null | undefined;
  sendAt?: Date | null | undefined;
}

/**
 * Changes one message; 404 when there is none. A snooze ends in the future. `kind`: what a person
 * decides about a message that needs review; `interest`: what they say that an answer means; `sendAt`: when
 * one that waits is sent, null for now.
 */
export async function changeUserMessage(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>,
  { userId, id }: { userId: string; id: number },
  { kind, interest, sendAt, ...patch }: MessageChanges,
): Promise<WholeMessage> {
  const { snoozedUntil } = patch;
  if (snoozedUntil && snoozedUntil <= context.clock.now()) {
    throw invalid('VALIDATION_ERROR', 'snoozedUntil must be in the future', [
      { field: 'snoozedUntil', message: 'snoozedUntil must be in the future' },
    ]);
  }
  const change = async (trx: Transaction<Database>) => {
    const isJudged = interest !== undefined;
    const was = await findUserMessage(trx, userId, id);
    const moved = sendAt !== undefined && (await reschedule(context, trx, { userId, id, sendAt }));
    const decided = kind && (await decideKind(context, trx, { userId, id, kind, isJudged }));
    if (isJudged) await correctInterest(context, trx, { userId, id, interest });
    if (kind !== undefined || isJudged) {
      const { DAY_SECONDS: daySeconds } = context.config;
      await planStarts(trx, [id], { now: context.clock.now(), daySeconds });
    }
    const changed = await changeMessages(trx, { userId, ids: [id] }, patch);
    if (changed.length === 0) throw notFound('message');
    noteChange(toldOf(was, { ...patch, kind, interest, sendAt }));
    if (moved) await tellOfSchedule(context, trx, moved);
    return decided;
  };
  const mailboxId = await despiteDeadlocks(() => commitOnce(context.db, change));
  if (mailboxId !== undefined) await wakeCampaignsOf(context, [mailboxId]);
  return getUserMessage(context, userId, id);
}

/** The fields that a request gives: what they were, and what they are. */
function toldOf(was: Message | undefined, changes: MessageChanges) {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const earlier: Record<string, unknown> = {
    isRead: was?.is_read,
    labels: was?.labels,
    archived: was?.archived,
    snoozedUntil: was?.snoozed_until,
    kind: was?.kind,
    interest: was?.interest,
    sendAt: was?.delivery_send_at,
  };
  const before = Object.fromEntries(given.map(([name]) => [name, earlier[name] ?? null]));
  return { before, after: Object.fromEntries(given) };
}

/** Foreign and missing ids are left out of the answer. */
export const markUserMessages = (
  { db }: Needs,
  { userId, ids }: { userId: string; ids: readonly number[] },
  isRead: boolean,
): Promise<number[]> =>
  commitOnce(db, async (trx) => {
    const changed = await changeMessages(trx, { userId, ids }, { isRead });
    noteChange({ before: null, after: { isRead, ids: changed } });
    return changed;
  });

export const countUnread = ({ db }: Needs, userId: string) => readUnreadCount(db, userId);

export const listUserLabels = ({ db }: Needs, userId: string) => listLabels(db, userId);
