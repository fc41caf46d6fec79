/** Warm-up of a mailbox on Dovecot: its rows, and messages of a partner that are to arrive. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { newToken } from '../../../activities/warmup/plan-day.ts';
import { enrolWarmup, updateWarmup } from '../../../src/db/warmup/warmups.ts';
import type { Database } from '../../../src/db/tables.ts';
import { warmUpMailboxFlow } from '../../../src/domain/warmup/flows.ts';
import { warmupMessageId } from '../../../src/domain/warmup/warmup-message-id.ts';
import { DEFAULT_WARMUP } from '../../../src/domain/warmup/warmup.ts';
import { addOperation } from '../workflows/operations.ts';
import type { SyncedUser } from './dovecot-mailboxes.ts';

/** As by a start; answers its operation. */
export const enrolFirst = (
  db: Kysely<Database>,
  { mailboxId, userId }: SyncedUser,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await enrolWarmup(trx, { id: mailboxId, userId }, { ...DEFAULT_WARMUP, weekdaysOnly: false });
    await updateWarmup(trx, mailboxId, { status: 'warming', run: 1 });
    const given = { userId, workflowId: `warmup/${randomUUID()}`, resourceId: mailboxId };
    return (await addOperation(trx, warmUpMailboxFlow, given)).id;
  });

/** The row of a message from the second mailbox to the first; `name` is its Message-ID without brackets. */
export async function addExpected(
  db: Kysely<Database>,
  { email, mailboxId, mailboxes }: SyncedUser,
): Promise<{ id: number; name: string }> {
  const name = warmupMessageId(newToken(), email.split('@')[1]!).slice(1, -1);
  const at = new Date();
  const { id } = await db
    .insertInto('warmup_letters')
    .values({
      from_mailbox_id: mailboxes[1]!.id,
      to_mailbox_id: mailboxId,
      to_address: email,
      message_id: `<${name}>`,
      state: 'sent',
      planned_at: at,
      claimed_at: at,
      sent_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

export const messageOf = (db: Kysely<Database>, id: number) =>
  db.selectFrom('warmup_letters').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
