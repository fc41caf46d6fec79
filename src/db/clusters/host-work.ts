/** Mail hosts that something is to be done to, and what became of it. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { Server } from './servers.ts';

/** By id, after this one: servers in use with a cluster that is up. */
export async function listHostsDue(
  db: Kysely<Database>,
  page: { afterServerId: number; serverId?: number | undefined; limit: number },
): Promise<Server[]> {
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
  if (page.serverId !== undefined) query = query.where('id', '=', page.serverId);
  return query.execute();
}

/** One host's operation, for the command line. */
export interface HostWorkLine {
  operationId: number;
  serverId: number;
  host: string;
  state: string;
  step: string | null;
  error: string | null;
}

/** Operations of this kind that were open at, or asked for after, the first one that is not older. */
export async function listHostWork(
  db: Kysely<Database>,
  kind: string,
  since: Date,
): Promise<HostWorkLine[]> {
  const { rows } = await sql<HostWorkLine>`
    select o.id as "operationId", s.id as "serverId", s.host_name as host, o.state, o.step,
      o.error_code || ': ' || coalesce(o.error_message, '') as error
    from operations o join servers s on s.id = o.resource_id
    where o.kind = ${kind} and (o.finished_at is null or o.finished_at >= ${since})
    order by o.id`.execute(db);
  return rows;
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
}

export async function listHosts(db: Kysely<Database>): Promise<HostLine[]> {
  const { rows } = await sql<HostLine>`
    select s.id as "serverId", s.host_name as host, s.ipv4, s.provider, count(*)::int as clusters
    from servers s join clusters c on c.server_id = s.id and c.status in ('active', 'suspended')
    where s.status = 'active' group by s.id order by s.id`.execute(db);
  return rows;
}
