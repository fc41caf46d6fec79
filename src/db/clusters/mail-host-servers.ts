/** Servers that are mail hosts in use, and the last change to their outgoing route. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import type { Server } from './servers.ts';

/** A server with the operations of its active clusters. */
export type MailHostServer = Server & { operation_ids: number[] };

/** By id, after this one; servers being set up get every setting anyway. */
export async function listMailHostServers(
  db: Kysely<Database>,
  page: { afterServerId: number; clusterId?: number | undefined; limit: number },
): Promise<MailHostServer[]> {
  const { afterServerId, clusterId, limit } = page;
  let query = db
    .selectFrom('servers')
    .innerJoin('clusters', 'clusters.server_id', 'servers.id')
    .selectAll('servers')
    .select(sql<number[]>`array_agg(clusters.operation_id)`.as('operation_ids'))
    .where('servers.status', '=', 'active')
    .where('servers.id', '>', afterServerId)
    .where('clusters.status', 'in', ['active', 'suspended'])
    .where('clusters.operation_id', 'is not', null)
    .groupBy('servers.id')
    .orderBy('servers.id')
    .limit(limit);
  if (clusterId !== undefined) {
    query = query.where('servers.id', '=', (eb) =>
      eb
        .selectFrom('clusters as asked')
        .select('asked.server_id')
        .where('asked.id', '=', clusterId),
    );
  }
  return query.execute();
}

/** The result for one host. */
export interface SmarthostLine {
  serverId: number;
  host: string;
  /** The route it sends by: `relay.example.com:587 (open)`, or `directly`; null where it was not reached. */
  sendsBy: string | null;
  error: string | null;
}

/** The last line of the log of all operations, to find the lines after it. */
export async function lastOperationEventId(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from operation_events`.execute(db);
  return rows[0]?.id ?? 0;
}

/** What the logs say of each host after that line. */
export async function listSmarthostLines(
  db: Kysely<Database>,
  afterEventId: number,
): Promise<SmarthostLine[]> {
  const { rows } = await sql<SmarthostLine>`
    select distinct on (s.id) s.id as "serverId", s.host_name as host,
      e.detail ->> 'sendsBy' as "sendsBy", e.detail ->> 'error' as error
    from servers s join clusters c on c.server_id = s.id
    join operation_events e on e.operation_id = c.operation_id and e.id > ${afterEventId}
    where e.kind = 'smarthost_set' and (e.detail ->> 'serverId')::bigint = s.id order by s.id, e.id desc`.execute(
    db,
  );
  return rows;
}
