/** What an operator has done to all mail hosts, or to one. */
import { WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import {
  tendHostsId,
  tendHostsType,
  type TendHostsInput,
} from '../../../workflows/contracts/tend-hosts.ts';
import type { Context } from '../../context.ts';
import {
  databaseNow,
  listHostsDue,
  listHostWork,
  type HostWorkLine,
} from '../../db/clusters/host-work.ts';
import { SERVER_FLOWS } from '../../domain/clusters/server-flows.ts';
import { notFound, upstreamUnavailable } from '../../domain/errors.ts';
import { WORKFLOW_QUEUE } from '../../domain/operations/queues.ts';
import { awaitRun, REQUEST_DEADLINE_MS } from './runs-by-hand.ts';

export interface HostsTended {
  /** False: it goes on in the background. */
  isDone: boolean;
  hosts: HostWorkLine[];
}

/**
 * Starts it, or joins the run that is under way, and waits for its end; what became of each host is read from
 * Postgres. Throws not_found where no active cluster is on that server, `upstream` when Temporal does not answer.
 */
export async function tendHosts(
  context: Pick<Context, 'db' | 'temporal'>,
  input: TendHostsInput,
  limitMs: number,
): Promise<HostsTended> {
  const { db, temporal } = context;
  const { job, serverId } = input;
  const due = await listHostsDue(db, { afterServerId: 0, serverId, limit: 1 });
  if (due.length === 0 && serverId !== undefined) throw notFound('mail host');
  const since = await databaseNow(db);
  const workflowId = tendHostsId(job);
  try {
    const handle = await temporal
      .withDeadline(Date.now() + REQUEST_DEADLINE_MS, () =>
        temporal.workflow.start(tendHostsType, {
          workflowId,
          taskQueue: WORKFLOW_QUEUE,
          args: [input],
          workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
          staticSummary: `Mail hosts: ${job}`,
        }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        return temporal.workflow.getHandle(workflowId);
      });
    const end = await awaitRun(context, handle, Date.now() + limitMs);
    if (end !== undefined && end !== 'COMPLETED') {
      throw upstreamUnavailable('It broke off before all hosts were done; ask again');
    }
    const hosts = await listHostWork(db, SERVER_FLOWS[job].kind, since);
    return { isDone: end !== undefined, hosts };
  } catch (error) {
    throw upstreamUnavailable('Temporal does not answer; ask again', error);
  }
}
