/** Steps that several operations share. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { OperationInput } from '../contracts/operator.ts';
import { vendorQueue } from '../../src/domain/operations/queues.ts';
import { policies } from '../engine/policies.ts';
import type { Step } from '../engine/saga.ts';

/** A readable id and a line for the Temporal UI. docs/workflow-rules.md#what-operators-see. */
export const as = (activityId: string, summary: string) => ({ activityId, summary });

/**
 * Routes an activity to its vendor's queue; without a vendor (an older run) to the common queue.
 * docs/workflow-rules.md#workers-and-queues.
 */
export const at = (vendor: string | undefined) =>
  vendor === undefined ? {} : { taskQueue: vendorQueue(vendor) };

/** The hold was taken with the row; here it is only confirmed. Undo releases what is left. */
export function walletHoldStep(input: OperationInput, applies: boolean): Step {
  const { operationId, pace } = input;
  const policy = policies(pace);
  const db = proxyActivities<Activities>(policy.dbWrite);
  const undo = proxyActivities<Activities>(policy.compensate);
  return {
    name: 'wallet_hold',
    applies,
    run: () =>
      db.confirmHold.executeWithOptions(as('wallet_hold', 'Confirm the hold'), [{ operationId }]),
    undo: () =>
      undo.releaseHold.executeWithOptions(as('wallet_hold.undo', 'Release the hold'), [
        { operationId },
      ]),
  };
}
