/** What the commands that change mail hosts share: they order the work, show how far it is, and tell its end. */
import type { HostWorkLine } from '../db/clusters/host-work.ts';
import { tendHosts } from '../services/operations/ops-hosts.ts';
import type { TendHostsInput } from '../../workflows/contracts/tend-hosts.ts';
import { CommandEnd, EXIT, printJson, printTable, type Io } from './io.ts';
import { withOperatorConnections, type ConnectionOptions } from './operator-connections.ts';

export async function workOnHosts(
  io: Io,
  options: ConnectionOptions & { wait: number },
  input: TendHostsInput,
): Promise<void> {
  const watch = {
    limitMs: options.wait * 1_000,
    onProgress: ({ host, state, step }: HostWorkLine) =>
      options.json || io.err(`${host}: ${state}${step === null ? '' : ` at ${step}`}`),
  };
  const { isDone, hosts } = await withOperatorConnections(io, options, (connections) =>
    tendHosts(connections, input, watch),
  );
  if (options.json) printJson(io, { isDone, hosts });
  else {
    const rows = hosts.map((one) => [
      one.serverId,
      one.host,
      one.operationId,
      one.state,
      one.step,
      one.error,
    ]);
    const columns = ['SERVER', 'HOST', 'OPERATION', 'STATE', 'STEP', 'ERROR'];
    printTable(io, columns, rows, 'No host needs it.');
  }
  if (!isDone) throw new CommandEnd(EXIT.unconfirmed, 'It goes on: run it again to watch it.');
  const failed = hosts.find(({ state }) => state !== 'succeeded');
  if (!failed) return;
  const { host, operationId, state, step } = failed;
  const where = state === 'blocked' && step !== null ? ` at ${step}` : '';
  const message = `Stopped at ${host}: operation ${operationId} is ${state}${where} (outreach ops show ${operationId}).`;
  throw new CommandEnd(EXIT.attention, message);
}
