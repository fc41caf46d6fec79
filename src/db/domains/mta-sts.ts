/** Which domains announce which MTA-STS policy. */
import { sql, type Kysely } from 'kysely';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import type { MtaStsMode } from '../../domain/domains/mta-sts.ts';
import type { Database } from '../tables.ts';

/**
 * Domains of active clusters that do not announce the policy of this mode and their host yet; by id. Records of
 * domains that their owner manages elsewhere are not ours to change.
 */
export const listUnannounced = (
  db: Kysely<Database>,
  { afterId, limit, mode }: { afterId: number; limit: number; mode: MtaStsMode },
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
      sql<boolean>`domains.mta_sts_policy is distinct from ${mode} || ' ' || servers.host_name`,
    )
    .orderBy('domains.id')
    .limit(limit)
    .execute();

/** The policy is served and announced. */
export async function noteAnnounced(
  db: Kysely<Database>,
  domainId: number,
  policy: string,
): Promise<void> {
  await db
    .updateTable('domains')
    .set({ mta_sts_policy: policy, updated_at: new Date() })
    .where('id', '=', domainId)
    .execute();
}

/** The announcements of ours: those of policies before this one have to go. */
export const listAnnouncements = (db: Kysely<Database>, domainId: number, except: string) =>
  db
    .selectFrom('published_records')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('type', '=', 'TXT')
    .where('name', '=', '_mta-sts')
    .where('value', '!=', except)
    .orderBy('id')
    .execute();
