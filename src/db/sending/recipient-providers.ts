/** Who hosts the mail of domains, as validation has seen it. Shared by all accounts. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** What was seen so long ago is written again. */
const SEEN_DAYS = 1;

/** Keeps what was seen, the domain's provider by its mail exchanger. May be repeated. */
export async function keepProviders(
  db: Kysely<Database>,
  seen: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  if (seen.size === 0) return;
  // In one order, so that two who have seen the same do not wait for each other.
  const rows = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    insert into recipient_providers as kept (domain, provider, seen_at)
    select domain, provider, ${now}
    from unnest(${rows.map(([domain]) => domain)}::text[],
      ${rows.map(([, provider]) => provider)}::text[]) as seen (domain, provider)
    on conflict (domain) do update set provider = excluded.provider, seen_at = excluded.seen_at
    where kept.provider <> excluded.provider
      or kept.seen_at < excluded.seen_at - make_interval(days => ${SEEN_DAYS})`.execute(db);
}

/** By domain; those that nobody has looked at are missing. */
export async function findProviders(
  db: Kysely<Database>,
  domains: readonly string[],
): Promise<Map<string, string>> {
  if (domains.length === 0) return new Map();
  const rows = await db
    .selectFrom('recipient_providers')
    .select(['domain', 'provider'])
    .where('domain', 'in', [...new Set(domains)])
    .execute();
  return new Map(rows.map(({ domain, provider }) => [domain, provider]));
}
