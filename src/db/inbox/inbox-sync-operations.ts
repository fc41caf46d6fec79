/** Every active cluster with a mailbox has an operation that reads it. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { syncInboxFlow } from '../../domain/inbox/flows.ts';
import type { Pace } from '../../domain/operations/operations.ts';
import { insertOperation, type Operation } from '../operations/operations.ts';
import type { Database } from '../tables.ts';

/** Most clusters of one batch; the next batch follows within seconds. */
const BATCH = 200;
/** PostgreSQL, appendix A. */
const UNIQUE_VIOLATION = '23505';

interface Unread {
  cluster_id: number;
  name: string;
  user_id: string;
  pace: Pace;
  runs: number;
}

/**
 * Writes the missing operations: for a cluster whose first mailbox has become active, and for one whose sync
 * has ended though the cluster is live. The pace is that of the mailbox's creation. Returns what is to be
 * started; an operation that another process has just written is started by that process. `clusterId`,
 * `userId`: for this cluster, or this user, only.
 */
export async function insertMissingInboxSyncs(
  db: Kysely<Database>,
  { clusterId, userId }: { clusterId?: number; userId?: string } = {},
): Promise<Operation[]> {
  const { rows } = await sql<Unread>`
    select distinct on (clusters.id) clusters.id as cluster_id, clusters.name, clusters.user_id,
      made.input -> 'pace' as pace,
      (select count(*)::integer from operations
        where resource_type = ${syncInboxFlow.resource} and resource_id = clusters.id) as runs
    from clusters
    join mailboxes on mailboxes.cluster_id = clusters.id and mailboxes.status = 'active'
    join operations made on made.id = mailboxes.operation_id and made.input ? 'pace'
    where clusters.status = 'active' ${clusterId === undefined ? sql`` : sql`and clusters.id = ${clusterId}`}
      ${userId === undefined ? sql`` : sql`and clusters.user_id = ${userId}`}
      and not exists (
      select from operations
      where resource_type = ${syncInboxFlow.resource} and resource_id = clusters.id and finished_at is null)
    order by clusters.id, mailboxes.id
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
  const { cluster_id: clusterId, name, user_id: userId, pace, runs } = row;
  return insertOperation(
    trx,
    syncInboxFlow,
    { clusterId, pace },
    {
      userId,
      // A workflow id is used once: the next run of a cluster gets a number.
      run: runs + 1,
      summary: `Read the mailboxes of ${name}`,
      requested: { actor: 'system', reason: 'a mailbox is active' },
    },
  );
}
