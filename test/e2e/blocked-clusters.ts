/** Clusters parked by an expired vendor token: how many it parks, and what became of them. */
import { sql } from 'kysely';
import type { SharedWorld } from './shared-world.ts';
import { eventually, fundedAccount, newDomain } from './account.ts';

export const STEP = 'server_create';
export const BLOCKED_QUERY = `OpsState IN ("Blocked","CompensationBlocked") AND OpsStep="${STEP}"`;

/** Spec: Limits. New domain and new server. */
const PRICE_CENTS = 4_100;
/** A user may make 100 calls a minute. */
const CLUSTERS_PER_USER = 10;

export interface BlockedCluster {
  id: number;
  operationId: number;
  jobId: string;
  domain: string;
}

/**
 * Our tokens are refused from now on, the alternate's too: else it would give the servers. The first vendor's
 * catalogue can still be read, as by orders that are past that check: others wait before their domain is bought.
 */
export async function expireToken(world: SharedWorld): Promise<void> {
  for (const operation of ['/servers*', '/ssh_keys*']) {
    await world.control('POST', '/faults', { vendor: 'hetzner', operation, kind: 'auth' });
  }
  await world.control('POST', '/faults', { vendor: 'vultr', kind: 'auth' });
}

export const renewToken = (world: SharedWorld) => world.control('DELETE', '/faults');

/** A server with a cluster that is up. */
export async function rentServer(world: SharedWorld): Promise<number> {
  const account = await fundedAccount(world, 'landlord', PRICE_CENTS);
  const { id } = await account.order(newDomain('rented'));
  const isUp = async () => {
    const { status, serverId } = await account.cluster(id);
    return status === 'active' ? serverId! : undefined;
  };
  return eventually('An active cluster', isUp, 120_000);
}

/** Orders `count` clusters of several users and waits until all of them wait for a person. */
export async function blockClusters(world: SharedWorld, count: number): Promise<BlockedCluster[]> {
  const users = Math.ceil(count / CLUSTERS_PER_USER);
  const orders = await Promise.all(
    Array.from({ length: users }, async (_, user) => {
      const mine = Math.min(CLUSTERS_PER_USER, count - user * CLUSTERS_PER_USER);
      const account = await fundedAccount(world, 'on-call', mine * PRICE_CENTS);
      return Promise.all(Array.from({ length: mine }, () => account.order(newDomain('parked'))));
    }),
  );
  const clusters = orders.flat();
  const rows = await world.db
    .selectFrom('clusters')
    .select(['id', 'operation_id'])
    .where(
      'id',
      'in',
      clusters.map(({ id }) => id),
    )
    .execute();
  const blocked = clusters.map(({ id, jobId, domain }) => {
    const row = rows.find((one) => one.id === id);
    return { id, jobId, domain, operationId: row!.operation_id! };
  });
  const waiting = await untilBlocked(world, blocked, 0);
  if (waiting.length === count) return blocked;
  throw new Error(`${count - waiting.length} of ${count} clusters were not parked`);
}

/** The newest line of the log that says that one of them waits. */
export async function lastBlockedEvent({ db }: SharedWorld): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from operation_events where kind = 'blocked'`.execute(db);
  return Number(rows[0]!.id ?? 0);
}

/** Waits until each that is not over is blocked, by a line of the log after `since`. */
export const untilBlocked = (
  { db }: SharedWorld,
  blocked: readonly BlockedCluster[],
  since: number,
): Promise<BlockedCluster[]> =>
  eventually(
    'Blocked steps',
    async () => {
      const { rows } = await sql<{ id: number; isOver: boolean; isBlocked: boolean }>`
        select o.id, o.finished_at is not null as "isOver",
          o.blocked_at is not null and exists (select from operation_events e
            where e.operation_id = o.id and e.kind = 'blocked' and e.id > ${since}) as "isBlocked"
        from operations o
        where o.id in (${sql.join(blocked.map(({ operationId }) => operationId))})`.execute(db);
      if (!rows.every(({ isOver, isBlocked }) => isOver || isBlocked)) return undefined;
      const waiting = rows.filter(({ isOver }) => !isOver).map(({ id }) => id);
      return blocked.filter(({ operationId }) => waiting.includes(operationId));
    },
    120_000,
  );

/** How many clusters of these have which status. */
export async function statusesOf(
  { db }: SharedWorld,
  blocked: readonly BlockedCluster[],
): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from clusters
    where id in (${sql.join(blocked.map(({ id }) => id))}) group by status`.execute(db);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** What Temporal lists for one query; it lags a little behind. */
export const listedBy = ({ temporal }: SharedWorld, query: string, wanted: number) =>
  eventually('The list of parked workflows', async () => {
    const listed: string[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query })) listed.push(workflowId);
    if (listed.length === wanted) return listed.toSorted();
    throw new Error(`${query} lists ${listed.length} of ${wanted}: ${listed.join(', ')}`);
  });
