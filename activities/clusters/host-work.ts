/** Orders what a person asked for on mail hosts, an operation for each, and waits for its end. */
import { activityInfo } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { listHostsDue } from '../../src/db/clusters/host-work.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import type { BackupChoice } from '../../src/domain/clusters/server-rebuilds.ts';
import { SERVER_FLOWS, type ServerJob } from '../../src/domain/clusters/server-flows.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { OperationState, Pace } from '../../src/domain/operations/operations.ts';
import { orderServerWork } from '../../src/transactions/server-work.ts';

type HostWorkContext = Pick<Context, 'db' | 'config' | 'mailHost' | 'startOperation'>;

interface HostWorkOrder {
  job: ServerJob;
  serverId?: number;
  exceptServerId?: number;
  afterServerId: number;
  limit: number;
  backup?: BackupChoice;
  again?: boolean;
  words: { actor: string; reason: string };
}

export const hostWorkActivities = (context: HostWorkContext) => ({
  /**
   * The operations of the next hosts. A repeat finds those that it has ordered, and an open one of an earlier
   * run is waited for instead of ordered again.
   */
  async orderHostWork(order: HostWorkOrder): Promise<{ serverId: number; operationId: number }[]> {
    const { runId } = activityInfo().workflowExecution!;
    const { job, words, backup, again } = order;
    const ordered: { serverId: number; operationId: number }[] = [];
    // A host that has this release's program needs no upgrade: a run that was stopped goes on where it was.
    const { program } = context.mailHost;
    const { kind } = SERVER_FLOWS[job];
    const upgrade = job === 'upgrade' ? { kind, program, requestKeyEnd: runId } : undefined;
    let { afterServerId } = order;
    // A page that is not full is taken for the last one: a host that has just left leaves its place to the next.
    while (ordered.length < order.limit) {
      const limit = order.limit - ordered.length;
      const page = { ...order, upgrade, afterServerId, limit };
      const due = await listHostsDue(context.db, page);
      for (const { id: serverId } of due) {
        const requestKey = `${job} ${serverId} ${runId}`;
        const pace = paceOf(context);
        const wanted = { job, serverId, backup, again, requested: words, requestKey, pace };
        const operation = await context.db
          .transaction()
          .execute((trx) => orderServerWork(trx, wanted));
        if (!operation) continue;
        if (operation.started_at === null) await context.startOperation(operation);
        ordered.push({ serverId, operationId: operation.id });
      }
      if (due.length < limit) break;
      afterServerId = due.at(-1)!.id;
    }
    return ordered;
  },

  /** Throws `not_ready` while it is at work; blocked is an end for whoever waits here. */
  async awaitHostWork({
    operationId,
  }: {
    operationId: number;
  }): Promise<{ state: OperationState }> {
    const { state, blocked_at, finished_at } = await getOperation(context.db, operationId);
    if (finished_at !== null || blocked_at !== null) return { state };
    throw new ProviderError('not_ready', `Operation ${operationId} is ${state}`, {
      provider: 'mail-host',
    });
  },
});

const paceOf = ({ config }: HostWorkContext): Pace => ({
  retryPace: config.RETRY_PACE,
  heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
  blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
});
