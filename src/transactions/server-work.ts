/** Orders one of the flows of a server, once: an open one is joined, and a repeated request finds its own. */
import type { Transaction } from 'kysely';
import { lockServer } from '../db/clusters/servers.ts';
import { listOpenOperations } from '../db/operations/operation-states.ts';
import {
  countOperations,
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import { SERVER_FLOWS, type ServerJob } from '../domain/clusters/server-flows.ts';
import type { Pace } from '../domain/operations/operations.ts';

const SUMMARIES: Readonly<Record<ServerJob, string>> = {
  'rotate-ssh-key': 'Change the login key of',
  upgrade: 'Upgrade the program of',
};

export interface ServerWorkOrder {
  job: ServerJob;
  serverId: number;
  requested: { actor: string; reason: string };
  requestKey: string;
  pace: Pace;
}

/** Undefined where the server is not in use any more. */
export async function orderServerWork(
  trx: Transaction<Database>,
  { job, serverId, requested, requestKey, pace }: ServerWorkOrder,
): Promise<Operation | undefined> {
  const server = await lockServer(trx, serverId);
  const earlier = await lockRequestedOperation(trx, server.user_id, requestKey);
  if (earlier) return earlier;
  if (server.status !== 'active') return undefined;
  const flow = SERVER_FLOWS[job];
  const open = await listOpenOperations(trx, 'server', serverId);
  const same = open.find(({ kind }) => kind === flow.kind);
  if (same) return same;
  const operation = {
    userId: server.user_id,
    run: (await countOperations(trx, 'server', serverId, flow.kind)) + 1,
    summary: `${SUMMARIES[job]} ${server.host_name}`,
    requested,
    requestKey,
  };
  return insertOperation(trx, flow, { serverId, pace }, operation);
}
