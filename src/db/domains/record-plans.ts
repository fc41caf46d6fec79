/** Which domains have the records that became part of the plan after they got theirs. */
import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';
import { listOutdated, type DomainCursor } from './outdated-domains.ts';

/** Domains that were not given the records of this plan at their host yet. */
export const listIncomplete = (
  db: Kysely<Database>,
  { plan, ...page }: DomainCursor & { plan: string },
) => listOutdated(db, page, 'record_plan', plan);

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
