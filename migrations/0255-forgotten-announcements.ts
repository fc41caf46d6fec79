/**
 * The MTA-STS policy that a domain announces was kept when its cluster was deleted, and its records with it: a cluster
 * that came later at the same host name was taken for one that announces it. Who announces it after all is looked at
 * once more, which changes nothing.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update domains set mta_sts_policy = null
    where mta_sts_policy is not null and not exists (
      select from published_records p
      where p.domain_id = domains.id and p.type = 'TXT' and p.name = '_mta-sts')`.execute(db);
}
