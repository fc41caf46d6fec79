/** Mailboxes of ours at `postmaster@` and `abuse@`: on the host, and in no list of the client's. */
import type { Kysely, Selectable } from 'kysely';
import type { RoleName } from '../../domain/mail-reports/role-mailboxes.ts';
import type { Server } from '../clusters/servers.ts';
import type { Mailbox } from '../mailboxes/mailboxes.ts';
import type { Database } from '../tables.ts';
import type { RoleMailboxesTable } from './mail-report-tables.ts';

export type RoleMailbox = Selectable<RoleMailboxesTable>;

interface RoleKey {
  clusterId: number;
  name: RoleName;
}

/** What its sealed password is bound to. */
export const rolePasswordBinding = ({ clusterId, name }: RoleKey) =>
  `role-mailbox:${clusterId}:${name}:password`;

/** Keeps the row that is there: the host may have its password already. */
export async function findOrInsertRoleMailbox(
  db: Kysely<Database>,
  { clusterId, name }: RoleKey,
  sealed: Buffer,
): Promise<RoleMailbox> {
  await db
    .insertInto('role_mailboxes')
    .values({ cluster_id: clusterId, name, password: sealed })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'name']).doNothing())
    .execute();
  return db
    .selectFrom('role_mailboxes')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
}

export async function updateRoleMailbox(
  db: Kysely<Database>,
  { clusterId, name }: RoleKey,
  change: Partial<Omit<RoleMailbox, 'cluster_id' | 'name' | 'password'>>,
): Promise<void> {
  await db
    .updateTable('role_mailboxes')
    .set(change)
    .where('cluster_id', '=', clusterId)
    .where('name', '=', name)
    .execute();
}

/** The client's own mailbox at the address, as long as it may be on the host. */
export const findClientMailbox = (
  db: Kysely<Database>,
  email: string,
): Promise<Mailbox | undefined> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('email', '=', email)
    .where('status', 'in', ['pending', 'active', 'deleting'])
    .executeTakeFirst();

/**
 * Where mail for people goes: a mailbox of the client's on this cluster, one at a role address first. Those of a
 * cluster that leaves are read once more.
 */
export const findMailboxForPeople = (
  db: Kysely<Database>,
  { clusterId, isLeaving }: Pick<ReportedCluster, 'clusterId' | 'isLeaving'>,
  roles: readonly string[],
): Promise<Mailbox | undefined> =>
  db
    .selectFrom('mailboxes')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('status', '=', isLeaving ? 'deleting' : 'active')
    .where('password', 'is not', null)
    .orderBy(({ eb }) => eb('email', 'not in', [...roles]))
    .orderBy('id')
    .executeTakeFirst();

/** A cluster with its domain and its server. */
export interface ReportedCluster {
  clusterId: number;
  userId: string;
  domainId: number;
  domain: string;
  server: Server;
  /** It is being deleted, and its mailboxes with it. */
  isLeaving: boolean;
}

/** Active ones by id, after `afterId`. */
export async function listReportedClusters(
  db: Kysely<Database>,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ReportedCluster[]> {
  const rows = await selectClusters(db)
    .where('clusters.status', '=', 'active')
    .where('servers.status', '=', 'active')
    .where('clusters.id', '>', afterId)
    .orderBy('clusters.id')
    .limit(limit)
    .execute();
  return rows.map((row) => asCluster(row, false));
}

/** One that is being deleted, as long as its server may be there. */
export async function findLeavingCluster(
  db: Kysely<Database>,
  clusterId: number,
): Promise<ReportedCluster | undefined> {
  const row = await selectClusters(db)
    .where('clusters.id', '=', clusterId)
    .where('servers.status', 'in', ['active', 'deleting'])
    .executeTakeFirst();
  return row && asCluster(row, true);
}

const selectClusters = (db: Kysely<Database>) =>
  db
    .selectFrom('clusters')
    .innerJoin('domains', 'domains.id', 'clusters.domain_id')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .selectAll('servers')
    .select(['clusters.id as clusterId', 'clusters.user_id as userId'])
    .select(['domains.id as domainId', 'domains.name as domain']);

type ClusterRow = Awaited<ReturnType<ReturnType<typeof selectClusters>['executeTakeFirstOrThrow']>>;

function asCluster(row: ClusterRow, isLeaving: boolean): ReportedCluster {
  const { clusterId, userId, domainId, domain, ...server } = row;
  return { clusterId, userId, domainId, domain, server, isLeaving };
}

/** Of one cluster, `postmaster` first. */
export const listRoleMailboxes = (
  db: Kysely<Database>,
  clusterId: number,
): Promise<RoleMailbox[]> =>
  db
    .selectFrom('role_mailboxes')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .orderBy('name', 'desc')
    .execute();
