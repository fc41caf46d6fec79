/**
 * Imports of a maps run's places into a lead list.
 * Spec: POST /v1/maps-scraper/runs/:id/import-to-lead-list.
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { PersonOutcome } from '../../domain/leads/leads.ts';
import type { ImportOptions, SkipReason } from '../../domain/maps/maps.ts';
import { jobTable } from '../job-tables.ts';
import type { MapsItem } from './maps-items.ts';
import type { MapsImportsTable } from './maps-tables.ts';
import type { Database } from '../tables.ts';

export type MapsImport = Selectable<MapsImportsTable>;

/**
 * Where an import begins: behind the places that the last one into the list with the same options, but for `limit`,
 * has handled; at the first place again where that one has handled all. Choice 33.
 */
export async function firstItemToImport(
  trx: Transaction<Database>,
  order: ImportOrder,
): Promise<number> {
  const { rows } = await sql<{ last_item_id: number }>`
    select last_item_id from (
      select last_item_id from maps_imports
      where status <> 'running' and ${isOfKind(order)}
      order by id desc limit 1) as last
    where exists (select from maps_items
      where run_id = ${order.runId} and id > last.last_item_id)`.execute(trx);
  return rows[0]?.last_item_id ?? 0;
}

/** An import of the kind that has not ended: a repeat waits for it. */
export async function findRunningImport(
  trx: Transaction<Database>,
  order: ImportOrder,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from maps_imports where status = 'running' and ${isOfKind(order)}
    order by id desc limit 1`.execute(trx);
  return rows[0]?.id;
}

/** How many places of the run are behind those that the import has handled. */
export async function countRemainingItems(
  db: Kysely<Database>,
  { run_id: runId, last_item_id: last }: Pick<MapsImport, 'run_id' | 'last_item_id'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from maps_items
    where run_id = ${runId} and id > ${last}`.execute(db);
  return rows[0]!.count;
}

interface ImportOrder {
  runId: number;
  leadListId: number;
  options: ImportOptions;
}

const isOfKind = ({ runId, leadListId, options }: ImportOrder) =>
  sql`run_id = ${runId} and lead_list_id = ${leadListId}
    and options - ${UNLIKE} = ${JSON.stringify(options)}::jsonb - ${UNLIKE}`;

/** Options in which imports of one kind may differ. */
const UNLIKE = sql`array['limit', 'afterItemId']`;

