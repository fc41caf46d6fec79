/** Run by a Schedule: no row stays without a workflow for more than a minute. Workflows: W1. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  // The next run of the Schedule is the retry.
  retry: { maximumAttempts: 1 },
});

export async function reconcile(): Promise<{ started: number; undone: number }> {
  const start = { summary: 'Start the workflow of any row that has none' };
  const { started } = await activities.startMissingWorkflows.executeWithOptions(start, []);
  const undo = { summary: 'Undo what has lost its workflow' };
  const { undone } = await activities.undoLostWorkflows.executeWithOptions(undo, []);
  return { started, undone };
}
