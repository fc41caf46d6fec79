/** Operations: the rows behind durable workflows, their progress and the log of what people did. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { OperationState, StepProgress } from '../domain/operations.ts';
import type { OperationsTable } from './provisioning-tables.ts';
import type { Database } from './tables.ts';

export type Operation = Selectable<OperationsTable>;

/** The intent to start a workflow; its input gets the operation's id on the way. */
export interface NewOperation {
  userId: string;
  kind: string;
  workflowId: string;
  taskQueue: string;
  /** One line for lists of workflows. */
  summary: string;
  input: object;
  resourceType: 'cluster' | 'domain' | 'mailbox';
  resourceId: number;
  holdId?: number;
  steps: StepProgress[];
}

/** Writes the intent; the caller's transaction also writes the row and takes the hold (W1). */
export async function insertOperation(
  trx: Transaction<Database>,
  operation: NewOperation,
): Promise<Operation> {
  return trx
    .insertInto('operations')
    .values({
      user_id: operation.userId,
      kind: operation.kind,
      workflow_id: operation.workflowId,
      task_queue: operation.taskQueue,
      summary: operation.summary,
      input: JSON.stringify(operation.input),
      resource_type: operation.resourceType,
      resource_id: operation.resourceId,
      hold_id: operation.holdId ?? null,
      steps: JSON.stringify(operation.steps),
      step: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const getOperation = (db: Kysely<Database>, id: number): Promise<Operation> =>
  db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Operations that no workflow has been started for, oldest first. */
export const listOperationsNotStarted = (
  db: Kysely<Database>,
  before: Date,
  limit: number,
): Promise<Operation[]> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('started_at', 'is', null)
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();

/** Notes that Temporal has the workflow. Safe to repeat. */
export async function markOperationStarted(db: Kysely<Database>, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({ started_at: new Date(), updated_at: new Date() })
    .where('id', '=', id)
    .where('started_at', 'is', null)
    .execute();
}

/** Where an operation is now. */
export interface Progress {
  operationId: number;
  state: OperationState;
  step: string | null;
  steps: StepProgress[];
  message: string;
}

/** Overwrites the progress of an operation that is not finished. */
export async function updateProgress(db: Kysely<Database>, progress: Progress): Promise<void> {
  await db
    .updateTable('operations')
    .set({
      state: progress.state,
      step: progress.step,
      steps: JSON.stringify(progress.steps),
      message: progress.message,
      blocked_at: progress.state === 'blocked' ? new Date() : null,
      started_at: (eb) => eb.fn.coalesce('started_at', eb.val(new Date())),
      updated_at: new Date(),
    })
    .where('id', '=', progress.operationId)
    .where('finished_at', 'is', null)
    .execute();
}

/** Shows why an operation waits or failed. */
export async function setOperationError(
  db: Kysely<Database>,
  operationId: number,
  error: { code: string; message: string } | null,
): Promise<void> {
  await db
    .updateTable('operations')
    .set({ error_code: error?.code ?? null, error_message: error?.message ?? null })
    .where('id', '=', operationId)
    .execute();
}

/** Ends an operation; false when it had ended already. */
export async function finishOperationRow(
  trx: Transaction<Database>,
  end: Progress & { error: { code: string; message: string } | null },
): Promise<boolean> {
  const done = await trx
    .updateTable('operations')
    .set({
      state: end.state,
      step: end.step,
      steps: JSON.stringify(end.steps),
      message: end.message,
      blocked_at: null,
      error_code: end.error?.code ?? null,
      error_message: end.error?.message ?? null,
      finished_at: new Date(),
      updated_at: new Date(),
    })
    .where('id', '=', end.operationId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/** One line of the log: what happened to an operation, through whom and why. */
export interface OperationEvent {
  operationId: number;
  kind: 'requested' | 'blocked' | 'resolved' | 'cancel_requested' | 'finished';
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
}

/** How many operations wait for a person, by step. */
export async function countBlocked(
  db: Kysely<Database>,
): Promise<{ step: string; count: number }[]> {
  return db
    .selectFrom('operations')
    .select(({ fn }) => ['step', fn.countAll<number>().as('count')])
    .where('state', '=', 'blocked')
    .groupBy('step')
    .execute()
    .then((rows) => rows.map((r) => ({ step: r.step ?? '', count: Number(r.count) })));
}

/** The newest operation of its own kind on a resource. */
export const findLatestOperation = (
  db: Kysely<Database>,
  resourceType: NewOperation['resourceType'],
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
