/** Asks a Temporal server whether it serves a namespace, and adds the search attributes to it. */
import { connect } from 'node:net';
import type { Connection, ConnectionOptions } from '@temporalio/client';
import { searchAttributes } from './temporal-server.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const keyword = 2;

export interface TemporalAddress {
  address: string;
  namespace: string;
  apiKey?: string;
  tls?: boolean;
}

/** True when the namespace exists. Never rejects. */
export async function temporalAnswers(server: TemporalAddress): Promise<boolean> {
  if (!(await acceptsConnections(server.address))) return false;
  try {
    await withConnection(server, async (connection) => {
      await connection.workflowService.describeNamespace({ namespace: server.namespace });
    });
    return true;
  } catch {
    return false;
  }
}

/** Adds those of our search attributes that the namespace lacks; returns their names. */
export async function ensureSearchAttributes(server: TemporalAddress): Promise<string[]> {
  return withConnection(server, async ({ operatorService }) => {
    const { namespace } = server;
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = searchAttributes.filter((name) => !(name in customAttributes));
    if (missing.length > 0) {
      const wanted = Object.fromEntries(missing.map((name) => [name, keyword] as const));
      await operatorService.addSearchAttributes({ namespace, searchAttributes: wanted });
    }
    return missing;
  });
}

async function withConnection<T>(
  server: TemporalAddress,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const options: ConnectionOptions = { address: server.address, connectTimeout: '2s' };
  if (server.apiKey) options.apiKey = server.apiKey;
  if (server.tls) options.tls = true;
  // Loaded late: it is heavy, and the first processes can start meanwhile.
  const { Connection } = await import('@temporalio/client');
  const connection = await Connection.connect(options);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Quicker than gRPC, which waits between its own attempts. */
function acceptsConnections(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || 7233, timeout: 1_000 });
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}
