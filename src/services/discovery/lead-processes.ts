/** Discovery processes: ordering, pausing, resuming, cancelling. Spec: Lead discovery; choices 4, 19-23. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { listFinders, type LeadProcessFinder } from '../../db/discovery/lead-process-finders.ts';
import { listSources, type LeadProcessSource } from '../../db/discovery/lead-process-sources.ts';
import { jobStateOf, moveLeadProcess, REQUESTS } from '../../db/discovery/lead-process-states.ts';
import {
  findUserLeadProcess,
  listLeadProcesses,
  lockUserLeadProcess,
  type LeadProcess,
} from '../../db/discovery/lead-processes.ts';
import { findLatestOperation } from '../../db/operations/operations.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { DiscoveryOrder, LeadProcessStatus } from '../../domain/discovery/discovery.ts';
import { invalid, notFound, upstreamUnavailable } from '../../domain/errors.ts';
import type { JobRequest } from '../../domain/operations/jobs.ts';
import { orderLeadProcess } from '../../transactions/order-lead-process.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

/** A process with what its ad libraries and contact sources have done. */
export interface LeadProcessView {
  process: LeadProcess;
  sources: LeadProcessSource[];
  finders: LeadProcessFinder[];
}

/**
 * Spec: POST /v1/leads/process. Process, new list (where none is named) and the intent to start the
 * workflow in one transaction; a repeat with the same `requestKey` is answered with the first one.
 */
export async function startLeadProcess(
  context: Needs & Pick<Context, 'adLibraries'>,
  userId: string,
  order: DiscoveryOrder,
  requestKey?: string,
): Promise<{ process: LeadProcess; workflowId: string }> {
  const operation = await orderOnce(context, { userId, requestKey }, async (trx) => {
    refuseWithoutAdLibrary(context);
    const begun = await orderLeadProcess(trx, {
      userId,
      order,
      pace: paceOf(context),
      requested: { actor: ACTOR.user(userId), reason: 'created' },
      requestKey,
    });
    const { leadCount, adReachedCountries: countries, leadListId } = order;
    const after = { leadCount, countries, leadListId, leftOut: ['searchTerm'] };
    noteChange({ resourceId: begun.resource_id, after });
    return begun;
  });
  const process = await getUserLeadProcess(context, userId, operation.resource_id);
  return { process, workflowId: workflowIdOf(operation) };
}

/** None of its steps could find anything. */
export function refuseWithoutAdLibrary({ adLibraries }: Pick<Context, 'adLibraries'>): void {
  if (Object.keys(adLibraries).length > 0) return;
  throw upstreamUnavailable('No ad library is configured');
}

export async function getUserLeadProcess(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<LeadProcess> {
  const process = await findUserLeadProcess(context.db, userId, id);
  if (!process) throw notFound('process');
  return process;
}

export async function getLeadProcessView(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<LeadProcessView> {
  const process = await getUserLeadProcess(context, userId, id);
  const [sources, finders] = await Promise.all([
    listSources(context.db, id),
    listFinders(context.db, id),
  ]);
  return { process, sources, finders };
}

export const listUserLeadProcesses = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: {
    status?: LeadProcessStatus | undefined;
    limit?: number | undefined;
    offset?: number | undefined;
  },
) => listLeadProcesses(context.db, userId, page);

/**
 * Choice 19: the same state again is a no-op, anything else on a final process is refused. The row
 * changes and the workflow is signalled, or neither.
 */
export async function requestOfLeadProcess(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  request: JobRequest,
): Promise<LeadProcess> {
  const { from, to } = REQUESTS[request];
  await commitOnce(context.db, async (trx) => {
    const process = await lockUserLeadProcess(trx, userId, id);
    if (!process) throw notFound('process');
    if (process.status === to) return;
    if (jobStateOf(process.status) === 'over') {
      throw invalid('PROCESS_NOT_ACTIVE', `A process that is ${process.status} cannot be changed`);
    }
    noteChange({ before: { status: process.status }, after: { status: to } });
    await moveLeadProcess(trx, [id], { from, to });
    const operation = await findLatestOperation(trx, 'lead_process', id);
    if (operation) await tellJob(context, trx, operation, request);
  });
  return getUserLeadProcess(context, userId, id);
}
