/** States of operations: which are being undone, and which are unfinished on a resource. */
import { sql, type Kysely } from 'kysely';
import type { ResourceType } from '../../domain/operations/flows.ts';
import type { OperationState } from '../../domain/operations/operations.ts';
import type { Operation } from './operations.ts';
import type { Database } from '../tables.ts';

/** Of operations `o`: a job without steps writes no progress into its row: started, it runs until it has ended. */
export const shownState = sql<OperationState>`case
  when o.state = 'pending' and o.steps = '[]' and o.started_at is not null then 'running'
  else o.state end`;

/** Undefined where there is no such operation. */
export async function findOperationState(
  db: Kysely<Database>,
  id: number,
): Promise<OperationState | undefined> {
  const row = await db
    .selectFrom('operations')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state;
}

/** Operations on a resource that have not ended, oldest first. */
export const listOpenOperations = (
  db: Kysely<Database>,
  resourceType: ResourceType,
  resourceId: number,
): Promise<Operation[]> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('resource_type', '=', resourceType)
    .where('resource_id', '=', resourceId)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute();
