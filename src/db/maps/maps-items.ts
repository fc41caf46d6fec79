/** The places of maps runs: saved page by page, visited in batches. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { NO_WEBSITE, type MapsItemStatus, type PlaceContacts } from '../../domain/maps/maps.ts';
import { storable } from '../../domain/storable-text.ts';
import type { MapsItemsTable } from './maps-tables.ts';
import type { Database } from '../tables.ts';

export type MapsItem = Selectable<MapsItemsTable>;

/** A place as a provider returns it. */
export interface NewMapsItem {
  placeId: string;
  title: string;
  category: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  countryCode: string | null;
  website: string | null;
  phone: string | null;
  rating: number | null;
  reviewsCount: number | null;
  isClosed: boolean;
  mapsUrl: string | null;
  searchString: string | null;
  latitude: number | null;
  longitude: number | null;
}

/** Saves places that the run does not have yet, in one statement; returns how many those were. */
export async function saveMapsItems(
  trx: Transaction<Database>,
  runId: number,
  places: readonly NewMapsItem[],
): Promise<number> {
  if (places.length === 0) return 0;
  const saved = await sql`
    insert into maps_items (run_id, place_id, title, category, address, city, state, postal_code,
      country_code, website, phone, rating, reviews_count, is_closed, maps_url, search_string,
      latitude, longitude, status, reason)
    select ${runId}, p."placeId", p.title, p.category, p.address, p.city, p.state, p."postalCode",
      p."countryCode", p.website, p.phone, p.rating, p."reviewsCount", p."isClosed", p."mapsUrl",
      p."searchString", p.latitude, p.longitude,
      case when p.website is null then 'skipped' else 'pending' end,
      case when p.website is null then ${NO_WEBSITE} end
    from jsonb_to_recordset(${storableJson(places)}::jsonb) as p ("placeId" text, title text,
      category text, address text, city text, state text, "postalCode" text, "countryCode" text,
      website text, phone text, rating double precision, "reviewsCount" integer,
      "isClosed" boolean, "mapsUrl" text, "searchString" text, latitude double precision,
      longitude double precision)
    on conflict (run_id, place_id) do nothing`.execute(trx);
  return Number(saved.numAffectedRows ?? 0n);
}

/** The input of a visit. */
export interface ClaimedItem {
  id: number;
  website: string;
  countryCode: string | null;
}

/**
 * Claims up to `limit` items whose website this enrichment has not visited. Items left by an earlier attempt
 * of the same enrichment are taken over by `claim`, so late results of that attempt are not written. Also
 * returns how the counters change: an item visited again is neither enriched nor failed meanwhile.
 */
export async function claimMapsItems(
  trx: Transaction<Database>,
  batch: { runId: number; number: number; force: boolean; claim: string; limit: number },
): Promise<{ items: ClaimedItem[]; enriched: number; failed: number }> {
  const statuses = batch.force
    ? ['pending', 'failed', 'enriching', 'enriched', 'skipped']
    : ['pending', 'failed', 'enriching'];
  const { rows } = await sql<ClaimedItem & { was: MapsItemStatus }>`
    with due as (
      select id, status from maps_items
      where run_id = ${batch.runId} and website is not null and round < ${batch.number}
        and status = any(${statuses})
      order by id limit ${batch.limit} for update
    )
    update maps_items i set status = 'enriching', reason = null, claim = ${batch.claim}
    from due where i.id = due.id
    returning i.id, i.website, i.country_code as "countryCode", due.status as was`.execute(trx);
  const items = rows.map(({ id, website, countryCode }) => ({ id, website, countryCode }));
  const left = (status: MapsItemStatus) => -rows.filter(({ was }) => was === status).length;
  return { items, enriched: left('enriched'), failed: left('failed') };
}

/** The result of a visit. Contacts of an earlier visit are kept where this one could not reach the site. */
export interface VisitResult {
  id: number;
  status: 'enriched' | 'failed' | 'skipped';
  reason: string | null;
  contacts: PlaceContacts | null;
}

/** Writes results of this claim; returns how the counters change. Safe to repeat. */
export async function recordVisits(
  trx: Transaction<Database>,
  batch: { number: number; claim: string },
  results: readonly VisitResult[],
): Promise<{ enriched: number; failed: number }> {
  if (results.length === 0) return { enriched: 0, failed: 0 };
  const { rows } = await sql<{ status: MapsItemStatus }>`
    update maps_items i set status = r.status, reason = r.reason, round = ${batch.number},
      claim = null, contacts = coalesce(r.contacts, i.contacts),
      enriched_at = case when r.contacts is null then i.enriched_at else now() end
    from jsonb_to_recordset(${storableJson(results)}::jsonb)
      as r (id bigint, status text, reason text, contacts jsonb)
    where i.id = r.id and i.status = 'enriching' and i.claim = ${batch.claim}
    returning i.status`.execute(trx);
  const count = (status: MapsItemStatus) => rows.filter((row) => row.status === status).length;
  return { enriched: count('enriched'), failed: count('failed') };
}

/** Releases claimed items; results of an earlier visit are kept. */
export async function releaseItems(
  trx: Transaction<Database>,
  runId: number,
  claim?: string,
): Promise<{ enriched: number; failed: number }> {
  const { rows } = await sql<{ status: MapsItemStatus }>`
    update maps_items
    set status = case when enriched_at is null then 'pending' else 'enriched' end, claim = null
    where run_id = ${runId} and status = 'enriching'
      and (${claim ?? null}::text is null or claim = ${claim ?? null})
    returning status`.execute(trx);
  return { enriched: rows.filter(({ status }) => status === 'enriched').length, failed: 0 };
}

/** A page of a run's items, in the order in which they were saved. */
export async function listMapsItems(
  db: Kysely<Database>,
  runId: number,
  page: {
    status?: MapsItemStatus | undefined;
    importStatus?: 'imported' | 'skipped' | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: MapsItem[]; total: number }> {
  let query = db.selectFrom('maps_items').where('run_id', '=', runId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.importStatus !== undefined) {
    query = query.where('import_status', '=', page.importStatus);
  }
  const [rows, count] = await Promise.all([
    query.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}

/** Returns how many there were. */
export async function deleteMapsItems(trx: Transaction<Database>, runId: number): Promise<number> {
  const done = await trx.deleteFrom('maps_items').where('run_id', '=', runId).executeTakeFirst();
  return Number(done.numDeletedRows);
}

/** Texts come from outside: characters that Postgres cannot store are removed. */
const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storable(part) : part,
  );
