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
import { assertFreeFor } from '../../transactions/server-work.ts';
import { awaitRun, REQUEST_DEADLINE_MS } from './runs-by-hand.ts';

export interface HostsTended {
  /** False: it goes on in the background. */
  isDone: boolean;
  hosts: HostWorkLine[];
}

/**
 * Starts it, or joins the run that is under way, and waits for its end; what became of each host is read from
 * Postgres. Throws not_found where no active cluster is on that server, 400 INVALID_STATE where other work on a host is
 * in the way or it has just been rebuilt, `upstream` when Temporal does not answer.
 */
export async function tendHosts(
  context: Pick<Context, 'db' | 'temporal'>,
  input: TendHostsInput,
  watch: { limitMs: number; onProgress?: (line: HostWorkLine) => void },
): Promise<HostsTended> {
  const { db, temporal } = context;
  const { job, serverId } = input;
  for (const id of [serverId, input.canaryId]) {
    if (id === undefined) continue;
    const found = await listHostsDue(db, { afterServerId: 0, serverId: id, limit: 1 });
    if (found.length === 0) throw notFound('mail host');
  }
  await assertFreeFor(db, input);
  const since = await databaseNow(db);
  const workflowId = tendHostsId(input);
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
    const { kind } = SERVER_FLOWS[job];
    const only = job === 'rebuild' ? serverId : undefined;
    const reading = () => listHostWork(db, { kind, since, ...(only && { serverId: only }) });
    const stop = tellProgress(reading, watch.onProgress);
    const end = await awaitRun(context, handle, Date.now() + watch.limitMs).finally(stop);
    if (end !== undefined && end !== 'COMPLETED') {
      throw upstreamUnavailable('It broke off before all hosts were done; ask again');
    }
    return { isDone: end !== undefined, hosts: await reading() };
  } catch (error) {
    throw upstreamUnavailable('Temporal does not answer; ask again', error);
  }
}

const PROGRESS_MS = 1_000;

/** Tells each change of a host's state or step until it is stopped. */
function tellProgress(
  read: () => Promise<HostWorkLine[]>,
  tell: (line: HostWorkLine) => void = () => {},
): () => void {
  const told = new Map<number, string>();
  const timer = setInterval(() => {
    void read()
      .then((lines) => {
        for (const line of lines) {
          const now = `${line.state} ${line.step ?? ''}`;
          if (told.get(line.operationId) !== now) tell(line);
          told.set(line.operationId, now);
        }
      })
      // What the end is, is read again: a scrape of progress may be missed.
      .catch(() => {});
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
