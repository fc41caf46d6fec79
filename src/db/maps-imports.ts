/** Imports of a maps run's places into a lead list. Spec: POST import-to-lead-list. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { JobState } from '../domain/jobs.ts';
import type { ImportOptions, SkipReason } from '../domain/maps.ts';
import type { JobEnd, JobRows } from './job-rows.ts';
import type { MapsItem } from './maps-items.ts';
import type { MapsImportsTable } from './maps-tables.ts';
import type { Database } from './tables.ts';

export type MapsImport = Selectable<MapsImportsTable>;

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
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const getMapsImport = (db: Kysely<Database>, id: number): Promise<MapsImport> =>
  db.selectFrom('maps_imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The row, locked until the transaction ends; lock its run before it. */
export const lockMapsImport = (trx: Transaction<Database>, id: number): Promise<MapsImport> =>
  trx
    .selectFrom('maps_imports')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

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

/** What became of one item. `leadIds` and `companyId` are empty where it was skipped. */
export interface ItemOutcome {
  itemId: number;
  reason: SkipReason | null;
  leadIds: number[];
  companyId: number | null;
  companyKey: string;
}

/**
 * Writes what became of a batch, with counters that count each lead and company once: of the
 * import, and of the run over all its imports. The caller has locked the run and the import.
 */
export async function recordImported(
  trx: Transaction<Database>,
  one: MapsImport,
  outcomes: readonly ItemOutcome[],
): Promise<MapsImport> {
  const leads = outcomes.flatMap(({ leadIds, companyKey }) =>
    leadIds.map((id) => ({ id, companyKey })),
  );
  const companies = outcomes.flatMap(({ companyId }) => (companyId === null ? [] : [companyId]));
  const newLeads = await noteImported(trx, one, { kind: 'lead', refs: leads });
  const newCompanies = await noteImported(trx, one, {
    kind: 'company',
    refs: companies.map((id) => ({ id, companyKey: null })),
  });
  await sql`
    update maps_runs set imported_leads = imported_leads + ${newLeads.newToRun}, updated_at = now()
    where id = ${one.run_id}`.execute(trx);
  await markItems(trx, one.id, outcomes);
  const skipped = { ...one.skipped };
  for (const { reason } of outcomes) if (reason) skipped[reason] = (skipped[reason] ?? 0) + 1;
  return trx
    .updateTable('maps_imports')
    .set({
      last_item_id: Math.max(one.last_item_id, ...outcomes.map(({ itemId }) => itemId)),
      processed_items: one.processed_items + outcomes.length,
      imported_leads: one.imported_leads + newLeads.newToImport,
      imported_companies: one.imported_companies + newCompanies.newToImport,
      skipped_items: Object.values(skipped).reduce((sum, count) => sum + count, 0),
      skipped: JSON.stringify(skipped),
      updated_at: new Date(),
    })
    .where('id', '=', one.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function noteImported(
  trx: Transaction<Database>,
  one: MapsImport,
  {
    kind,
    refs,
  }: { kind: 'lead' | 'company'; refs: readonly { id: number; companyKey: string | null }[] },
): Promise<{ newToImport: number; newToRun: number }> {
  if (refs.length === 0) return { newToImport: 0, newToRun: 0 };
  // A statement does not see its own inserts: whoever stands in the table was imported before.
  const { rows } = await sql<{ import: number; run: number }>`
    with new as (
      insert into maps_imported (import_id, kind, ref_id, run_id, company_key)
      select distinct on (r.id) ${one.id}::bigint, ${kind}, r.id, ${one.run_id}::bigint, r.key
      from jsonb_to_recordset(${JSON.stringify(refs.map(({ id, companyKey }) => ({ id, key: companyKey })))}::jsonb)
        as r (id bigint, key text)
      order by r.id
      on conflict do nothing
      returning ref_id
    )
    select count(*) as import, count(*) filter (where not exists (
      select 1 from maps_imported m
      where m.run_id = ${one.run_id} and m.kind = ${kind} and m.ref_id = new.ref_id)) as run
    from new`.execute(trx);
  return { newToImport: rows[0]?.import ?? 0, newToRun: rows[0]?.run ?? 0 };
}

async function markItems(
  trx: Transaction<Database>,
  importId: number,
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const rows = outcomes.map(({ itemId, reason, leadIds }) => ({ itemId, reason, leadIds }));
  await sql`
    update maps_items i set import_id = ${importId}, imported_at = now(), import_reason = o.reason,
      import_status = case when o.reason is null then 'imported' else 'skipped' end,
      lead_ids = o."leadIds"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o ("itemId" bigint, reason text, "leadIds" jsonb)
    where i.id = o."itemId"`.execute(trx);
}

/** Leads of an import whose company is in another list than the import's, and stays there (trap e). */
export async function countLeadsElsewhere(
  db: Kysely<Database>,
  { id, lead_list_id }: Pick<MapsImport, 'id' | 'lead_list_id'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('maps_imported as imported')
    .innerJoin('leads', 'leads.id', 'imported.ref_id')
    .innerJoin('companies', 'companies.id', 'leads.company_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('imported.import_id', '=', id)
    .where('imported.kind', '=', 'lead')
    .where('companies.lead_list_id', 'is distinct from', lead_list_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What the leads that this import has already are recognised by, for each company. */
export async function listImportedKeys(
  trx: Transaction<Database>,
  importId: number,
  companyKeys: readonly string[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ company_key: string; key: string }>`
    select m.company_key, coalesce(l.email_key, l.profile_key, l.phone_key, '') as key
    from maps_imported m join leads l on l.id = m.ref_id
    where m.import_id = ${importId} and m.kind = 'lead'
      and m.company_key = any(${[...companyKeys]})`.execute(trx);
  const taken = new Map(companyKeys.map((key) => [key, new Set<string>()]));
  for (const { company_key, key } of rows) taken.get(company_key)?.add(key);
  return taken;
}

export const mapsImportRows: JobRows = {
  lockState: async (trx, id) => importState(await lockMapsImport(trx, id)),
  apply: async (trx, id, request) => {
    if (request === 'cancel') await end(trx, id, { status: 'cancelled' });
  },
  settle: (trx, id, { outcome, error }: JobEnd) => {
    const failed = error?.code === 'CANCELLED' ? 'cancelled' : 'failed';
    return end(trx, id, { status: outcome === 'succeeded' ? 'completed' : failed, error });
  },
};

/** An import whose list was deleted is over. Choice 4. */
export const importState = (one: MapsImport): JobState =>
  one.status === 'running' && one.lead_list_id !== null ? 'active' : 'over';

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

async function end(
  trx: Transaction<Database>,
  id: number,
  {
    status,
    error,
  }: {
    status: 'completed' | 'failed' | 'cancelled';
    error?: { code: string; message: string } | undefined;
  },
): Promise<void> {
  await trx
    .updateTable('maps_imports')
    .set({
      status,
      error_code: error?.code ?? null,
      error_message: error?.message ?? null,
      completed_at: new Date(),
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}
