/** Which domains do not have yet what a Schedule gives to each. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import type { Database } from '../tables.ts';

/** The next `limit` domains after this id. */
export interface DomainCursor {
  afterId: number;
  limit: number;
}

/**
 * Domains of active clusters whose column says anything else than `wanted`, a space and the name of their host; by
 * id. Records of domains that their owner manages elsewhere are not ours to change.
 */
export const listOutdated = (
  db: Kysely<Database>,
  { afterId, limit }: DomainCursor,
  column: 'mta_sts_policy' | 'record_plan',
  wanted: string,
): Promise<{ domainId: number; registrar: string }[]> =>
  db
    .selectFrom('domains')
    .innerJoin('clusters', 'clusters.domain_id', 'domains.id')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .select(['domains.id as domainId', 'domains.provider as registrar'])
    .where('domains.id', '>', afterId)
    .where('domains.status', '=', 'active')
    .where('domains.provider', '!=', MANUAL_PROVIDER)
    .where('clusters.status', '=', 'active')
    .where('servers.status', '=', 'active')
    .where(
      sql<boolean>`${sql.ref(`domains.${column}`)} is distinct from
        ${wanted} || ' ' || servers.host_name`,
    )
    .orderBy('domains.id')
    .limit(limit)
    .execute();

/** What a cluster on the domain of this one has published is withdrawn: the next one is given everything again. */
export async function forgetPublished(
  trx: Transaction<Database>,
  clusterId: number,
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ mta_sts_policy: null, record_plan: null, updated_at: new Date() })
    .where('id', 'in', (eb) =>
      eb.selectFrom('clusters').select('domain_id').where('clusters.id', '=', clusterId),
    )
    .execute();
}
