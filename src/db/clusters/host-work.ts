/** Mail hosts that something is to be done to, and what became of it. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { Server } from './servers.ts';

export interface HostsPage {
  afterServerId: number;
  limit: number;
  /** Only this one. */
  serverId?: number | undefined;
  /** Not this one, which has been done. */
  exceptServerId?: number | undefined;
  /** Only those that have another program than this, or are still at work on it. */
  upgrade?: HostUpgrade | undefined;
}

export interface HostUpgrade {
  kind: string;
  program: string;
  /** What was ordered by this run is found again, however it ended. */
  requestKeyEnd: string;
}

/** By id, after this one: servers in use with a cluster that is up. */
export async function listHostsDue(db: Kysely<Database>, page: HostsPage): Promise<Server[]> {
  const { serverId, exceptServerId, upgrade } = page;
  let query = db
    .selectFrom('servers')
    .selectAll()
    .where('status', '=', 'active')
    .where('id', '>', page.afterServerId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('clusters')
        .select('server_id')
        .where('status', 'in', ['active', 'suspended'])
        .where('server_id', 'is not', null)
        .$castTo<{ server_id: number }>(),
    )
    .orderBy('id')
    .limit(page.limit);
  if (serverId !== undefined) query = query.where('id', '=', serverId);
  if (exceptServerId !== undefined) query = query.where('id', '<>', exceptServerId);
  if (upgrade !== undefined) query = query.where(isUpgradeDue(upgrade));
  return query.execute();
}

/**
 * A host that has the program may not be well yet: its operation waits for a person, or has failed just now. It is
 * not passed over.
 */
const isUpgradeDue = ({ kind, program, requestKeyEnd }: HostUpgrade) => sql<boolean>`
  (program is distinct from ${program} or exists (
    select from operations o
    where o.resource_type = 'server' and o.resource_id = servers.id and o.kind = ${kind}
      and (o.finished_at is null or o.request_key like ${`% ${requestKeyEnd}`})))`;

/** One host's operation, for the command line. */
export interface HostWorkLine {
  operationId: number;
  serverId: number;
  host: string;
  state: string;
  step: string | null;
  error: string | null;
}

/** Operations of this kind that are open or have ended since then, of one server or of all. */
export async function listHostWork(
  db: Kysely<Database>,
  { kind, since, serverId = null }: { kind: string; since: Date; serverId?: number | null },
): Promise<HostWorkLine[]> {
  const { rows } = await sql<HostWorkLine>`
    select o.id as "operationId", s.id as "serverId", s.host_name as host, o.state, o.step,
      o.error_code || ': ' || coalesce(o.error_message, '') as error
    from operations o join servers s on s.id = o.resource_id
    where o.kind = ${kind} and (o.finished_at is null or o.finished_at >= ${since})
      and (${serverId}::bigint is null or s.id = ${serverId})
    order by o.id`.execute(db);
  return rows;
}

/** Operations on servers that have not ended, of one server or of all. */
export const listOpenServerWork = (db: Kysely<Database>, serverId: number | undefined) => {
  const query = db
    .selectFrom('operations')
    .innerJoin('servers', 'servers.id', 'operations.resource_id')
    .select(['operations.id', 'operations.kind', 'servers.host_name as host'])
    .where('operations.resource_type', '=', 'server')
    .where('operations.finished_at', 'is', null)
    .orderBy('operations.id');
  return (serverId === undefined ? query : query.where('servers.id', '=', serverId)).execute();
};

/** The last operation of this kind that has succeeded at a server within a day. */
export async function findRecentServerWork(
  db: Kysely<Database>,
  serverId: number,
  kind: string,
): Promise<{ id: number; host: string } | undefined> {
  const { rows } = await sql<{ id: number; host: string }>`
    select o.id, s.host_name as host from operations o join servers s on s.id = o.resource_id
    where o.resource_type = 'server' and s.id = ${serverId} and o.kind = ${kind}
      and o.state = 'succeeded' and o.finished_at > now() - interval '1 day'
    order by o.id desc limit 1`.execute(db);
  return rows[0];
}

/** Postgres' own clock, which the rows are compared with. */
export async function databaseNow(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

/** One host for `outreach hosts list`. */
export interface HostLine {
  serverId: number;
  host: string;
  ipv4: string | null;
  provider: string;
  clusters: number;
  /** What is wrong with it. */
  troubles: string[];
  /** Digest of its program; null: one that does not tell. */
  program: string | null;
  /** When it was last asked; null: never. */
  askedAt: Date | null;
  /** Public half of the key by which we log in, as in `authorized_keys`. */
  sshPublicKey: string;
}

export async function listHosts(db: Kysely<Database>): Promise<HostLine[]> {
  const { rows } = await sql<HostLine>`
    select s.id as "serverId", s.host_name as host, s.ipv4, s.provider, count(*)::int as clusters,
      (select coalesce(jsonb_agg(t ->> 'kind'), '[]') from jsonb_array_elements(s.troubles) t) as troubles,
      s.program, s.health_checked_at as "askedAt", s.client_public_key as "sshPublicKey"
    from servers s join clusters c on c.server_id = s.id and c.status in ('active', 'suspended')
    where s.status = 'active' group by s.id order by s.id`.execute(db);
  return rows;
}
