/** The result of a cluster's last health check. */
import type { Kysely } from 'kysely';
import type { ClusterHealth } from '../../domain/clusters/cluster-health.ts';
import type { Database } from '../tables.ts';

/** The last snapshot, unless it is older than `since`. */
export async function findHealthSnapshot(
  db: Kysely<Database>,
  clusterId: number,
  since: Date,
): Promise<ClusterHealth | undefined> {
  const row = await db
    .selectFrom('cluster_looks')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('looked_at', '>=', since)
    .executeTakeFirst();
  return row && { lookedAt: row.looked_at, parts: row.parts as ClusterHealth['parts'] };
}

export async function saveHealthSnapshot(
  db: Kysely<Database>,
  clusterId: number,
  { lookedAt, parts }: ClusterHealth,
): Promise<void> {
  const look = { looked_at: lookedAt, parts: JSON.stringify(parts) };
  await db
    .insertInto('cluster_looks')
    .values({ cluster_id: clusterId, ...look })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(look))
    .execute();
}
