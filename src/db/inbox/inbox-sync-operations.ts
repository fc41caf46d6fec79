/** Every active cluster with a mailbox, and every account with connected ones, has an operation that reads them. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { syncInboxFlow } from '../../domain/inbox/flows.ts';
import type { Pace } from '../../domain/operations/operations.ts';
import { insertOperation, type Operation } from '../operations/operations.ts';
import type { Database } from '../tables.ts';

/** Most inboxes of one batch; the next batch follows within seconds. */
const BATCH = 200;
/** PostgreSQL, appendix A. */
const UNIQUE_VIOLATION = '23505';

interface Unread {
  inbox_id: number;
  name: string;
  user_id: string;
  pace: Pace;
  runs: number;
}

/**
 * Writes the missing operations: for an inbox whose first mailbox has become active, and for one whose sync
 * has ended though the inbox is live. The pace is that of the mailbox's creation. Returns what is to be
 * started; an operation that another process has just written is started by that process. `mailboxId`,
 * `userId`: for the inbox of this mailbox, or of this user, only.
 */
export async function insertMissingInboxSyncs(
  db: Kysely<Database>,
  { mailboxId, userId }: { mailboxId?: number; userId?: string } = {},
): Promise<Operation[]> {
  const { rows } = await sql<Unread>`
    select distinct on (host.inbox_id) host.inbox_id,
      coalesce(clusters.name, 'the account') as name, mailboxes.user_id,
      made.input -> 'pace' as pace,
      (select count(*)::integer from operations
        where resource_type = ${syncInboxFlow.resource} and resource_id = host.inbox_id) as runs
    from mailboxes
    join mailbox_hosts as host on host.mailbox_id = mailboxes.id
    left join clusters on clusters.id = mailboxes.cluster_id
    join operations made on made.id = mailboxes.operation_id and made.input ? 'pace'
    where mailboxes.status = 'active' and host.inbox_status = 'active' and host.inbox_id is not null
      ${mailboxId === undefined ? sql`` : sql`and mailboxes.id = ${mailboxId}`}
      ${userId === undefined ? sql`` : sql`and mailboxes.user_id = ${userId}`}
      and not exists (
      select from operations
      where resource_type = ${syncInboxFlow.resource} and resource_id = host.inbox_id
        and finished_at is null)
    order by host.inbox_id, mailboxes.id
    limit ${BATCH}`.execute(db);
  const written: Operation[] = [];
  for (const row of rows) {
    const operation = await db
      .transaction()
      .execute((trx) => insertSync(trx, row))
      .catch(ofSomebodyElse);
    if (operation) written.push(operation);
  }
  return written;
}

/** The workflow's id is unique: of two concurrent writers, one succeeds. */
function ofSomebodyElse(error: unknown): undefined {
  if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
}

function insertSync(trx: Transaction<Database>, row: Unread): Promise<Operation> {
  const { inbox_id: inboxId, name, user_id: userId, pace, runs } = row;
  return insertOperation(
    trx,
    syncInboxFlow,
    { clusterId: inboxId, pace },
    {
      userId,
      // A workflow id is used once: the next run of an inbox gets a number.
      run: runs + 1,
      summary: `Read the mailboxes of ${name}`,
      requested: { actor: 'system', reason: 'a mailbox is active' },
    },
  );
}
