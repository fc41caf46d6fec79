/** Starts the workflow of an operation's row; a second caller finds it started. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { RunMemo } from '../../workflows/contracts/run-memo.ts';
import { opsState, resourceId, tenantId } from '../../workflows/contracts/search-attributes.ts';
import { recordForeignRun } from '../db/operations/lost-rows.ts';
import { workflowIdOf } from '../domain/operations/run-keys.ts';
import { noteWaiting, takeNextPlace } from '../db/operations/operation-places.ts';
import { markOperationStarted } from '../db/operations/operation-workflows.ts';
import type { Operation } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import { isShardedType } from '../domain/shards/shards.ts';
import { findFlow } from '../domain/operations/flows.ts';
import { parseTraceParent } from '../domain/operations/trace-carrier.ts';
import { withOrigin } from '../tracing/origin.ts';
import { currentTraceParent, traced } from '../tracing/spans.ts';
import { priorityFor } from './priorities.ts';

/** A Temporal that hangs must not hold the request: the reconciler starts the workflow later. */
const START_DEADLINE_MS = 3_000;

export interface Starting {
  temporal: Client;
  db: Kysely<Database>;
  logger: Logger;
  config: { SHARDED_SESSIONS: boolean; ACCOUNT_RUNNING_JOBS: number };
}

/**
 * Safe to repeat: the workflow's id is derived from the row. Never throws: the row is kept, and the
 * reconciler's Schedule starts what has no workflow. False when that is left to it.
 * docs/workflow-rules.md#the-row-comes-first. A job waits for a place (Choice 125). `undoOnly`: the previous run is lost; this one only undoes.
 * `restart`: it is lost; this one continues.
 */
export async function startOperation(
  starting: Starting,
  operation: Operation,
  again: { undoOnly?: boolean; restart?: boolean } = {},
): Promise<boolean> {
  if (operation.place === 'waiting' && operation.started_at === null) {
    return startWithPlace(starting, operation);
  }
  return startNow(starting, operation, again);
}

const STARTS_PER_REQUEST = 3;

/** Starts the account's oldest jobs as far as there are places; true also where this one waits for one. */
async function startWithPlace(starting: Starting, { id, user_id }: Operation): Promise<boolean> {
  const { db, logger, config } = starting;
  try {
    // Others of its account that have waited longer go first; a request starts no more than two of them.
    for (let n = 0; n < STARTS_PER_REQUEST; n += 1) {
      const next = await takeNextPlace(db, user_id, config.ACCOUNT_RUNNING_JOBS);
      if (!next) break;
      const isStarted = await startNow(starting, next, {});
      if (next.id === id) return isStarted;
    }
    await noteWaiting(db, id);
    return true;
  } catch (error) {
    logger.warn({ operationId: id, err: error }, 'no place for a job was taken yet');
    return false;
  }
}

async function startNow(
  { temporal, db, logger, config }: Starting,
  operation: Operation,
  again: { undoOnly?: boolean; restart?: boolean },
): Promise<boolean> {
  const { id: operationId } = operation;
  const workflowId = workflowIdOf(operation);
  const within = <T>(work: () => Promise<T>) =>
    temporal.withDeadline(Date.now() + START_DEADLINE_MS, work);
  try {
    const found = await asOrdered(operation, () =>
      within(() => temporal.workflow.start(operation.kind, startOptions(operation, config, again))),
    ).catch((error: unknown) => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return within(() => findForeignRun(temporal, operation));
    });
    if (found && 'foreign' in found) {
      await recordForeignRun(db, {
        workflowId,
        operationId,
        detail: found.foreign,
        at: new Date(),
      });
      throw new Error('Temporal has a run of another operation under this id');
    }
    await markOperationStarted(db, operationId);
    return true;
  } catch (error) {
    logger.warn({ operationId, workflowId, err: error }, 'workflow not started yet');
    return false;
  }
}

