/**
 * Started by a person: does one thing to all mail hosts, each as an operation of its own. The first host is the
 * canary; the first operation that does not succeed ends it, and the hosts after it stay as they are.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  patched,
  proxyActivities,
  TimeoutFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { ACTIVITY_QUEUE } from '../../src/domain/operations/queues.ts';
import type { ServerJob } from '../../src/domain/clusters/server-flows.ts';
import type { TendHostsInput, TendHostsResult } from '../contracts/tend-hosts.ts';
import { opsState } from '../contracts/search-attributes.ts';
import { continueOnLatestBuild, isContinueAsNew, isTimeToContinue } from '../engine/continue.ts';
import { nowText, tell } from '../engine/details.ts';
import { as } from './steps.ts';

/** How many at a time, after the canary. A new key waits a quarter of an hour on each host. */
const AT_ONCE: Readonly<Record<ServerJob, number>> = {
  'rotate-ssh-key': 20,
  upgrade: 1,
  rebuild: 1,
};

const { orderHostWork } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUE,
  startToCloseTimeout: '1 minute',
  retry: { maximumInterval: '1 minute' },
});

/** A host's operation may be at work so long. */
const AWAITED_DAYS = 2;

/** Polls by its retries, which are no events. Its end is that of the operation, or a person is waited for. */
const { awaitHostWork } = proxyActivities<Activities>({
  taskQueue: ACTIVITY_QUEUE,
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: `${AWAITED_DAYS} days`,
  retry: { initialInterval: '1 second', backoffCoefficient: 1.2, maximumInterval: '15 seconds' },
});

/** Runs of before did not show that they are at work, and need not hide it. */
const SHOWN = '2026-11-shown-host-work';

export async function tendHosts(input: TendHostsInput): Promise<TendHostsResult> {
  tell(input.afterServerId === undefined ? 'Begins.' : `Done up to server ${input.afterServerId}.`);
  try {
    const { stoppedAt } = await tendAll(input);
    showEnd(stoppedAt === null ? null : 'Stopped');
    tell(
      stoppedAt === null
        ? 'Done.'
        : `**Stopped:** ${whereTo(stoppedAt)} No host after it was begun.`,
    );
    return { stoppedAt };
  } catch (error) {
    if (isContinueAsNew(error)) throw error;
    tell(`Failed: ${error instanceof Error ? error.message : String(error)}`);
    showEnd(null);
    throw error;
  }
}

const whereTo = (operationId: number) =>
  `operation ${operationId} did not succeed; why: \`outreach ops show ${operationId}\`.`;

/** It is at work no more. One that has stopped is completed all the same, and is found in the list by this. */
function showEnd(value: 'Stopped' | null): void {
  if (patched(SHOWN)) upsertSearchAttributes([{ key: opsState, value }]);
}

async function tendAll(input: TendHostsInput): Promise<TendHostsResult> {
  const { job, serverId, canaryId, afterServerId, backup, again, actor, reason } = input;
  const words = { actor, reason };
  const isContinued = afterServerId !== undefined;
  if (canaryId !== undefined && !isContinued) {
    const page = { job, afterServerId: 0, limit: 1, words, serverId: canaryId };
    const { stoppedAt } = await tendPage('order.canary', page);
    if (stoppedAt !== null) return { stoppedAt };
  }
  const batch = input.batch ?? AT_ONCE[job];
  const first = canaryId === undefined && !isContinued ? 1 : batch;
  for (let after = afterServerId ?? 0, limit = first; ; limit = batch) {
    const page = {
      job,
      afterServerId: after,
      limit,
      words,
      ...(serverId !== undefined && { serverId }),
      ...(backup !== undefined && { backup }),
      ...(again !== undefined && { again }),
      ...(canaryId !== undefined && { exceptServerId: canaryId }),
    };
    const { orders, stoppedAt } = await tendPage(`order.after_${after}`, page);
    if (stoppedAt !== null) return { stoppedAt };
    if (orders.length < limit) return { stoppedAt: null };
    after = orders.at(-1)!.serverId;
    tell(`Done up to server ${after}.`);
    if (isTimeToContinue()) {
      await continueOnLatestBuild<typeof tendHosts>({ ...input, afterServerId: after });
    }
  }
}

type Page = Parameters<Activities['orderHostWork']>[0];

/** Orders the work and waits for all of it; `stoppedAt`: the first operation that did not succeed. */
async function tendPage(activityId: string, page: Page) {
  const orders: { serverId: number; operationId: number }[] =
    await orderHostWork.executeWithOptions(as(activityId, 'The next hosts'), [page]);
  const lines = orders.map(
    ({ serverId, operationId }) => `- server ${serverId}: operation ${operationId}`,
  );
  tell(`Since ${nowText()} it waits for:\n\n${lines.join('\n')}`);
  const ends = await Promise.all(
    orders.map(({ serverId: id, operationId }) =>
      awaitHostWork
        .executeWithOptions(as(`await.${id}`, `Operation ${operationId}`), [{ operationId }])
        .catch((error: unknown) => Promise.reject(overdue(error, { serverId: id, operationId }))),
    ),
  );
  const failed = orders.find((_order, index) => ends[index]!.state !== 'succeeded');
  return { orders, stoppedAt: failed?.operationId ?? null };
}

/** A wait that was too long says for what, and where to look. */
function overdue(
  error: unknown,
  { serverId, operationId }: { serverId: number; operationId: number },
) {
  if (!(error instanceof ActivityFailure)) return error;
  // Between two looks the server ends the wait with what the last one said, which is no reason.
  const isOverdue = error.cause instanceof TimeoutFailure || error.retryState === 'TIMEOUT';
  if (!isOverdue) return error;
  const what = `Operation ${operationId} of server ${serverId} has not ended within ${AWAITED_DAYS} days`;
  return ApplicationFailure.nonRetryable(
    `${what}: see outreach ops show ${operationId}`,
    'Overdue',
  );
}
