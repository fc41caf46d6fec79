/** Custom fields of accounts; a deleted one stays until no lead has a value of it. Choice 99. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { CustomType } from '../../domain/leads/custom-fields.ts';
import { lockAccountLeads } from './lead-locks.ts';
import type { CustomFieldsTable } from './lead-tables.ts';
import type { Database } from '../tables.ts';

export type CustomFieldRow = Selectable<CustomFieldsTable>;

export const insertCustomField = (
  trx: Transaction<Database>,
  userId: string,
  field: { name: string; label: string; type: CustomType; choices: string[] | null },
): Promise<CustomFieldRow> =>
  trx
    .insertInto('custom_fields')
    .values({ user_id: userId, ...field })
    .returningAll()
    .executeTakeFirstOrThrow();

const ofUser = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('custom_fields')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);

/** All of them, the oldest first. */
export const listCustomFields = (db: Kysely<Database>, userId: string): Promise<CustomFieldRow[]> =>
  ofUser(db, userId).orderBy('id').execute();

/** Those with the names; within a transaction none of them is deleted until it ends. */
export const holdCustomFields = (
  db: Kysely<Database>,
  userId: string,
  names: readonly string[],
): Promise<CustomFieldRow[]> =>
  names.length === 0
    ? Promise.resolve([])
    : ofUser(db, userId).where('name', 'in', names).orderBy('id').forShare().execute();

export const findCustomField = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<CustomFieldRow | undefined> =>
  ofUser(db, userId).where('id', '=', id).executeTakeFirst();

/** Locked until the transaction ends. */
export const lockCustomField = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<CustomFieldRow | undefined> =>
  ofUser(trx, userId).where('id', '=', id).forUpdate().executeTakeFirst();

export const updateCustomField = (
  trx: Transaction<Database>,
  id: number,
  changes: { label?: string | undefined; choices?: string[] | null | undefined },
): Promise<CustomFieldRow> =>
  trx
    .updateTable('custom_fields')
    .set({ ...changes, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Hides the field and its values from all queries; `removeCustomValues` removes them. A field that no lead has
 * a value of is gone.
 */
export async function hideCustomField(
  trx: Transaction<Database>,
  { id, type }: Pick<CustomFieldRow, 'id' | 'type'>,
): Promise<'hidden' | 'gone'> {
  if (await hasValues(trx, { id, type })) {
    const hidden = { deleted_at: new Date() };
    await trx.updateTable('custom_fields').set(hidden).where('id', '=', id).execute();
    return 'hidden';
  }
  await trx.deleteFrom('custom_fields').where('id', '=', id).execute();
  return 'gone';
}

/** Whether any lead has one. */
async function hasValues(
  trx: Transaction<Database>,
  { id, type }: Pick<CustomFieldRow, 'id' | 'type'>,
): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from custom_values
    where field_id = ${id} and ${columnOf(type)} is not null) as "any"`.execute(trx);
  return rows[0]!.any;
}

/** Where `custom_values` has the values of a field, in an index of its own. */
const columnOf = (type: CustomType) => sql.ref(type === 'number' ? 'number' : 'text');

/**
 * Removes the next values of a field that was deleted, in a transaction of its own, and its row with the last
 * ones. Safe to repeat at any point: removed values are not found again.
 */
export const removeCustomValues = (
  db: Kysely<Database>,
  fieldId: number,
  portion: number,
): Promise<{ isDone: boolean; removed: number }> =>
  db.transaction().execute(async (trx) => {
    const field = await trx
      .selectFrom('custom_fields')
      .select(['id', 'user_id', 'type'])
      .where('id', '=', fieldId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    if (!field) return { isDone: true, removed: 0 };
    await lockAccountLeads(trx, field.user_id);
    const column = columnOf(field.type);
    const key = String(fieldId);
    const { rows } = await sql<{ removed: number }>`
      with next as materialized (
        select id from leads where id = any (array(
          select lead_id from custom_values where field_id = ${fieldId} and ${column} is not null
          limit ${portion}))
        order by id for no key update),
      removed as (
        update leads set custom = nullif(custom - ${key}::text, '{}') from next
        where leads.id = next.id returning leads.id)
      select count(*)::integer as removed from removed`.execute(trx);
    const { removed } = rows[0]!;
    // Not by their number: a lead may have been deleted meanwhile.
    const isDone = !(await hasValues(trx, field));
    if (isDone) await trx.deleteFrom('custom_fields').where('id', '=', fieldId).execute();
    return { isDone, removed };
  });
