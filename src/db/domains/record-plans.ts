/** Which domains have the records that became part of the plan after they got theirs. */
import { sql, type Kysely } from 'kysely';
import { MANUAL_PROVIDER } from '../../domain/domains/domain-management.ts';
import type { Database } from '../tables.ts';

/**
 * Domains of active clusters that were not given the records of this plan at their host yet; by id. Records of
 * domains that their owner manages elsewhere are not ours to change.
 */
export const listIncomplete = (
  db: Kysely<Database>,
  { afterId, limit, plan }: { afterId: number; limit: number; plan: string },
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
    .where(sql<boolean>`domains.record_plan is distinct from ${plan} || ' ' || servers.host_name`)
    .orderBy('domains.id')
    .limit(limit)
    .execute();

/** All of the plan's records were published, or stand there already. */
export async function noteComplete(
  db: Kysely<Database>,
  domainId: number,
  { plan, hostName }: { plan: string; hostName: string },
): Promise<void> {
  await db
    .updateTable('domains')
    .set({ record_plan: `${plan} ${hostName}`, updated_at: new Date() })
    .where('id', '=', domainId)
    .execute();
}

/** CAA records of ours whose values are others than these: those of an authority before, or of another host. */
export const listOldAuthorities = (
  db: Kysely<Database>,
  domainId: number,
  kept: readonly { name: string; value: string }[],
) =>
  db
    .selectFrom('published_records')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('type', '=', 'CAA')
    .where((eb) =>
      eb.and(
        kept.map(({ name, value }) => eb.or([eb('name', '!=', name), eb('value', '!=', value)])),
      ),
    )
    .orderBy('id')
    .execute();
