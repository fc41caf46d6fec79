/** Discovery processes: ordering, pausing, resuming, cancelling. Spec: Lead discovery; choices 4, 19-23. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { insertLeadList, lockUserLeadList } from '../../db/leads/lead-lists.ts';
import { listFinders, type LeadProcessFinder } from '../../db/discovery/lead-process-finders.ts';
import { listSources, type LeadProcessSource } from '../../db/discovery/lead-process-sources.ts';
import { jobStateOf, moveLeadProcess, REQUESTS } from '../../db/discovery/lead-process-states.ts';
import {
  findUserLeadProcess,
  insertLeadProcess,
  listLeadProcesses,
  lockUserLeadProcess,
  type LeadProcess,
} from '../../db/discovery/lead-processes.ts';
import {
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import type { LeadProcessStatus } from '../../domain/discovery/discovery.ts';
import { discoverLeadsFlow } from '../../domain/discovery/flows.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { JobRequest } from '../../domain/operations/jobs.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

export interface DiscoveryOrder {
  searchTerm: string;
  leadCount: number;
  adReachedCountries: string[];
  leadListId?: number | undefined;
}

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
  context: Needs,
  userId: string,
  order: DiscoveryOrder,
  requestKey?: string,
): Promise<{ process: LeadProcess; workflowId: string }> {
  const operation = await orderOnce(context, { userId, requestKey }, (trx) =>
    begin(context, trx, { userId, order, requestKey }),
  );
  const process = await getUserLeadProcess(context, userId, operation.resource_id);
  return { process, workflowId: workflowIdOf(operation) };
}

async function begin(
  context: Needs,
  trx: Transaction<Database>,
  {
    userId,
    order,
    requestKey,
  }: { userId: string; order: DiscoveryOrder; requestKey?: string | undefined },
): Promise<Operation> {
  const { searchTerm, leadCount, adReachedCountries: countries } = order;
  const leadListId = await listFor(trx, userId, order);
  const process = { userId, leadListId, searchTerm, leadCount, countries };
  const { id } = await insertLeadProcess(trx, process);
  const input = { processId: id, pace: paceOf(context) };
  return insertOperation(trx, discoverLeadsFlow, input, {
    userId,
    summary: `Discover ${leadCount} leads`,
    requested: { actor: ACTOR.user(userId), reason: 'created' },
    requestKey,
  });
}

/**
 * Spec: POST /v1/leads/process. A new list is created when none is named. A foreign list is 404 like a
 * missing one.
 */
async function listFor(
  trx: Transaction<Database>,
  userId: string,
  { leadListId, searchTerm, adReachedCountries }: DiscoveryOrder,
): Promise<number> {
  if (leadListId !== undefined) {
    if (!(await lockUserLeadList(trx, userId, leadListId))) throw notFound('lead list');
    return leadListId;
  }
  const description = `Advertisers found for "${searchTerm}" (${adReachedCountries.join(', ')})`;
  const source = 'discovery';
  return (await insertLeadList(trx, { userId, name: searchTerm, description, source })).id;
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
    await moveLeadProcess(trx, [id], { from, to });
    const operation = await findLatestOperation(trx, 'lead_process', id);
    if (operation) await tellJob(context, trx, operation, request);
  });
  return getUserLeadProcess(context, userId, id);
}
