/** The simulated hosts of the mailboxes, and the processes that store what came in there. */
import type { Context } from '../../../src/context.ts';
import { lookAhead } from '../../../activities/inbox/look-ahead.ts';
import { readMessage } from '../../../activities/inbox/read-message.ts';
import { storeMessages } from '../../../activities/inbox/store-messages.ts';
import { openFolderRow } from '../../../src/db/inbox/mailbox-folders.ts';
import { rawMessage } from '../../support/inbox/inbox-message-text.ts';
import type { GivenAnswer } from './answers.ts';
import type { Processes } from './mortal-process.ts';

const PATH = 'INBOX';
const UID_VALIDITY = 1;

export type Deliver = (
  answer: GivenAnswer,
  words: { userId: string; from: string; text: string },
) => Promise<void>;

/** One after the other. Resolves when it is stored. */
export function createInbox(
  { config, recipientLinks }: Pick<Context, 'config' | 'recipientLinks'>,
  processes: Processes,
): Deliver {
  const uids = new Map<number, number>();
  return async (answer, { userId, from, text }) => {
    const { mailboxId, inReplyTo, subject, messageId } = answer;
    const uid = (uids.get(mailboxId) ?? 0) + 1;
    uids.set(mailboxId, uid);
    const at = new Date(answer.at);
    const source = Buffer.from(
      rawMessage({
        from,
        subject,
        text,
        date: at,
        id: messageId.slice(1, -1),
        headers: { 'In-Reply-To': inReplyTo, References: inReplyTo },
      }),
    );
    const fetched = { uid, flags: [], internalDate: at, sizeBytes: source.length, source };
    const read = await readMessage({ ...fetched, isWhole: true }, new Set());
    await processes.untilDone(async (db) => {
      const key = { mailboxId, path: PATH };
      const role = 'inbox' as const;
      const { last_uid: fromUid } = await db
        .transaction()
        .execute((trx) => openFolderRow(trx, key, { role, uidValidity: UID_VALIDITY }));
      // A process that died after its commit has stored it.
      if (fromUid >= uid) return;
      const folder = { ...key, userId, role, uidValidity: UID_VALIDITY };
      const context = { db, config, recipientLinks };
      const ahead = await lookAhead(context, folder, [read]);
      await storeMessages(context, folder, { messages: [read], fromUid, toUid: uid, ahead });
    });
  };
}
