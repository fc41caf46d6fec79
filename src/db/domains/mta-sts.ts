/** Which domains announce which MTA-STS policy. */
import type { Kysely } from 'kysely';
import type { MtaStsMode } from '../../domain/domains/mta-sts.ts';
import type { Database } from '../tables.ts';
import { listOutdated, type DomainCursor } from './outdated-domains.ts';

/** Domains that do not announce the policy of this mode and their host yet. */
export const listUnannounced = (
  db: Kysely<Database>,
  { mode, ...page }: DomainCursor & { mode: MtaStsMode },
) => listOutdated(db, page, 'mta_sts_policy', mode);

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
