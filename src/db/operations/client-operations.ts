/** Operations of a user, as clients list them. */
import { sql, type Kysely } from 'kysely';
import type { ClientState } from '../../domain/operations/client-operations.ts';
import type { FlowKind, ResourceType } from '../../domain/operations/flows.ts';
import type { StepProgress } from '../../domain/operations/operations.ts';
import type { Database } from '../tables.ts';
import { clientMessage, shownState } from './operation-states.ts';

export interface ClientOperation {
  id: number;
  kind: FlowKind;
  resourceType: ResourceType;
  /** As clients know it: of a reply or forward the message, 0 once that is deleted. */
  resourceId: number;
  /** How far a reply or forward is; null for other jobs. */
  delivery: string | null;
  state: ClientState;
  summary: string;
  step: string | null;
  steps: StepProgress[];
  message: string;
  /** Of a job that counts and whose resource clients do not see any more; null for others. */
  progress: { done: number; total: number } | null;
  /** What the order is about; null where it has no such name. */
  domain: string | null;
  error_code: string | null;
  error_message: string | null;
  /** The step waits, and running it again is one of the answers. */
  mayRetry: boolean;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  updatedAt: Date;
}

/** Only operations on `resourceTypes`; what else is given has to match, too. */
export interface ClientOperationFilter {
  userId: string;
  resourceTypes: readonly ResourceType[];
  id?: number | undefined;
  resourceId?: number | undefined;
  kind?: FlowKind | undefined;
  state?: ClientState | undefined;
}

const DELETION: FlowKind = 'deleteLeadList';

const state = sql<ClientState>`case when o.state = 'succeeded' then 'completed' else ${shownState} end`;

/** Clients know what was written by its message in the inbox, not by the row that its workflow works for. */
const LETTER: ResourceType = 'outgoing_letter';
const ofLetter = (column: 'message_id' | 'state') => sql`(
  select letter.${sql.ref(column)} from outgoing_letters as letter
  where o.resource_type = ${LETTER} and letter.id = o.resource_id)`;
const clientId = sql<number>`case when o.resource_type = ${LETTER}
  then coalesce(${ofLetter('message_id')}, 0) else o.resource_id end`;
const isAbout = (resourceId: number) => sql`(
  (o.resource_type <> ${LETTER} and o.resource_id = ${resourceId})
  or (o.resource_type = ${LETTER}
    and o.resource_id in (select id from outgoing_letters where message_id = ${resourceId})))`;

/** A list that is being deleted is gone for its owner. */
const progress = sql`(
  select json_build_object('done', removed_leads, 'total', greatest(deleted_leads, removed_leads))
  from lead_lists as list where o.kind = ${DELETION} and list.id = o.resource_id
    and list.deleted_at is not null)`;

/** The newest block says what may be answered. */
const mayRetry = sql<boolean>`coalesce(o.blocked_at is not null and o.finished_at is null
  and (select e.detail -> 'actions' ? 'retry' from operation_events e
    where e.operation_id = o.id and e.kind = 'blocked' order by e.id desc limit 1), false)`;

function matching({
  userId,
  resourceTypes,
  id,
  resourceId,
  kind,
  ...filter
}: ClientOperationFilter) {
  const conditions = [
    sql`o.user_id = ${userId}`,
    sql`o.resource_type = any(${sql.val([...resourceTypes])}::text[])`,
  ];
  if (id !== undefined) conditions.push(sql`o.id = ${id}`);
  if (resourceId !== undefined) conditions.push(isAbout(resourceId));
  if (kind !== undefined) conditions.push(sql`o.kind = ${kind}`);
  if (filter.state !== undefined) conditions.push(sql`${state} = ${filter.state}`);
  return sql`from operations o where ${sql.join(conditions, sql` and `)}`;
}

/** Newest first. */
export async function listClientOperations(
  db: Kysely<Database>,
  filter: ClientOperationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ClientOperation[]> {
  const { rows } = await sql<ClientOperation>`
    select o.id, o.kind, o.resource_type as "resourceType", ${clientId} as "resourceId",
      ${ofLetter('state')} as delivery, ${state} as state, o.summary, o.step, o.steps, ${clientMessage} as message,
      ${progress} as progress, o.input ->> 'domain' as domain,
      o.error_code, o.error_message, ${mayRetry} as "mayRetry", o.created_at as "createdAt",
      o.started_at as "startedAt", o.finished_at as "finishedAt", o.updated_at as "updatedAt"
    ${matching(filter)} order by o.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function countClientOperations(
  db: Kysely<Database>,
  filter: ClientOperationFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${matching(filter)}`.execute(db);
  return rows[0]!.count;
}
