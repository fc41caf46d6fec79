/** Rented servers; a row is written before the server is ordered. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { ServersTable } from './cluster-tables.ts';
import type { Database } from '../tables.ts';

export type Server = Selectable<ServersTable>;

export interface NewServer {
  userId: string;
  provider: string;
  intentName: string;
  hostName: string;
  clientPrivateKey: Buffer;
  clientPublicKey: string;
  hostPrivateKey: Buffer;
  hostPublicKey: string;
}

/** Keeps the first row of an intent: its keys are those the server was ordered with. */
export async function findOrInsertServer(db: Kysely<Database>, server: NewServer): Promise<Server> {
  await db
    .insertInto('servers')
    .values({
      user_id: server.userId,
      provider: server.provider,
      intent_name: server.intentName,
      host_name: server.hostName,
      client_private_key: server.clientPrivateKey,
      client_public_key: server.clientPublicKey,
      host_private_key: server.hostPrivateKey,
      host_public_key: server.hostPublicKey,
      external_id: null,
      ipv4: null,
    })
    .onConflict((conflict) => conflict.column('intent_name').doNothing())
    .execute();
  return db
    .selectFrom('servers')
    .selectAll()
    .where('intent_name', '=', server.intentName)
    .executeTakeFirstOrThrow();
}

export const getServer = (db: Kysely<Database>, id: number): Promise<Server> =>
  db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The server, locked until the transaction ends. */
export const lockServer = (trx: Transaction<Database>, id: number): Promise<Server> =>
  trx.selectFrom('servers').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

export const findServerByIntent = (
  db: Kysely<Database>,
  intentName: string,
): Promise<Server | undefined> =>
  db.selectFrom('servers').selectAll().where('intent_name', '=', intentName).executeTakeFirst();

/** The user's server in any state. */
export const findUserServer = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Server | undefined> =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Servers under these host names that still carry a cluster. */
const serversNamed = (db: Kysely<Database>, hostNames: readonly string[]) =>
  db
    .selectFrom('servers')
    .where('host_name', 'in', [...hostNames])
    .where('status', 'in', ['active', 'deleting'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('clusters')
        .select('server_id')
        .where('status', 'in', ['provisioning', 'active', 'suspended', 'deleting'])
        .where('server_id', 'is not', null)
        .$castTo<{ server_id: number }>(),
    );

/** The server under a host name that still carries a cluster. */
export const findServerNamed = (
  db: Kysely<Database>,
  hostName: string,
): Promise<Server | undefined> =>
  serversNamed(db, [hostName]).selectAll().limit(1).executeTakeFirst();

/** The owners of those host names under which a server still carries a cluster. */
export const listHostOwners = (
  db: Kysely<Database>,
  hostNames: readonly string[],
): Promise<Pick<Server, 'host_name' | 'user_id'>[]> =>
  serversNamed(db, hostNames).select(['host_name', 'user_id']).execute();

/** Clusters on a server, existing or planned; `except` is not counted. */
export async function countTenants(
  trx: Transaction<Database>,
  serverId: number,
  except: number,
): Promise<{ active: number; provisioning: number }> {
  const rows = await trx
    .selectFrom('clusters')
    .select('status')
    .where('server_id', '=', serverId)
    .where('id', '!=', except)
    .where('status', 'in', ['provisioning', 'active', 'suspended'])
    .execute();
  const provisioning = rows.filter(({ status }) => status === 'provisioning').length;
  return { active: rows.length - provisioning, provisioning };
}

/** The user's active server with the fewest live clusters, or the given one. Choice 16. */
export async function findLeastLoadedServer(
  db: Kysely<Database>,
  userId: string,
  serverId?: number,
): Promise<Server | undefined> {
  let query = db
    .selectFrom('servers')
    .selectAll('servers')
    .leftJoin('clusters', (join) =>
      join
        .onRef('clusters.server_id', '=', 'servers.id')
        .on('clusters.status', 'in', ['provisioning', 'active', 'suspended']),
    )
    .where('servers.user_id', '=', userId)
    .where('servers.status', '=', 'active')
    // A server can be shared once its own cluster is active.
    .where('servers.id', 'in', (eb) =>
      eb
        .selectFrom('clusters as own')
        .select('own.server_id')
        .where('own.status', '=', 'active')
        .where('own.server_id', 'is not', null)
        .$castTo<{ server_id: number }>(),
    )
    .groupBy('servers.id')
    .orderBy(({ fn }) => fn.count('clusters.id'))
    .orderBy('servers.id')
    .limit(1);
  if (serverId !== undefined) query = query.where('servers.id', '=', serverId);
  return query.executeTakeFirst();
}

export async function updateServer(
  db: Kysely<Database>,
  id: number,
  change: {
    external_id?: string;
    ipv4?: string;
    status?: Server['status'];
  },
): Promise<void> {
  await db
    .updateTable('servers')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}