/** Part of the request and the trace that ordered it, whoever starts it now. */
function asOrdered<T>(operation: Operation, start: () => Promise<T>): Promise<T> {
  const { kind, request_id: requestId, trace_parent: parent } = operation;
  const work = () =>
    traced(
      `StartWorkflow:${kind}`,
      {
        kind: 'PRODUCER',
        // Never of the job that has made room for it, or of the request that starts others that waited.
        parent: parent ?? 'root',
        link: currentTraceParent(),
        attributes: { 'temporal.workflow.id': workflowIdOf(operation) },
      },
      start,
    );
  return withOrigin({ requestId: requestId ?? undefined, traceparent: parent ?? undefined }, work);
}

/**
 * What is wrong with the run that has the id already: undefined where it is this operation's. Ids that are derived
 * from rows alone, as those of before were, are handed out again after a restore.
 */
async function findForeignRun(temporal: Client, operation: Operation) {
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  const { type, typedSearchAttributes: known, memo } = await handle.describe();
  const found = {
    kind: type,
    userId: known.get(tenantId),
    resource: known.get(resourceId),
    requested: memo?.['requested'],
  };
  const { kind, userId, resource, requested } = memoOf(operation);
  const isSame =
    found.kind === kind &&
    found.userId === userId &&
    found.resource === resource &&
    // Runs of before have no memo.
    (found.requested === undefined || found.requested === requested);
  return isSame ? undefined : { foreign: found };
}

/** By what a run is known to be this row's. */
const memoOf = ({ kind, user_id: userId, created_at, ...row }: Operation) => ({
  kind,
  userId,
  resource: `${row.resource_type}/${row.resource_id}`,
  requested: created_at.toISOString(),
});

/** How an operation's workflow is started. */
function startOptions(
  operation: Operation,
  { SHARDED_SESSIONS: isSharded }: Starting['config'],
  { undoOnly = false, restart = false },
) {
  const resource = `${operation.resource_type}/${operation.resource_id}`;
  const { id: operationId, user_id: userId } = operation;
  return {
    workflowId: workflowIdOf(operation),
    taskQueue: operation.task_queue,
    args: [
      {
        ...operation.input,
        operationId,
        userId,
        resource,
        ...(isShardedType(operation.resource_type) && { isSharded }),
        ...(undoOnly && { undoOnly }),
        ...(restart && { restored: true }),
      },
    ],
    // A lost run's id may be used again; otherwise an id is used once.
    workflowIdReusePolicy:
      undoOnly || restart
        ? WorkflowIdReusePolicy.ALLOW_DUPLICATE
        : WorkflowIdReusePolicy.REJECT_DUPLICATE,
    memo: { requested: memoOf(operation).requested, ...wordsOf(operation) },
    staticSummary: operation.summary,
    ...detailsOf(wordsOf(operation)),
    // A kind that only a newer version knows goes with most others.
    priority: priorityFor(findFlow(operation.kind)?.priority ?? 'normal', userId),
    typedSearchAttributes: [
      { key: opsState, value: 'Running' },
      { key: tenantId, value: userId },
      { key: resourceId, value: resource },
    ],
  };
}

/** What people know it by. Runs that continue this one have it by the memo alone. */
function wordsOf({ summary, request_id: requestId, trace_parent }: Operation): RunMemo {
  const traceId = parseTraceParent(trace_parent)?.traceId;
  return { summary, ...(requestId !== null && { requestId }), ...(traceId && { traceId }) };
}

/** What Temporal's UI shows beside the summary: by what logs and traces of the run are found. */
function detailsOf({ requestId, traceId }: RunMemo) {
  const lines = [
    ...(requestId === undefined ? [] : [`- Request: \`${requestId}\``]),
    ...(traceId === undefined ? [] : [`- Trace: \`${traceId}\``]),
  ];
  return lines.length > 0 ? { staticDetails: lines.join('\n') } : {};
}
