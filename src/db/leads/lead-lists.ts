/** Lead lists; their contents follow from their companies. Spec: Lead lists. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { sumOf } from './lead-counters.ts';
import type { LeadListsTable } from './lead-tables.ts';
import type { Database } from '../tables.ts';

export type LeadList = Selectable<LeadListsTable>;

/**
 * Choice 3. Both counts go through the companies and change when these and their leads are added or removed.
 */
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
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The user's list, whose row cannot be removed until the transaction ends. */
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
    .where('deleted_at', 'is', null)
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
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);

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
      .where('deleted_at', 'is', null)
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
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
