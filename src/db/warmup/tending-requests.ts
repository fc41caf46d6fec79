/** A mailbox has one IMAP connection, its inbox's: warm-up asks in the mailbox's row for what it needs there. */
import { sql, type Kysely } from 'kysely';
import type { ResourceType } from '../../domain/operations/flows.ts';
import type { Database } from '../tables.ts';

const READER = 'inbox_sync' satisfies ResourceType;

/**
 * Asks whoever reads the mailbox, in whatever worker, to handle its warm-up messages. False where nobody reads it: its
 * inbox has no operation yet.
 */
export async function askReader(
  db: Kysely<Database>,
  mailboxId: number,
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into mailbox_syncs (mailbox_id, warmup_asked_at)
    select mailbox_id, ${at} from mailbox_hosts as host
    where mailbox_id = ${mailboxId} and exists (select from operations
      where resource_type = ${READER} and resource_id = host.inbox_id and finished_at is null)
    on conflict (mailbox_id) do update set warmup_asked_at = excluded.warmup_asked_at`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Whether its warm-up has asked for something that is not done yet. */
export async function hasAskedReader(db: Kysely<Database>, mailboxId: number): Promise<boolean> {
  const row = await db
    .selectFrom('mailbox_syncs')
    .select('mailbox_id')
    .where('mailbox_id', '=', mailboxId)
    .where('warmup_asked_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
