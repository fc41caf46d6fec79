/** Mail providers of domains, as seen by validation. Shared by all accounts. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** An older observation is written again. */
const SEEN_DAYS = 1;

/** Stores the observed provider of each domain, by its mail exchanger. May be repeated. */
export async function keepProviders(
  db: Kysely<Database>,
  seen: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  if (seen.size === 0) return;
  // In a fixed order, so that two concurrent writers do not deadlock.
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

/** By domain; domains never observed are absent. */
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
