/** Applies the configured smarthost to running mail hosts on an operator's request. */
import { WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import { WORKFLOW_QUEUE } from '../../domain/operations/queues.ts';
import { resourceId } from '../../../workflows/contracts/search-attributes.ts';
import {
  SET_SMARTHOST_ID,
  setSmarthostType,
  type SetSmarthostInput,
} from '../../../workflows/contracts/set-smarthost.ts';
import type { Context } from '../../context.ts';
import {
  lastOperationEventId,
  listMailHostServers,
  listSmarthostLines,
  type SmarthostLine,
} from '../../db/clusters/mail-host-servers.ts';
import { invalid, notFound, upstreamUnavailable } from '../../domain/errors.ts';
import { awaitRun, REQUEST_DEADLINE_MS } from './runs-by-hand.ts';

/** Ten hosts at a time; one that does not answer takes a minute. */
const SET_WITHIN_MS = 10 * 60_000;

export interface SmarthostsSet {
  /** False: no worker finished it in time; it goes on in the background. */
  isDone: boolean;
  hosts: SmarthostLine[];
}

/**
 * Starts it and waits for the end; the result is read from Postgres. Throws not_found where no active
 * cluster has that id, `invalid` ALREADY_RUNNING, and `upstream` when Temporal does not answer.
 */
export async function setSmarthost(
  context: Pick<Context, 'db' | 'temporal'>,
  input: SetSmarthostInput,
  limitMs = SET_WITHIN_MS,
): Promise<SmarthostsSet> {
  const { db } = context;
  const { clusterId } = input;
  if (clusterId !== undefined) {
    const [host] = await listMailHostServers(db, { afterServerId: 0, clusterId, limit: 1 });
    if (!host) throw notFound('active cluster');
  }
  const before = await lastOperationEventId(db);
  const end = await runToItsEnd(context, input, Date.now() + limitMs);
  if (end !== undefined && end !== 'COMPLETED') {
    throw upstreamUnavailable('It broke off before all hosts were asked; ask again');
  }
  return { isDone: end !== undefined, hosts: await listSmarthostLines(db, before) };
}

const SUMMARY = 'Bring mail hosts to the smarthost of the settings';

async function runToItsEnd(
  context: Pick<Context, 'temporal'>,
  input: SetSmarthostInput,
  deadline: number,
): Promise<string | undefined> {
  const { temporal } = context;
  try {
    const handle = await temporal.withDeadline(Date.now() + REQUEST_DEADLINE_MS, () =>
      temporal.workflow.start(setSmarthostType, {
        workflowId: SET_SMARTHOST_ID,
        taskQueue: WORKFLOW_QUEUE,
        args: [input],
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        memo: { summary: SUMMARY },
        staticSummary: SUMMARY,
        typedSearchAttributes: [
          { key: resourceId, value: input.clusterId ? `cluster/${input.clusterId}` : 'servers' },
        ],
      }),
    );
    return await awaitRun(context, handle, deadline);
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      throw invalid('ALREADY_RUNNING', 'Somebody does this already; wait until it has ended.');
    }
    throw upstreamUnavailable('Temporal does not answer; ask again', error);
  }
}
