/**
 * Started by a person: does one thing to all mail hosts, each as an operation of its own. The first host is the
 * canary; the first operation that does not succeed ends it, and the hosts after it stay as they are.
 */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { ACTIVITY_QUEUE } from '../../src/domain/operations/queues.ts';
import type { ServerJob } from '../../src/domain/clusters/server-flows.ts';
import type { TendHostsInput, TendHostsResult } from '../contracts/tend-hosts.ts';
import { as } from './steps.ts';

/** A history stays well below 2,000 events. docs/workflow-rules.md#long-jobs. */
const MAX_HISTORY_EVENTS = 1_200;

/** How many at a time, after the canary. A new key waits a quarter of an hour on each host. */
const AT_ONCE: Readonly<Record<ServerJob, number>> = { 'rotate-ssh-key': 20 };

const { orderHostWork } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUE,
  startToCloseTimeout: '1 minute',
  retry: { maximumInterval: '1 minute' },
});

/** Polls by its retries, which are no events. Its end is that of the operation, or a person is waited for. */
const { awaitHostWork } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUE,
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '2 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 1.2, maximumInterval: '15 seconds' },
});

export async function tendHosts(input: TendHostsInput): Promise<TendHostsResult> {
  const { job, serverId, afterServerId = 0, actor, reason } = input;
  const words = { actor, reason };
  for (let after = afterServerId, limit = 1; ; limit = AT_ONCE[job]) {
    const page = {
      job,
      afterServerId: after,
      limit,
      words,
      ...(serverId !== undefined && { serverId }),
    };
    const orders: { serverId: number; operationId: number }[] =
      await orderHostWork.executeWithOptions(as(`order.after_${after}`, 'The next hosts'), [page]);
    const ends = await Promise.all(
      orders.map(({ serverId: id, operationId }) =>
        awaitHostWork.executeWithOptions(as(`await.${id}`, `Operation ${operationId}`), [
          { operationId },
        ]),
      ),
    );
    const failed = orders.findIndex((_order, index) => ends[index]!.state !== 'succeeded');
    if (failed !== -1) return { stoppedAt: orders[failed]!.operationId };
    if (orders.length < limit) return { stoppedAt: null };
    after = orders.at(-1)!.serverId;
    setCurrentDetails(`Up to server ${after}`);
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    if (historyLength >= MAX_HISTORY_EVENTS || continueAsNewSuggested) {
      await continueAsNew<typeof tendHosts>({ ...input, afterServerId: after });
    }
  }
}
