/** Operations of a user, as clients list them. */
import { sql, type Kysely } from 'kysely';
import type { ClientState } from '../../domain/operations/client-operations.ts';
import type { FlowKind, ResourceType } from '../../domain/operations/flows.ts';
import type { StepProgress } from '../../domain/operations/operations.ts';
import type { Database } from '../tables.ts';
import { shownState } from './operation-states.ts';

export interface ClientOperation {
  id: number;
  kind: FlowKind;
  resourceType: ResourceType;
  resourceId: number;
  state: ClientState;
  summary: string;
  step: string | null;
  steps: StepProgress[];
  message: string;
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

const state = sql<ClientState>`case when o.state = 'succeeded' then 'completed' else ${shownState} end`;

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
  if (resourceId !== undefined) conditions.push(sql`o.resource_id = ${resourceId}`);
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
    select o.id, o.kind, o.resource_type as "resourceType", o.resource_id as "resourceId",
      ${state} as state, o.summary, o.step, o.steps, o.message, o.input ->> 'domain' as domain,
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