export const insertMapsImport = (
  trx: Transaction<Database>,
  order: { userId: string; runId: number; leadListId: number; options: ImportOptions },
): Promise<MapsImport> =>
  trx
    .insertInto('maps_imports')
    .values({
      user_id: order.userId,
      run_id: order.runId,
      lead_list_id: order.leadListId,
      options: JSON.stringify(order.options),
      last_item_id: order.options.afterItemId ?? 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const getMapsImport = (db: Kysely<Database>, id: number): Promise<MapsImport> =>
  db.selectFrom('maps_imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const table = jobTable('maps_imports', {
  open: 'running',
  endedAt: 'completed_at',
  // Its list was deleted. Choice 4.
  isOver: ({ lead_list_id }) => lead_list_id === null,
  whenCancelled: (error) => ({ status: 'cancelled', error }),
});

export const mapsImportRows = table.rows;
/** The row, locked until the transaction ends; lock its run before it. */
export const lockMapsImport = table.lock;
/** What the row wants of its workflow. */
export const importState = table.stateOf;

/** The next items of an import, in the order in which they were saved. */
export const nextItemsToImport = (
  db: Kysely<Database>,
  one: Pick<MapsImport, 'run_id' | 'last_item_id'>,
  limit: number,
): Promise<MapsItem[]> =>
  db
    .selectFrom('maps_items')
    .selectAll()
    .where('run_id', '=', one.run_id)
    .where('id', '>', one.last_item_id)
    .orderBy('id')
    .limit(limit)
    .execute();

/** The result of one item. `people` are empty and `companyId` is null where it was skipped. */
export interface ItemOutcome {
  itemId: number;
  reason: SkipReason | null;
  people: readonly PersonOutcome[];
  companyId: number | null;
  companyCreated: boolean;
  companyKey: string;
}

/**
 * Writes the results of a batch, with the counters of the import and of its run. The caller has locked both.
 * A contact is counted as imported or found each time it occurs, a company once.
 */
export async function recordImported(
  trx: Transaction<Database>,
  one: MapsImport,
  outcomes: readonly ItemOutcome[],
): Promise<MapsImport> {
  const people = outcomes.flatMap((outcome) => outcome.people);
  const created = people.filter(({ outcome }) => outcome === 'created').length;
  const leads = outcomes.flatMap(({ people: theirs, companyKey }) =>
    theirs.flatMap(({ leadId }) => (leadId === null ? [] : [{ id: leadId, companyKey }])),
  );
  const companyIds = outcomes.flatMap(({ companyId }) => companyId ?? []);
  await noteImported(trx, one, { kind: 'lead', refs: leads });
  const companies = await noteImported(trx, one, {
    kind: 'company',
    refs: companyIds.map((id) => ({ id, companyKey: null })),
  });
  const newCompanies = outcomes.filter(({ companyCreated }) => companyCreated).length;
  await sql`
    update maps_runs set imported_leads = imported_leads + ${created}, updated_at = now()
    where id = ${one.run_id}`.execute(trx);
  await markItems(trx, one.id, outcomes);
  const skipped = { ...one.skipped };
  for (const { reason } of outcomes) if (reason) skipped[reason] = (skipped[reason] ?? 0) + 1;
  return trx
    .updateTable('maps_imports')
    .set({
      last_item_id: Math.max(one.last_item_id, ...outcomes.map(({ itemId }) => itemId)),
      processed_items: one.processed_items + outcomes.length,
      imported_leads: one.imported_leads + created,
      found_leads: one.found_leads + leads.length - created,
      differing_leads: one.differing_leads + people.filter(({ kept }) => kept !== undefined).length,
      imported_companies: one.imported_companies + newCompanies,
      found_companies: one.found_companies + companies - newCompanies,
      skipped_items: Object.values(skipped).reduce((sum, count) => sum + count, 0),
      skipped: JSON.stringify(skipped),
      updated_at: new Date(),
    })
    .where('id', '=', one.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns how many the import had not counted before. */
async function noteImported(
  trx: Transaction<Database>,
  one: MapsImport,
  {
    kind,
    refs,
  }: { kind: 'lead' | 'company'; refs: readonly { id: number; companyKey: string | null }[] },
): Promise<number> {
  if (refs.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into maps_imported (import_id, kind, ref_id, run_id, company_key)
    select distinct on (r.id) ${one.id}::bigint, ${kind}, r.id, ${one.run_id}::bigint, r.key
    from jsonb_to_recordset(${JSON.stringify(refs.map(({ id, companyKey }) => ({ id, key: companyKey })))}::jsonb)
      as r (id bigint, key text)
    order by r.id
    on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

async function markItems(
  trx: Transaction<Database>,
  importId: number,
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const rows = outcomes.map(({ itemId, reason, people }) => ({
    itemId,
    reason,
    leadIds: people.flatMap(({ leadId }) => leadId ?? []),
  }));
  await sql`
    update maps_items i set import_id = ${importId}, imported_at = now(), import_reason = o.reason,
      import_status = case when o.reason is null then 'imported' else 'skipped' end,
      lead_ids = o."leadIds"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o ("itemId" bigint, reason text, "leadIds" jsonb)
    where i.id = o."itemId"`.execute(trx);
}

/**
 * The matching keys of leads that this import has already added, for each company; of one that does not begin at the
 * first place, also those of the imports before it.
 */
export async function listImportedKeys(
  trx: Transaction<Database>,
  one: MapsImport,
  companyKeys: readonly string[],
): Promise<Map<string, Set<string>>> {
  const before = sql`union all select id from maps_imports
    where run_id = ${one.run_id} and lead_list_id = ${one.lead_list_id} and id < ${one.id}`;
  const { rows } = await sql<{ company_key: string; key: string }>`
    select m.company_key, coalesce(l.email_key, l.profile_key, l.phone_key, '') as key
    from maps_imported m join leads l on l.id = m.ref_id
    where m.import_id = any (array(select ${one.id}::bigint ${one.options.afterItemId ? before : sql``}))
      and m.kind = 'lead'
      and m.company_key = any(${[...companyKeys]})`.execute(trx);
  const taken = new Map(companyKeys.map((key) => [key, new Set<string>()]));
  for (const { company_key, key } of rows) taken.get(company_key)?.add(key);
  return taken;
}

/** Cancels the imports of a run whose places go. */
export async function cancelMapsImportsOfRun(
  trx: Transaction<Database>,
  runId: number,
): Promise<void> {
  await trx
    .updateTable('maps_imports')
    .set({ status: 'cancelled', completed_at: new Date(), updated_at: new Date() })
    .where('run_id', '=', runId)
    .where('status', '=', 'running')
    .execute();
}
