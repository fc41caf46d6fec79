/** The inbox of a user: pages, letters, threads, and what a reader does with them. Choice 34. */
import type { Context } from '../../context.ts';
import { changeLetters, type LetterPatch } from '../../db/inbox/inbox-changes.ts';
import { readUnreadCount } from '../../db/inbox/inbox-counts.ts';
import type { InboxFilter } from '../../db/inbox/inbox-filters.ts';
import {
  findUserLetter,
  listAttachments,
  listLabels,
  listThreadLetters,
  type Attachment,
  type Letter,
} from '../../db/inbox/inbox-letters.ts';
import {
  MAX_COUNTED,
  readLetterPage,
  type LetterPage,
  type LetterPosition,
} from '../../db/inbox/inbox-pages.ts';
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
import { wakeCampaignsOf } from '../campaigns/campaign-wakes.ts';
import { decideKind } from './inbox-review.ts';

export {
  MAX_COUNTED,
  type Attachment,
  type InboxFilter,
  type Letter,
  type LetterPage,
  type LetterPatch,
  type LetterPosition,
  type Thread,
  type ThreadFilter,
  type ThreadPosition,
};

type Needs = Pick<Context, 'db'>;

/** A letter with its files. */
export interface WholeLetter {
  letter: Letter;
  attachments: Attachment[];
}

export const listUserLetters = (
  { db }: Needs,
  of: { userId: string; filter: InboxFilter },
  page: Parameters<typeof readLetterPage>[2],
): Promise<LetterPage> => readLetterPage(db, of, page);

/** Throws 404 for a foreign letter as for a missing one. */
export async function getUserLetter(
  { db }: Needs,
  userId: string,
  id: number,
): Promise<WholeLetter> {
  const letter = await findUserLetter(db, userId, id);
  if (!letter) throw notFound('message');
  return { letter, attachments: await listAttachments(db, [id]) };
}

export const listUserThreads = (
  { db }: Needs,
  of: { userId: string; filter: ThreadFilter },
  page: Parameters<typeof listThreads>[2],
) => listThreads(db, of, page);

/** A thread with a page of its letters, oldest first. */
export async function getUserThread(
  { db }: Needs,
  { userId, id }: { userId: string; id: number },
  page: { limit: number; offset: number },
): Promise<{ thread: Thread; letters: WholeLetter[] }> {
  const thread = await findUserThread(db, userId, id);
  if (!thread) throw notFound('thread');
  const letters = await listThreadLetters(db, { userId, threadId: id }, page);
  const attachments = await listAttachments(
    db,
    letters.filter(({ has_attachments }) => has_attachments).map((letter) => letter.id),
  );
  return {
    thread,
    letters: letters.map((letter) => ({
      letter,
      attachments: attachments.filter(({ message_id }) => message_id === letter.id),
    })),
  };
}

/**
 * Changes one letter; 404 when there is none. A snooze ends in the future. `kind`: what a letter is
 * that needs a person to say so.
 */
export async function changeUserLetter(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>,
  { userId, id }: { userId: string; id: number },
  { kind, ...patch }: LetterPatch & { kind?: DecidedKind | undefined },
): Promise<WholeLetter> {
  const { snoozedUntil } = patch;
  if (snoozedUntil && snoozedUntil <= context.clock.now()) {
    throw invalid('VALIDATION_ERROR', 'snoozedUntil must be in the future', [
      { field: 'snoozedUntil', message: 'snoozedUntil must be in the future' },
    ]);
  }
  const mailboxId = await context.db.transaction().execute(async (trx) => {
    const decided = kind && (await decideKind(context, trx, { userId, id, kind }));
    const changed = await changeLetters(trx, { userId, ids: [id] }, patch);
    if (changed.length === 0) throw notFound('message');
    return decided;
  });
  if (mailboxId !== undefined) await wakeCampaignsOf(context, [mailboxId]);
  return getUserLetter(context, userId, id);
}

/** Foreign and missing ids are left out of the answer. */
export const markUserLetters = (
  { db }: Needs,
  { userId, ids }: { userId: string; ids: readonly number[] },
  isRead: boolean,
): Promise<number[]> => commitOnce(db, (trx) => changeLetters(trx, { userId, ids }, { isRead }));

export const countUnread = ({ db }: Needs, userId: string) => readUnreadCount(db, userId);

export const listUserLabels = ({ db }: Needs, userId: string) => listLabels(db, userId);
