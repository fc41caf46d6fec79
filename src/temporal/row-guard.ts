/**
 * Before each activity of an operation: are its run and its row of one kind? A restored Postgres hands ids out
 * again, and a restored Temporal repeats what is over. docs/workflow-rules.md#after-a-restore.
 */
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { recordLostRow } from '../db/operations/lost-rows.ts';
import { findRunRow } from '../db/operations/operation-workflows.ts';
import type { Database } from '../db/tables.ts';
import { findFlow } from '../domain/operations/flows.ts';
import {
  BUILT_ON_HEADER,
  putBackFailure,
  type BuiltOn,
  type PutBackFailure,
} from '../domain/operations/restores.ts';

/**
 * They work although the row has ended. `finishOperation` says so itself: its answer may be lost. The others come after
 * it where a run was given up, and end what it has left running, paid, at a vendor.
 */
const ENDS_WHAT_IS_LEFT = new Set(['finishOperation', 'endMapsSearch', 'endSearches']);

const WORDS: Record<PutBackFailure, string> = {
  RowsBehind: 'The row has lost what this run wrote: the run starts over from its rows',
  RunBehind: 'The row is being undone, which this run has forgotten',
  RowLost: 'The row of this run is lost: the run ends and touches nothing',
  RunOver: 'The row of this run has ended: so does the run',
};

/** For `interceptors.activity` of each worker. */
export function rowGuard({
  db,
  logger,
}: {
  db: Kysely<Database>;
  logger: Logger;
}): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const [given] = input.args as [{ operationId?: unknown; number?: unknown } | undefined];
        const operationId = given?.operationId;
        // Other workflows name operations that they wait for.
        const isOfOperation = findFlow(info.workflowType ?? '') !== undefined;
        if (!isOfOperation || typeof operationId !== 'number') return next(input);
        const { workflowId } = info.workflowExecution ?? { workflowId: '' };
        const row = await findRunRow(db, operationId);
        const told = input.headers[BUILT_ON_HEADER];
        const builtOn = told && defaultPayloadConverter.fromPayload<BuiltOn>(told);
        const writes = typeof given?.number === 'number' ? given.number : undefined;
        const found = putBackFailure({ workflowId, builtOn, writes }, row);
        if (!found || (found === 'RunOver' && ENDS_WHAT_IS_LEFT.has(info.activityType))) {
          return next(input);
        }
        logger.error({ operationId, workflowId, activity: info.activityType, found }, WORDS[found]);
        if (found === 'RowLost') {
          await recordLostRow(db, { workflowId, kind: info.workflowType ?? '', at: new Date() });
        }
        throw ApplicationFailure.nonRetryable(WORDS[found], found);
      },
    },
  });
}
