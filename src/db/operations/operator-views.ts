/** Operators' views of operations: lists, one with its log, and that of a cluster. */
import { sql, type Kysely } from 'kysely';
import type { OperationState, StepProgress } from '../../domain/operations/operations.ts';
import type { Database } from '../tables.ts';
import { isPaused, shownMessage, shownState, type ShownState } from './operation-states.ts';
import { listUnsyncedMailboxes, type UnsyncedMailbox } from './unsynced-mailboxes.ts';

/** One line of the operators' list. */
export interface OperationLine {
  id: number;
  kind: string;
  state: ShownState;
  step: string | null;
  /** The vendor of the step; null where there is none, or none is known yet. */
  provider: string | null;
  /** That vendor, and all others that failed before the step was blocked: each may be the cause. */
  vendors: string[];
  /** `cluster/7` */
  resource: string;
  userId: string;
  workflowId: string;
  /** Since when it is blocked; null = it is not. */
  blockedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  /** What it waits for or does, as its session, page or step last said; null: nothing was said. */
  waitsFor: string | null;
  /** How many mailboxes a sync does not read; 0 for all other operations. */
  unreadMailboxes: number;
  updatedAt: Date;
}

export interface OperationFilter {
  /** Only blocked ones, undos included. */
  blocked?: boolean | undefined;
  step?: string | undefined;
  kind?: string | undefined;
  /** One of `vendors`. */
  provider?: string | undefined;
  /** The code of its error, or what a validation waits for. */
  cause?: string | undefined;
  limit: number;
}

/** From the newest intent of the step; otherwise from its server or domain: a step of a vendor's is named here. */
const provider = sql<string | null>`coalesce(
  (select r.provider from provider_resources r
    where r.operation_id = o.id and r.step = o.step order by r.generation desc limit 1),
  case when o.step in ('server_create', 'ptr_setup', 'server_delete') then
    (select s.provider from clusters c join servers s on s.id = c.server_id
      where o.resource_type = 'cluster' and c.id = o.resource_id) end,
  case when o.step in ('domain_purchase', 'dns_setup', 'verify', 'dns_withdraw') then
    (select d.provider from clusters c join domains d on d.id = c.domain_id
      where o.resource_type = 'cluster' and c.id = o.resource_id) end,
  case when o.step in ('server_reinstall', 'first_boot') then
    (select s.provider from servers s where o.resource_type = 'server' and s.id = o.resource_id) end,
  case when o.step = 'domain_renewal' then
    (select d.provider from domain_renewals n join domains d on d.id = n.domain_id
      where o.resource_type = 'domain_renewal' and n.id = o.resource_id) end)`;

/** The failure that blocks it lists all vendors that refused; the last alternate would hide the others. */
const vendors = sql<string[]>`array(
  select jsonb_array_elements_text(e.detail -> 'vendors') as name from operation_events e
  where o.blocked_at is not null and e.id = (select max(b.id) from operation_events b
    where b.operation_id = o.id and b.kind = 'blocked')
  union select p.name from (select ${provider} as name) as p where p.name is not null
  order by name)`;

const unsyncedMailboxes = sql<number>`case when o.resource_type = 'inbox_sync' then
  (select count(*)::int from mailboxes m join mailbox_syncs y on y.mailbox_id = m.id
    where (m.cluster_id = o.resource_id or m.cluster_id is null and m.user_id = o.user_id
        and exists (select from connected_inboxes i where i.id = o.resource_id)) and m.status = 'active' and y.failing_since is not null)
  else 0 end`;

