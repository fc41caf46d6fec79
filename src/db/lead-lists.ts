/** Lead lists; what is in them is told by their companies. Spec: Lead lists. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { cancelImportsOfList } from './lead-imports.ts';
import { sumOf } from './lead-counters.ts';
import { lockAccountLeads } from './lead-locks.ts';
import { cancelProcessesOfList } from './lead-process-states.ts';
import type { LeadListsTable } from './lead-tables.ts';
import type { Database } from './tables.ts';

export type LeadList = Selectable<LeadListsTable>;

/** Choice 3. Both are counted through the companies, when these and their leads come and go. */
export type CountedLeadList = LeadList & { companies_count: number; leads_count: number };

export const insertLeadList = (
  db: Kysely<Database>,
  list: { userId: string; name: string; description?: string | null; source?: string | null },
): Promise<LeadList> =>
  db
    .insertInto('lead_lists')
    .values({
      user_id: list.userId,
      name: list.name,
      description: list.description ?? null,
      source: list.source ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export const findUserLeadList = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<LeadList | undefined> =>
  db
    .selectFrom('lead_lists')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The user's list, which cannot be deleted until the transaction ends. */
export const lockUserLeadList = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<LeadList | undefined> =>
  trx
    .selectFrom('lead_lists')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();

const counted = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('lead_lists')
    .selectAll()
    .select((eb) =>
      (['companies', 'leads'] as const).map((each) =>
        eb
          .selectFrom('lead_counters')
          .whereRef('lead_counters.lead_list_id', '=', 'lead_lists.id')
          .select(sumOf(each).as('sum'))
          .$asScalar()
          .$notNull()
          .as(`${each}_count` as const),
      ),
    )
    .where('user_id', '=', userId);

export const findCountedLeadList = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<CountedLeadList | undefined> =>
  counted(db, userId).where('id', '=', id).executeTakeFirst();

/** A page of a user's lists, newest first. */
export async function listLeadLists(
  db: Kysely<Database>,
  userId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: CountedLeadList[]; total: number }> {
  const [rows, { total }] = await Promise.all([
    counted(db, userId).orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    db
      .selectFrom('lead_lists')
      .where('user_id', '=', userId)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** False when the user has no such list. Undefined fields stay. */
export async function updateLeadList(
  db: Kysely<Database>,
  { userId, id }: { userId: string; id: number },
  changes: { name?: string | undefined; description?: string | null | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lead_lists')
    .set({
      ...(changes.name !== undefined && { name: changes.name }),
      ...(changes.description !== undefined && { description: changes.description }),
      updated_at: new Date(),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What may still fill a list; each forgets it before the list goes. */
const FILLERS = [
  'lead_imports',
  'lead_processes',
  'maps_runs',
  'maps_imports',
  'email_validation_jobs',
] as const;

/**
 * Deletes the list, its companies and all leads under these. Discovery and imports of files for it
 * are cancelled; what else fills it goes on without it or ends, as its own rows say. Undefined when
 * the user has no such list. Choice 4.
 *
 * Locks in the order in which imports do: job, account, list, company, lead.
 */
export async function deleteLeadList(
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<{ companies: number; leads: number } | undefined> {
  const isOwn = await findUserLeadList(trx, userId, id);
  if (!isOwn) return undefined;
  await cancelImportsOfList(trx, id);
  await cancelProcessesOfList(trx, id);
  for (const table of FILLERS) {
    await sql`update ${sql.table(table)} set lead_list_id = null where lead_list_id = ${id}`.execute(
      trx,
    );
  }
  await lockAccountLeads(trx, userId);
  const list = await trx
    .selectFrom('lead_lists')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!list) return undefined;
  const inList = trx.selectFrom('companies').select('id').where('lead_list_id', '=', id);
  // Whoever is storing a lead under one of them is waited for: that lead goes, too.
  await sql`select count(*) from (${inList.orderBy('id').forUpdate()}) as locked`.execute(trx);
  // At once: a cascade would count their campaigns down lead by lead.
  const theirs = trx.selectFrom('leads').select('id').where('company_id', 'in', inList);
  await trx.deleteFrom('recipients').where('lead_id', 'in', theirs).execute();
  const leads = await trx.deleteFrom('leads').where('company_id', 'in', inList).executeTakeFirst();
  const companies = await trx
    .deleteFrom('companies')
    .where('lead_list_id', '=', id)
    .executeTakeFirst();
  await trx.deleteFrom('lead_lists').where('id', '=', id).execute();
  return { companies: Number(companies.numDeletedRows), leads: Number(leads.numDeletedRows) };
}
