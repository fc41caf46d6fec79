/** Where a discovery process searches: one row per search in an ad library. */
import { createHash } from 'node:crypto';
import type { Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { PlannedSearch } from '../../domain/discovery/discovery.ts';
import { storable } from '../../domain/storable-text.ts';
import type { Operation } from '../operations/operations.ts';
import type { LeadProcessSourcesTable } from './discovery-tables.ts';
import type { Database } from '../tables.ts';

export type LeadProcessSource = Selectable<LeadProcessSourcesTable>;

/** An ad as the ad-library port returns it. */
interface Ad {
  adId: string;
  pageId: string;
  pageName: string;
  landing: string | null;
  adUrl: string | null;
}

/** In the order in which they were planned. */
export const listSources = (
  db: Kysely<Database>,
  processId: number,
): Promise<LeadProcessSource[]> =>
  db
    .selectFrom('lead_process_sources')
    .selectAll()
    .where('process_id', '=', processId)
    .orderBy('id')
    .execute();

export async function insertSources(
  trx: Transaction<Database>,
  processId: number,
  searches: readonly PlannedSearch[],
): Promise<void> {
  if (searches.length === 0) return;
  await trx
    .insertInto('lead_process_sources')
    .values(searches.map((search) => ({ process_id: processId, ...search })))
    .execute();
}

export async function updateSource(
  db: Kysely<Database>,
  id: number,
  change: Pick<
    Updateable<LeadProcessSourcesTable>,
    'state' | 'asked_at' | 'cursor' | 'ads' | 'failures' | 'note' | 'error_code'
  >,
): Promise<void> {
  await db
    .updateTable('lead_process_sources')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/**
 * Notes that a search is begun now, and by which key where nobody can have asked for it yet. Null where another attempt
 * has begun it since `source` was read: a worker that has lost Temporal works on while the next attempt begins.
 */
export async function claimSearch(
  db: Kysely<Database>,
  source: LeadProcessSource,
  { at, operation }: { at: Date; operation: Pick<Operation, 'run_key'> },
): Promise<LeadProcessSource | null> {
  const { id, asked_at, run_key } = source;
  const key = run_key ?? (asked_at === null ? searchKey(operation, source) : null);
  const claimed = await db
    .updateTable('lead_process_sources')
    .set({ asked_at: at, updated_at: new Date(), ...(key !== null && { run_key: key }) })
    .where('id', '=', id)
    .where('cursor', 'is', null)
    .where('asked_at', 'is not distinct from', asked_at)
    .returningAll()
    .executeTakeFirst();
  return claimed ?? null;
}

/**
 * A random part for each search of a process, by that of its order: a fail-over that loses this row, whose next one has
 * another id, leads to the same. No library is asked for the same countries twice.
 */
const searchKey = (
  { run_key }: Pick<Operation, 'run_key'>,
  { vendor, countries }: LeadProcessSource,
): string | null =>
  run_key &&
  createHash('sha256')
    .update([run_key, vendor, ...countries].join(' '))
    .digest('hex')
    .slice(0, 16);

/** Keeps the ads of one page until their advertisers are known; existing ads stay unchanged. */
export async function insertAds(
  trx: Transaction<Database>,
  source: LeadProcessSource,
  ads: readonly Ad[],
): Promise<void> {
  if (ads.length === 0) return;
  await trx
    .insertInto('lead_process_ads')
    .values(
      ads.map((ad) => ({
        process_id: source.process_id,
        ad_id: ad.adId,
        vendor: source.vendor,
        page_id: ad.pageId,
        page_name: storable(ad.pageName),
        landing: ad.landing && storable(ad.landing),
        ad_url: ad.adUrl,
      })),
    )
    .onConflict((conflict) => conflict.columns(['process_id', 'ad_id']).doNothing())
    .execute();
}

/** Advertisers among the waiting ads. */
export async function countAdvertisers(db: Kysely<Database>, processId: number): Promise<number> {
  const { count } = await db
    .selectFrom('lead_process_ads')
    .select((eb) => eb.fn.count<number>('page_id').distinct().as('count'))
    .where('process_id', '=', processId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