const utc = (at: ReturnType<typeof sql.ref>) =>
  sql`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/**
 * A shard's job and a validation say it in rows of their own, all others in the message that their client reads. What the
 * last session of a job said is old once the job is paused, or has been handed back.
 */
const waitsFor = sql<string | null>`case
  when o.finished_at is not null or ${isPaused} then null
  when o.resource_type in ('campaign', 'inbox_sync', 'warmup') then
    (select coalesce(job.error, case when job.due_at > now()
        then job.note || '; looked at again at ' || ${utc(sql.ref('job.due_at'))} else job.note end)
      from shard_jobs job where job.operation_id = o.id and job.report is null)
  when o.resource_type = 'email_validation' then
    (select job.waiting_reason || '; asked again at ' || ${utc(sql.ref('job.waiting_until'))}
      from email_validation_jobs job where job.id = o.resource_id) end`;

/** Unfinished operations, those blocked longest first, then syncs that do not read all mailboxes. */
export async function listOperationLines(
  db: Kysely<Database>,
  filter: OperationFilter,
): Promise<OperationLine[]> {
  const conditions = [sql`o.finished_at is null`];
  if (filter.blocked) conditions.push(sql`o.blocked_at is not null`);
  if (filter.step !== undefined) conditions.push(sql`o.step = ${filter.step}`);
  if (filter.kind !== undefined) conditions.push(sql`o.kind = ${filter.kind}`);
  if (filter.cause !== undefined) {
    conditions.push(sql`(o.error_code = ${filter.cause} or o.resource_type = 'email_validation'
      and exists (select from email_validation_jobs job
        where job.id = o.resource_id and job.waiting_reason = ${filter.cause}))`);
  }
  const { rows } = await sql<OperationLine>`
    select * from (
      select o.id, o.kind, ${shownState} as state, o.step, ${provider} as provider,
        ${vendors} as vendors, o.resource_type || '/' || o.resource_id as resource, o.user_id as "userId",
        concat_ws('/', o.workflow_id, o.run_key) as "workflowId", o.blocked_at as "blockedAt", o.error_code as "errorCode",
        o.error_message as "errorMessage", coalesce(${waitsFor}, nullif(${shownMessage}, '')) as "waitsFor", ${unsyncedMailboxes} as "unreadMailboxes", o.updated_at as "updatedAt"
      from operations o where ${sql.join(conditions, sql` and `)}) as line
    where ${filter.provider === undefined ? sql`true` : sql`${filter.provider} = any(vendors)`}
    order by "blockedAt" nulls last, "unreadMailboxes" desc, id limit ${filter.limit}`.execute(db);
  return rows;
}

/** One line of an operation's log. */
export interface OperationLogLine {
  id: number;
  at: Date;
  kind: string;
  step: string | null;
  actor: string;
  reason: string;
  detail: Record<string, unknown>;
}

/** An operation with all its details. */
export interface OperationReport extends OperationLine {
  summary: string;
  message: string;
  steps: StepProgress[];
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Of the request that ordered it; null where none did. */
  requestId: string | null;
  /** 32 hexadecimal digits; null where it was ordered without tracing. */
  traceId: string | null;
  /** Its requests to providers, oldest first. */
  intents: {
    step: string;
    generation: number;
    provider: string;
    token: string;
    state: string;
    externalId: string | null;
  }[];
  log: OperationLogLine[];
  /** Of a sync: the mailboxes it does not read, and why. */
  mailboxesNotRead: UnsyncedMailbox[];
}

/** Undefined where there is no such operation; includes finished ones. */
export async function findOperationReport(
  db: Kysely<Database>,
  id: number,
): Promise<OperationReport | undefined> {
  const { rows } = await sql<Omit<OperationReport, 'intents' | 'log' | 'mailboxesNotRead'>>`
    select o.id, o.kind, ${shownState} as state, o.step, ${provider} as provider,
      ${vendors} as vendors, o.resource_type || '/' || o.resource_id as resource, o.user_id as "userId",
      concat_ws('/', o.workflow_id, o.run_key) as "workflowId", o.blocked_at as "blockedAt", o.error_code as "errorCode",
      o.error_message as "errorMessage", coalesce(${waitsFor}, nullif(${shownMessage}, '')) as "waitsFor", ${unsyncedMailboxes} as "unreadMailboxes",
      o.updated_at as "updatedAt", o.summary, ${shownMessage} as message, o.steps, o.created_at as "createdAt", o.started_at as "startedAt",
      o.finished_at as "finishedAt", o.request_id as "requestId", split_part(o.trace_parent, '-', 2) as "traceId"
    from operations o where o.id = ${id}`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const [type, resourceId] = found.resource.split('/');
  const [intents, log, mailboxesNotRead] = await Promise.all([
    listIntents(db, id),
    listLog(db, id),
    type === 'inbox_sync' ? listUnsyncedMailboxes(db, Number(resourceId)) : [],
  ]);
  return { ...found, intents, log, mailboxesNotRead };
}

const listIntents = (db: Kysely<Database>, operationId: number) =>
  db
    .selectFrom('provider_resources')
    .select(['step', 'generation', 'provider', 'token', 'state', 'external_id as externalId'])
    .where('operation_id', '=', operationId)
    .orderBy('id')
    .execute();

const listLog = (db: Kysely<Database>, operationId: number): Promise<OperationLogLine[]> =>
  db
    .selectFrom('operation_events')
    .select(['id', 'at', 'kind', 'step', 'actor', 'reason', 'detail'])
    .where('operation_id', '=', operationId)
    .orderBy('id')
    .execute();

/** A cluster and the operation that currently works on it; `state` is `none` where there is none. */
export interface ClusterProgress {
  status: string;
  operationId: number | null;
  state: OperationState | 'none';
  step: string | null;
  steps: StepProgress[];
  blockedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
}

/** Undefined where there is no such cluster, of any owner. */
export async function findClusterOperation(
  db: Kysely<Database>,
  clusterId: number,
): Promise<ClusterProgress | undefined> {
  const { rows } = await sql<ClusterProgress>`
    select c.status, o.id as "operationId", coalesce(o.state, 'none') as state, o.step,
      coalesce(o.steps, '[]') as steps, o.blocked_at as "blockedAt",
      o.error_code as "errorCode", o.error_message as "errorMessage"
    from clusters c left join operations o on o.id = c.operation_id
    where c.id = ${clusterId}`.execute(db);
  return rows[0];
}
