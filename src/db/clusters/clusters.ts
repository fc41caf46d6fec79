/** Clusters: a domain on a server, with the operation that currently works on it. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { ClustersTable } from './cluster-tables.ts';
import type { Database } from '../tables.ts';

export type Cluster = Selectable<ClustersTable>;

/** A domain has at most one cluster in these states; the unique index enforces it. */
const LIVE_STATUSES: Cluster['status'][] = ['provisioning', 'active', 'suspended', 'deleting'];

/** Inserts the row. Undefined when the domain carries a live cluster already. */
export const insertCluster = (
  trx: Transaction<Database>,
  cluster: {
    userId: string;
    domainId: number;
    serverId: number | null;
    name: string;
    useExistingVps: boolean;
  },
): Promise<Cluster | undefined> =>
  trx
    .insertInto('clusters')
    .values({
      user_id: cluster.userId,
      domain_id: cluster.domainId,
      server_id: cluster.serverId,
      name: cluster.name,
      use_existing_vps: cluster.useExistingVps,
      operation_id: null,
    })
    .onConflict((conflict) =>
      conflict.column('domain_id').where('status', 'in', LIVE_STATUSES).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

/** The live cluster on a domain, whoever owns it. */
export const findLiveCluster = (
  db: Kysely<Database>,
  domainId: number,
): Promise<Cluster | undefined> =>
  db
    .selectFrom('clusters')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('status', 'in', LIVE_STATUSES)
    .executeTakeFirst();

export const getCluster = (db: Kysely<Database>, id: number): Promise<Cluster> =>
  db.selectFrom('clusters').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The user's cluster, locked until the transaction ends. */
export const lockUserCluster = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<Cluster | undefined> =>
  trx
    .selectFrom('clusters')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** The cluster, which stays active until the transaction ends; undefined where it is not. */
export const lockActiveCluster = (
  trx: Transaction<Database>,
  id: number,
): Promise<Cluster | undefined> =>
  trx
    .selectFrom('clusters')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst();

export async function updateCluster(
  db: Kysely<Database>,
  id: number,
  change: {
    name?: string;
    status?: Cluster['status'];
    server_id?: number | null;
    domain_id?: number;
    operation_id?: number;
    attempt?: number;
  },
): Promise<void> {
  await db
    .updateTable('clusters')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** A cluster with everything that its presenter shows. */
export type ClusterView = Awaited<ReturnType<typeof findClusterView>>;

export const findClusterView = (db: Kysely<Database>, userId: string, id: number) =>
  selectViews(db, userId).where('clusters.id', '=', id).executeTakeFirst();

/** A page of a user's clusters, newest first; deleted ones only when asked for. Choice 14. */
export async function listClusterViews(
  db: Kysely<Database>,
  userId: string,
  page: { status?: Cluster['status'] | undefined; limit: number; offset: number },
) {
  const counted = db
    .selectFrom('clusters')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId);
  const views = selectViews(db, userId);
  const { status } = page;
  const [rows, count] = await Promise.all([
    (status
      ? views.where('clusters.status', '=', status)
      : views.where('clusters.status', '!=', 'deleted')
    )
      .orderBy('clusters.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    (status
      ? counted.where('status', '=', status)
      : counted.where('status', '!=', 'deleted')
    ).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(count.total) };
}

const selectViews = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .leftJoin('servers', 'servers.id', 'clusters.server_id')
    .leftJoin('operations', 'operations.id', 'clusters.operation_id')
    .select([
      'clusters.id',
      'clusters.user_id',
      'clusters.name',
      'clusters.status',
      'clusters.attempt',
      'clusters.use_existing_vps',
      'clusters.server_id',
      'clusters.created_at',
      'clusters.updated_at',
      'domains.name as domain',
      'servers.ipv4',
      'servers.host_name',
      'servers.outbound25',
      'servers.sending_hold',
      'servers.listings',
      'servers.status as server_status',
      'operations.workflow_id',
      'operations.run_key',
      'operations.state',
      'operations.step',
      'operations.steps',
      'operations.message',
      'operations.error_code',
      'operations.error_message',
      'operations.updated_at as progress_at',
    ])
    .select((eb) =>
      eb
        .selectFrom('mailboxes')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('mailboxes.cluster_id', '=', 'clusters.id')
        .where('mailboxes.status', '=', 'active')
        .as('mailboxes_count'),
    )
    .where('clusters.user_id', '=', userId);

/** A cluster that its server has to serve, with the name of its domain. */
export interface ClusterOnServer {
  id: number;
  domain_id: number;
  domain: string;
}

/**
 * The clusters that a server has to serve, the oldest first: those that are up, and those whose order has begun to put
 * them on it and goes on.
 */
export const listClustersOnServer = (
  db: Kysely<Database>,
  serverId: number,
): Promise<ClusterOnServer[]> =>
  db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .select(['clusters.id', 'clusters.domain_id', 'domains.name as domain'])
    .where('clusters.server_id', '=', serverId)
    .where((eb) => eb.or([eb('clusters.status', 'in', ['active', 'suspended']), isBeingPut]))
    .orderBy('clusters.id')
    .execute();

const isBeingPut = sql<boolean>`(clusters.status = 'provisioning' and exists (
  select from operations o, jsonb_array_elements(o.steps) noted
  where o.id = clusters.operation_id and o.finished_at is null and o.state <> 'compensating'
    and noted ->> 'name' = 'mail_server_install' and noted ->> 'state' <> 'pending'))`;

/** Of a cluster `other`: it lives, or is being put up. One that is being given up keeps nothing. */
export const isOtherKept = sql<boolean>`(other.status in ('active', 'suspended')
  or other.status = 'provisioning' and not exists (select from operations o
    where o.id = other.operation_id and o.state = 'compensating'))`;

/** Another cluster on its server that has the name of its domain, maybe by another row of the name; one that is up first. */
export async function findNamesakeOnServer(
  db: Kysely<Database>,
  clusterId: number,
): Promise<Pick<Cluster, 'id' | 'domain_id' | 'status'> | undefined> {
  const { rows } = await sql<Pick<Cluster, 'id' | 'domain_id' | 'status'>>`
    select other.id, other.domain_id, other.status
    from clusters own join domains mine on mine.id = own.domain_id
      join clusters other on other.server_id = own.server_id and other.id <> own.id
      join domains theirs on theirs.id = other.domain_id and theirs.name = mine.name
    where own.id = ${clusterId} and ${isOtherKept}
    order by other.status = 'provisioning', other.id desc
    limit 1`.execute(db);
  return rows[0];
}
