/** How clusters are shown, and followed. */
import type { Cluster } from '../../../clients/typescript/src/index.ts';
import type { Io } from '../io.ts';
import { withClient, type Client, type ClientOptions } from './connection.ts';
import { minute, show, type Table } from './output.ts';
import { follow, wordsOf, type Progress } from './waiting.ts';

export const clusterTable: Table<Cluster> = {
  columns: ['ID', 'DOMAIN', 'STATUS', 'ADDRESS', 'MAILBOXES', 'SENDING', 'MADE'],
  cells: (one) => [
    one.id,
    one.domain,
    statusOf(one),
    one.ipAddress,
    one.mailboxesCount,
    one.health.sendingHold ?? (one.status === 'active' ? 'ok' : null),
    minute(one.createdAt),
  ],
  none: 'There are no clusters.',
};

const statusOf = ({ status, provisioning: { state } }: Cluster): string =>
  status === 'provisioning' && state !== 'running' ? `${status}, ${state}` : status;

export const showCluster = (io: Io, options: ClientOptions, cluster: Cluster): void =>
  show(io, options, cluster, [
    ['Cluster', `${cluster.id}, ${cluster.name}`],
    ['Domain', cluster.domain],
    ['Status', statusOf(cluster)],
    ['Mail host', cluster.mailServer?.host],
    ['Address', cluster.ipAddress ?? undefined],
    ['Mailboxes', cluster.mailboxesCount],
    ['Sending', cluster.health.sendingHold ?? undefined],
    ['Progress', `${cluster.provisioning.completedSteps} of ${cluster.provisioning.totalSteps}`],
    ['Now', cluster.provisioning.message || undefined],
    ['Error', cluster.provisioning.error ? wordsOf(cluster.provisioning.error, '') : undefined],
  ]);

const GIVEN_UP: readonly string[] = ['failed', 'deleting', 'deleted'];

function progressOf({ id, status, provisioning }: Cluster): Progress {
  const { steps, state, message, error, completedSteps, totalSteps } = provisioning;
  const begun = steps.filter((step) => step.state !== 'pending' && step.state !== 'skipped');
  return {
    lines: [
      ...begun.map((step) => `${step.name.padEnd(20)}  ${step.state}`),
      ...(state === 'blocked' ? [`It waits for the operator: ${message}`] : []),
      ...(status === 'active'
        ? [`Cluster ${id} is active: ${completedSteps} of ${totalSteps}`]
        : []),
    ],
    isDone: status === 'active',
    failure: GIVEN_UP.includes(status)
      ? `Cluster ${id} is ${status}. ${wordsOf(error, message)}`
      : undefined,
  };
}

/** Until it is active; ends the command where it has failed. */
export const followCluster = (
  io: Io,
  { outreach }: Client,
  id: number,
  timeout: number,
): Promise<Cluster> =>
  follow(io, () => outreach.clusters.read({ id }), progressOf, {
    timeout,
    again: `outreach clusters watch ${id}`,
  });

/** `outreach clusters watch`, of a client. */
export const watchCluster = (
  io: Io,
  id: number,
  options: ClientOptions & { timeout: number },
): Promise<void> =>
  withClient(io, options, async (client) =>
    showCluster(io, options, await followCluster(io, client, id, options.timeout)),
  );
