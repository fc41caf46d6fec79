/** Values of custom fields in queries: as they are shown, and as conditions on leads. Choice 99. */
import { sql, type RawBuilder } from 'kysely';
import type { CustomValue, TypedValue } from '../../domain/leads/custom-fields.ts';

/** What the value of one field has to be. */
export interface CustomCondition {
  fieldId: number;
  equals?: CustomValue | undefined;
  min?: string | number | undefined;
  max?: string | number | undefined;
}

/** The values of a lead in the order of its fields, null where it has none; deleted fields are left out. */
export const typedValues = (lead = 'leads') => sql<TypedValue[] | null>`case
  when ${sql.ref(`${lead}.custom`)} is not null then (
    select jsonb_agg(jsonb_build_object('name', field.name, 'type', field.type,
      'value', ${sql.ref(`${lead}.custom`)} -> field.id::text) order by field.id)
    from custom_fields as field
    where field.user_id = ${sql.ref(`${lead}.user_id`)} and field.deleted_at is null
      and jsonb_exists(${sql.ref(`${lead}.custom`)}, field.id::text)) end`;

/** Of a row of leads that was read already. */
export function hasCustom({ fieldId, equals, min, max }: CustomCondition): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [];
  if (equals !== undefined) {
    conditions.push(sql`leads.custom @> ${JSON.stringify({ [fieldId]: equals })}::jsonb`);
  }
  const value = sql`(leads.custom ->> ${String(fieldId)}::text)`;
  if (min !== undefined) conditions.push(sql`${ordered(value, min)} >= ${min}`);
  if (max !== undefined) conditions.push(sql`${ordered(value, max)} <= ${max}`);
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

const ordered = (value: RawBuilder<unknown>, bound: string | number) =>
  typeof bound === 'number' ? sql`${value}::double precision` : sql`${value} collate "C"`;

/** The ids of the leads of all accounts that fit: a field belongs to one. By the index of values. */
export function leadsWithCustom({ fieldId, equals, min, max }: CustomCondition) {
  const isNumber = [equals, min, max].some((bound) => typeof bound === 'number');
  const column = sql.ref(isNumber ? 'number' : 'text');
  const bound = (each: CustomValue) => (isNumber ? each : String(each));
  const conditions = [sql<boolean>`field_id = ${fieldId}`];
  if (equals !== undefined) conditions.push(sql`${column} = ${bound(equals)}`);
  if (min !== undefined) conditions.push(sql`${column} >= ${bound(min)}`);
  if (max !== undefined) conditions.push(sql`${column} <= ${bound(max)}`);
  return sql<{ lead_id: number }>`select lead_id from custom_values
    where ${sql.join(conditions, sql` and `)}`;
}

/** Whether each of them is the lead's. */
export const isAmongCustom = (conditions: readonly CustomCondition[], id: RawBuilder<unknown>) =>
  sql<boolean>`(${sql.join(
    conditions.map((each) => sql`${id} in (${leadsWithCustom(each)})`),
    sql` and `,
  )})`;

/** Whether the index of values has the leads that fit in the order of their ids. */
export const isOrdered = ({ equals }: CustomCondition): boolean => equals !== undefined;
