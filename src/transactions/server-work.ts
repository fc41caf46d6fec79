/**
 * Orders one of the flows of a server, once: an open one is joined, and a repeated request finds its own. Nothing is
 * done beside a rebuild.
 */
import type { Kysely, Transaction } from 'kysely';
import { findRecentServerWork, listOpenServerWork } from '../db/clusters/host-work.ts';
import { lockServer } from '../db/clusters/servers.ts';
import { listOpenOperations } from '../db/operations/operation-states.ts';
import {
  countOperations,
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import {
  rebuildServerFlow,
  SERVER_FLOWS,
  type ServerJob,
} from '../domain/clusters/server-flows.ts';
import type { BackupChoice } from '../domain/clusters/server-rebuilds.ts';
import { invalid } from '../domain/errors.ts';
import type { Pace } from '../domain/operations/operations.ts';

const SUMMARIES: Readonly<Record<ServerJob, string>> = {
  'rotate-ssh-key': 'Change the login key of',
  upgrade: 'Upgrade the program of',
  rebuild: 'Rebuild',
};

export interface ServerWorkOrder {
  job: ServerJob;
  serverId: number;
  requested: { actor: string; reason: string };
  /** Of a rebuild; absent: a fresh one. */
  backup?: BackupChoice | undefined;
  /** Of a rebuild: also where the last one has just succeeded. */
  again?: boolean | undefined;
  requestKey: string;
  pace: Pace;
}

/**
 * Undefined where the server is not in use any more. Throws 400 INVALID_STATE where other work is in the way, and where a
 * host that was rebuilt within a day is not to be rebuilt `again`: whoever repeats the command wants to see its end.
 */
export async function orderServerWork(
  trx: Transaction<Database>,
  order: ServerWorkOrder,
): Promise<Operation | undefined> {
  const { job, serverId, requested, requestKey, pace } = order;
  const server = await lockServer(trx, serverId);
  const earlier = await lockRequestedOperation(trx, server.user_id, requestKey);
  if (earlier) return earlier;
  if (server.status !== 'active') return undefined;
  const flow = SERVER_FLOWS[job];
  const open = await listOpenOperations(trx, 'server', serverId);
  const same = open.find(({ kind }) => kind === flow.kind);
  if (same) return same;
  const other = open.find(({ kind }) => isInTheWay(job, kind));
  if (other) throw inTheWay(other.id, server.host_name);
  await assertNotJustRebuilt(trx, order);
  const operation = {
    userId: server.user_id,
    run: (await countOperations(trx, 'server', serverId, flow.kind)) + 1,
    summary: `${SUMMARIES[job]} ${server.host_name}`,
    requested,
    requestKey,
  };
  if (job !== 'rebuild') {
    return insertOperation(trx, SERVER_FLOWS[job], { serverId, pace }, operation);
  }
  const { backup = 'fresh' } = order;
  const input = { serverId, vendor: server.provider, backup, pace };
  return insertOperation(trx, rebuildServerFlow, input, operation);
}

const inTheWay = (operationId: number, host: string) =>
  invalid(
    'INVALID_STATE',
    `Operation ${operationId} is at work on ${host}: wait for its end, or give it up (outreach ops show ${operationId})`,
  );

/** Whether an open operation of this kind keeps the job from being begun. */
const isInTheWay = (job: ServerJob, kind: string): boolean =>
  kind !== SERVER_FLOWS[job].kind &&
  (job === 'rebuild'
    ? Object.values(SERVER_FLOWS).some((flow) => flow.kind === kind)
    : kind === rebuildServerFlow.kind);

type Wanted = Pick<ServerWorkOrder, 'job' | 'again'> & { serverId?: number };

/** Throws like `orderServerWork`, for one server or any: what a person asks for is refused before anything is begun. */
export async function assertFreeFor(db: Kysely<Database>, wanted: Wanted): Promise<void> {
  const { job, serverId } = wanted;
  const open = await listOpenServerWork(db, serverId);
  for (const one of open) {
    if (isInTheWay(job, one.kind)) throw inTheWay(one.id, one.host);
  }
  if (!open.some(({ kind }) => kind === SERVER_FLOWS[job].kind)) {
    await assertNotJustRebuilt(db, wanted);
  }
}

async function assertNotJustRebuilt(
  db: Kysely<Database>,
  { job, serverId, again }: Wanted,
): Promise<void> {
  if (job !== 'rebuild' || serverId === undefined || again === true) return;
  const last = await findRecentServerWork(db, serverId, rebuildServerFlow.kind);
  if (last === undefined) return;
  throw invalid(
    'INVALID_STATE',
    `Operation ${last.id} has just made ${last.host} anew: --again wipes it once more`,
  );
}
