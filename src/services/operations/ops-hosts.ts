/** What an operator has done to all mail hosts, or to one. */
import { WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import { opsState, opsStep, resourceId } from '../../../workflows/contracts/search-attributes.ts';
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
import { invalid, notFound, OutreachError, upstreamUnavailable } from '../../domain/errors.ts';
import { WORKFLOW_QUEUE } from '../../domain/operations/queues.ts';
import { assertFreeFor } from '../../transactions/server-work.ts';
import { awaitRun, REQUEST_DEADLINE_MS } from './runs-by-hand.ts';

export interface HostsTended {
  /** False: it goes on in the background. */
  isDone: boolean;
  hosts: HostWorkLine[];
}

/**
 * Starts it, or joins the run for the same hosts that is under way, and waits for its end; what became of each host is
 * read from Postgres. Throws not_found where no active cluster is on that server, 400 INVALID_STATE where other work on
 * a host is in the way or it has just been rebuilt, 400 ALREADY_RUNNING where a run for other hosts is under way, and
 * `upstream` when Temporal does not answer.
 */
export async function tendHosts(
  context: Pick<Context, 'db' | 'temporal'>,
  input: TendHostsInput,
  watch: { limitMs: number; onProgress?: (line: HostWorkLine) => void },
): Promise<HostsTended> {
  const { db } = context;
  const { job, serverId } = input;
  for (const id of [serverId, input.canaryId]) {
    if (id === undefined) continue;
    const found = await listHostsDue(db, { afterServerId: 0, serverId: id, limit: 1 });
    if (found.length === 0) throw notFound('mail host');
  }
  await assertFreeFor(db, input);
  const since = await databaseNow(db);
  const { kind } = SERVER_FLOWS[job];
  const only = job === 'rebuild' ? serverId : undefined;
  const reading = () => listHostWork(db, { kind, since, ...(only && { serverId: only }) });
  const stop = tellProgress(reading, watch.onProgress);
  const deadline = Date.now() + watch.limitMs;
  const end = await runToItsEnd(context, input, deadline).finally(stop);
  if (end !== undefined && end !== 'COMPLETED') {
    throw upstreamUnavailable('It broke off before all hosts were done; ask again');
  }
  return { isDone: end !== undefined, hosts: await reading() };
}

/** The run of a job is for all hosts, or for one: whoever asks for others must not take its end for theirs. */
const hostsOf = ({ serverId }: TendHostsInput): string =>
  serverId === undefined ? 'all hosts' : `server ${serverId}`;

const summaryOf = (input: TendHostsInput): string =>
  `${input.job} on ${hostsOf(input)}, asked by ${input.actor}`;

async function runToItsEnd(
  context: Pick<Context, 'temporal'>,
  input: TendHostsInput,
  deadline: number,
): Promise<string | undefined> {
  const { temporal } = context;
  const workflowId = tendHostsId(input);
  const asking = <T>(work: () => Promise<T>) =>
    temporal.withDeadline(Date.now() + REQUEST_DEADLINE_MS, work);
  try {
    const handle = await asking(() =>
      temporal.workflow.start(tendHostsType, {
        workflowId,
        taskQueue: WORKFLOW_QUEUE,
        args: [input],
        // A run that continues as new keeps it.
        memo: { hosts: hostsOf(input), summary: summaryOf(input) },
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        staticSummary: summaryOf(input),
        typedSearchAttributes: [
          { key: opsState, value: 'Running' },
          { key: opsStep, value: input.job },
          { key: resourceId, value: input.serverId ? `server/${input.serverId}` : 'servers' },
        ],
      }),
    ).catch(async (error: unknown) => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const open = temporal.workflow.getHandle(workflowId);
      // Of a rebuild each host has a run of its own.
      if (input.job === 'rebuild') return open;
      const { memo } = await asking(() => open.describe());
      if (memo?.['hosts'] !== hostsOf(input)) throw alreadyRunning(memo?.['hosts']);
      return open;
    });
    return await awaitRun(context, handle, deadline);
  } catch (error) {
    if (error instanceof OutreachError) throw error;
    throw upstreamUnavailable('Temporal does not answer; ask again', error);
  }
}

/** Runs of before do not tell their hosts. */
const alreadyRunning = (hosts: unknown) =>
  invalid(
    'ALREADY_RUNNING',
    `It is under way for ${typeof hosts === 'string' ? hosts : 'other hosts'}: wait until that has ended, then ask again`,
  );

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
