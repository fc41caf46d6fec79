/**
 * A domain that very many leads have is suppressed and lifted at once: from the commit of its entry on nobody of it is
 * claimed, begun or enrolled, whatever the leads' statuses say. These follow portion by portion. Choice 144.
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { NewSuppression } from '../../domain/suppressions/suppressions.ts';
import type { DomainWalksTable } from '../leads/lead-tables.ts';
import { wakeShardJobs } from '../shards/shard-jobs.ts';
import type { Database } from '../tables.ts';
import { settleLeads } from './suppressed-leads.ts';

export type DomainWalk = Selectable<DomainWalksTable>;

/** Leads whose status one request may change; more are walked. */
export const LEADS_AT_ONCE = 1_000;
/** Per transaction: an unsubscription of one of them waits for it. */
export const WALKED_AT_ONCE = 100;
/** Walks, each of another account, that are looked up at once. */
const WALKS_AT_ONCE = 20;
/** A larger domain counts as one of so many. */
const MAX_LEADS_COUNTED = 1_000_000;

/**
 * Which of the domains are to be walked: those that are walked already, and, in the order given, those with leads from
 * where all together have more than a request may change.
 */
export async function listLargeDomains(
  trx: Transaction<Database>,
  userId: string,
  domains: readonly string[],
): Promise<Set<string>> {
  if (domains.length === 0) return new Set();
  const { rows } = await sql<{ domain: string }>`
    with few as (
      select given.n from unnest(${[...domains]}::text[]) with ordinality as given (name, n)
      cross join lateral leads_of_domain(${userId}, given.name) as id
      limit ${LEADS_AT_ONCE + 1}
    ), last as (select max(n) as n from few having count(*) > ${LEADS_AT_ONCE})
    select given.name as domain
    from unnest(${[...domains]}::text[]) with ordinality as given (name, n)
    where exists (select from domain_walks where user_id = ${userId} and domain = given.name)
      or (given.n >= (select n from last)
        and exists (select from leads_of_domain(${userId}, given.name)))`.execute(trx);
  return new Set(rows.map(({ domain }) => domain));
}

/** In the transaction that suppresses the domains or lifts one of them; what is going on begins anew. */
export async function askForWalks(
  trx: Transaction<Database>,
  userId: string,
  domains: readonly string[],
  lifted?: { id: number; reason: NewSuppression['reason'] },
): Promise<void> {
  if (domains.length === 0) return;
  await sql`
    insert into domain_walks (user_id, domain, lifted_reasons, lifted_id, lifted_at)
    select ${userId}, domain, ${lifted ? [lifted.reason] : []}::text[], ${lifted?.id ?? null}::bigint,
      case when ${lifted !== undefined} then now() end
    from unnest(${[...domains]}::text[]) as domain order by domain
    on conflict (user_id, domain) do update set requests = domain_walks.requests + 1,
      lifted_reasons = array(select distinct unnest(domain_walks.lifted_reasons || excluded.lifted_reasons)),
      lifted_id = excluded.lifted_id, lifted_at = coalesce(excluded.lifted_at, domain_walks.lifted_at),
      walked = 0, after_key = ''`.execute(trx);
}

/**
 * The next ones: of each account the one that was asked for first, without those that rest. `after`: the account that
 * was served last, behind which it goes on.
 */
export async function nextWalks(
  db: Kysely<Database>,
  { after, resting }: { after: string; resting: readonly number[] },
): Promise<DomainWalk[]> {
  const { rows } = await sql<DomainWalk>`
    select * from (
      select distinct on (user_id) * from domain_walks
      where id <> all (${[...resting]}::bigint[]) order by user_id, id) as firsts
    order by user_id <= ${after}, user_id limit ${WALKS_AT_ONCE}`.execute(db);
  return rows;
}

/** By domain, those of an account. */
export async function findWalks(
  db: Kysely<Database>,
  userId: string,
  domains: readonly string[],
): Promise<Map<string, DomainWalk>> {
  if (domains.length === 0) return new Map();
  const rows = await db
    .selectFrom('domain_walks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('domain', '=', sql<string>`any(${[...domains]}::text[])`)
    .execute();
  return new Map(rows.map((walk) => [walk.domain, walk]));
}

/** Leads that the walk has still to look at; null: not counted yet. None without a walk. */
export function openLeadsOf(walk: DomainWalk | undefined): number | null {
  if (!walk) return 0;
  return walk.leads === null ? null : Math.max(1, walk.leads - walk.walked);
}

/** For those who ask how far it is. */
export async function countLeads(
  db: Kysely<Database>,
  { id, user_id: userId, domain }: DomainWalk,
): Promise<void> {
  await sql`
    update domain_walks set leads = (select count(*) from (
      select from leads_of_domain(${userId}, ${domain}) limit ${MAX_LEADS_COUNTED}) as counted)
    where id = ${id}`.execute(db);
}

/** Settles the next leads; true where none is left. Safe to repeat, and to run twice at once. */
export async function walkOn(
  trx: Transaction<Database>,
  { id, user_id: userId }: Pick<DomainWalk, 'id' | 'user_id'>,
  { now, portion = WALKED_AT_ONCE }: { now: Date; portion?: number | undefined },
): Promise<boolean> {
  // Two processes would settle the same leads, by what each of them knew.
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 6204))`.execute(trx);
  const walk = await trx
    .selectFrom('domain_walks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!walk) return true;
  const rows = await nextLeads(trx, walk, portion);
  const { leads, campaignIds } = await settleLeads(
    trx,
    rows.map((row) => row.id),
    { userId, reasons: walk.lifted_reasons, before: walk.lifted_at },
  );
  if (leads > 0 && walk.lifted_id !== null) {
    await sql`update lifted_suppressions set lifted_leads = lifted_leads + ${leads}
      where id = ${walk.lifted_id}`.execute(trx);
  }
  await wakeShardJobs(trx, { type: 'campaign', ids: campaignIds, now });
  return noteProgress(trx, walk, rows);
}

interface Next {
  id: number;
  key: string;
}

/** In the order of the index; those with the same address together. */
async function nextLeads(
  trx: Transaction<Database>,
  { user_id: userId, domain, after_key: after }: DomainWalk,
  portion: number,
): Promise<Next[]> {
  const key = sql`reverse(email_key) collate "C"`;
  const range = (from: string, to: string) => sql`(
    select id, ${key} as key from leads
    where user_id = ${userId} and email_key is not null and ${key} > ${after}
      and ${key} >= reverse(${from + domain}) and ${key} < reverse(${to + domain})
    order by ${key} fetch first ${portion} rows with ties)`;
  const { rows } = await sql<Next>`
    ${range('.', '/')} union all ${range('@', 'A')}
    order by key fetch first ${portion} rows with ties`.execute(trx);
  return rows;
}

/** A walk that was asked for again meanwhile stays at its beginning. */
async function noteProgress(
  trx: Transaction<Database>,
  { id, requests, walked }: DomainWalk,
  rows: readonly Next[],
): Promise<boolean> {
  const last = rows.at(-1);
  if (last) {
    await trx
      .updateTable('domain_walks')
      .set({ after_key: last.key, walked: walked + rows.length })
      .where('id', '=', id)
      .where('requests', '=', requests)
      .execute();
    return false;
  }
  const { numDeletedRows } = await trx
    .deleteFrom('domain_walks')
    .where('id', '=', id)
    .where('requests', '=', requests)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
