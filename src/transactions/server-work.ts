/**
 * Orders one of the flows of a server, once: an open one is joined, and a repeated request finds its own. Nothing is
 * done beside a rebuild.
 */
import type { Kysely, Transaction } from 'kysely';
import { listOpenServerWork } from '../db/clusters/host-work.ts';
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
  requestKey: string;
  pace: Pace;
}

/** Undefined where the server is not in use any more. Throws 400 INVALID_STATE where other work is in the way. */
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

/** Throws like `orderServerWork`, for one server or any: what a person asks for is refused before anything is begun. */
export async function assertFreeFor(
  db: Kysely<Database>,
  job: ServerJob,
  serverId: number | undefined,
): Promise<void> {
  for (const one of await listOpenServerWork(db, serverId)) {
    if (isInTheWay(job, one.kind)) throw inTheWay(one.id, one.host);
  }
}
