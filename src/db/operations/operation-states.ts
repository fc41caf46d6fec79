/** States of operations: which are being undone, and which are unfinished on a resource. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ResourceType } from '../../domain/operations/flows.ts';
import type { OperationState } from '../../domain/operations/operations.ts';
import type { Operation } from './operations.ts';
import type { Database } from '../tables.ts';

/** A job that stands still, until its owner or an operator resumes it, has no state of its own in its row. */
export type ShownState = OperationState | 'paused';

/** Of operations `o`. The rows that jobs work for are the truth: `JobRows`. */
export const isPaused = sql<boolean>`(o.finished_at is null and case o.resource_type
  when 'campaign' then exists (select from campaigns c where c.id = o.resource_id and c.status = 'paused')
  when 'lead_process' then exists (
    select from lead_processes p where p.id = o.resource_id and p.status = 'paused')
  when 'warmup' then exists (
    select from warmups w where w.mailbox_id = o.resource_id and w.status = 'paused')
  else false end)`;

/** Of operations `o`: a job without steps writes no progress into its row: started, it runs until it has ended. */
export const shownState = sql<ShownState>`case
  when ${isPaused} then 'paused'
  when o.state = 'pending' and o.steps = '[]' and o.started_at is not null then 'running'
  else o.state end`;

/** What the service pauses a campaign for is in its row; who else asked for a pause, and why, is in the log. */
const messageWith = (
  request: RawBuilder<string>,
) => sql<string>`case when ${isPaused} then coalesce(
  (select 'Paused by the service: ' || c.pause_reason from campaigns c
    where o.resource_type = 'campaign' and c.id = o.resource_id and c.pause_reason <> 'user'),
  (select ${request} from operation_events e
    where e.operation_id = o.id and e.kind = 'pause_requested' order by e.id desc limit 1),
  'Paused') else o.message end`;

const request = sql<string>`concat('Paused by ', e.actor, ': ' || nullif(e.reason, ''))`;

/** For operators. */
export const shownMessage = messageWith(request);

/** For the owner, who reads neither the names of operators nor what they write to each other. */
export const clientMessage = messageWith(
  sql`case when e.actor like 'user:%' then ${request} else 'Paused by an operator' end`,
);

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
