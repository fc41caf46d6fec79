/** Operations: the rows behind durable workflows, and the log of people's actions. */
import { randomBytes } from 'node:crypto';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { OperationsTable } from './operation-tables.ts';
import type { AnyFlow, InputOf, RunOf } from '../../domain/operations/define-flow.ts';
import type { Flow, FlowKind, ResourceType } from '../../domain/operations/flows.ts';
import { orderedBy } from '../../tracing/operation-span.ts';
import { insertOperatorEntry } from './operator-entries.ts';
import type { Database } from '../tables.ts';

export type Operation = Selectable<OperationsTable>;

/** Who requests a flow, and how; the rest comes from its definition. */
export interface NewOperation {
  userId: string;
  /** One line for lists of workflows. */
  summary: string;
  holdId?: number | undefined;
  /** Who asked for it and why: the first line of its log. */
  requested: { actor: string; reason: string };
  /** Identifies repeats of the client's request; see `lockRequestedOperation`. */
  requestKey?: string | undefined;
}

/**
 * Writes the intent to start a flow's workflow, adding the operation's id to its input. The caller's
 * transaction also writes the row and takes the hold (docs/workflow-rules.md#the-row-comes-first). A flow
 * that counts its runs also gets the number in its input, under the name that its `workflowId` uses.
 */
export async function insertOperation<F extends Flow>(
  trx: Transaction<Database>,
  flow: F,
  input: InputOf<F>,
  operation: NewOperation & RunOf<F>,
): Promise<Operation> {
  const { userId, requestKey } = operation;
  if (requestKey !== undefined) await forgetRequest(trx, userId, requestKey);
  // For the compiler, functions of "any flow" only accept arguments that suit all flows: there are none.
  const { kind, queue, resource, ...of }: AnyFlow = flow;
  const values = {
    user_id: userId,
    kind,
    workflow_id: of.workflowId({ ...input, ...operation } as never),
    run_key: newRunKey(),
    task_queue: queue,
    summary: operation.summary,
    input: JSON.stringify(input),
    resource_type: resource,
    resource_id: of.resourceId(input as never),
    hold_id: operation.holdId ?? null,
    steps: JSON.stringify(of.steps?.(input as never) ?? []),
    step: null,
    request_key: requestKey ?? null,
    // A deletion is short, and what is deleted is to be gone.
    place: of.priority === 'low' && of.outcome === 'job' ? ('waiting' as const) : null,
  };
  const named = { kind, resource: `${resource}/${values.resource_id}` };
  const row = await orderedBy(named, (origin) =>
    trx
      .insertInto('operations')
      .values({ ...values, ...origin })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  const event = { operationId: row.id, kind: 'requested', step: null } as const;
  await insertOperationEvent(trx, { ...event, ...operation.requested });
  return row;
}

/** 64 random bits, part of all that the operation is called elsewhere. Lower-case letters and digits. */
export const newRunKey = (): string => randomBytes(8).toString('hex');

/** Choice 51: how long a repeated request means the first one. */
const REQUEST_KEY_HOURS = 24;

/** Rows of before have forgotten their requests. */
export const requestsKeptSince = () =>
  sql<Date>`now() - make_interval(hours => ${REQUEST_KEY_HOURS})`;

/**
 * The operation that an earlier run of this request wrote before its process died. Requests with this key are
 * serialized until the transaction ends, so that no second one is written.
 */
export async function lockRequestedOperation(
  trx: Transaction<Database>,
  userId: string,
  requestKey: string,
): Promise<Operation | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${requestKey}`}, 0))`.execute(
    trx,
  );
  return findRequestedOperation(trx, userId, requestKey);
}

/** The operation that an earlier run of this request wrote within a day. Choice 51. */
export const findRequestedOperation = (
  db: Kysely<Database>,
  userId: string,
  requestKey: string,
): Promise<Operation | undefined> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .where('created_at', '>', requestsKeptSince())
    .executeTakeFirst();

/** Frees a key whose operation failed or is too old to be repeated. */
async function forgetRequest(
  trx: Transaction<Database>,
  userId: string,
  requestKey: string,
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ request_key: null })
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .execute();
}

export const getOperation = (db: Kysely<Database>, id: number): Promise<Operation> =>
  db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Those of `ids`, in any order. */
export const listOperations = (
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Operation[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('operations')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute();

/** One line of the log: what happened to an operation, who did it and why. */
export interface OperationEvent {
  operationId: number;
  kind:
    | 'requested'
    | 'recovered'
    | 'blocked'
    | 'resolved'
    | 'given_up'
    | 'pause_requested'
    | 'resume_requested'
    | 'cancel_requested'
    | 'orphan'
    | 'failed_over'
    | 'reconciled'
    | 'smarthost_set'
    | 'consent_left'
    | 'finished';
  step: string | null;
  actor: string;
  reason: string;
  detail?: object;
}

export async function insertOperationEvent(
  db: Kysely<Database>,
  event: OperationEvent,
): Promise<void> {
  await db
    .insertInto('operation_events')
    .values({
      operation_id: event.operationId,
      kind: event.kind,
      step: event.step,
      actor: event.actor,
      reason: event.reason,
      detail: JSON.stringify(event.detail ?? {}),
    })
    .execute();
  await insertOperatorEntry(db, event);
}

/** How many operations are blocked, by state (an undo may be blocked too) and step. */
export async function countBlocked(
  db: Kysely<Database>,
): Promise<{ state: string; step: string; count: number }[]> {
  const rows = await db
    .selectFrom('operations')
    .select(({ fn }) => ['state', 'step', fn.countAll<number>().as('count')])
    .where('state', 'in', ['blocked', 'compensating'])
    .where('blocked_at', 'is not', null)
    .groupBy(['state', 'step'])
    .execute();
  return rows.map(({ state, step, count }) => ({ state, step: step ?? '', count: Number(count) }));
}

/** How many operations of a kind a resource has had. */
export async function countOperations(
  db: Kysely<Database>,
  resourceType: ResourceType,
  resourceId: number,
  kind: FlowKind,
): Promise<number> {
  const { count } = await db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('resource_type', '=', resourceType)
    .where('resource_id', '=', resourceId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The newest operation of its own kind on a resource. */
export const findLatestOperation = (
  db: Kysely<Database>,
  resourceType: ResourceType,
  resourceId: number,
): Promise<Operation | undefined> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('resource_type', '=', resourceType)
    .where('resource_id', '=', resourceId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
