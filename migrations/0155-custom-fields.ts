/**
 * Fields of leads that accounts define themselves. `leads.custom` holds the values of a lead by the ids of their
 * fields, null where it has none: the id of a field that is gone is never used again, so that its values are
 * hidden at once. `custom_values` is the index of it, a row for each value; triggers keep it.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table custom_fields (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      name text not null,
      label text not null,
      type text not null check (type in ('text', 'number', 'date', 'boolean', 'url')),
      choices text[],
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db);
  await sql`create unique index custom_fields_name on custom_fields (user_id, name)
    where deleted_at is null`.execute(db);
  // A size that no request reaches; not checked on rows of before, which have none.
  await sql`alter table leads add column custom jsonb`.execute(db);
  await sql`alter table leads add constraint leads_custom_size
    check (octet_length(custom::text) <= 20000) not valid`.execute(db);
  await sql`alter table lead_imports add column custom_columns jsonb`.execute(db);
  // Numbers in the one column, all others in the other: days as YYYY-MM-DD, which sorts as they do.
  await sql`
    create table custom_values (
      field_id bigint not null,
      lead_id bigint not null,
      text text collate "C",
      number double precision
    )`.execute(db);
  // Unique, so that the planner knows each lead once and reads the leads with a value in their order.
  await sql`create unique index custom_values_text on custom_values (field_id, text, lead_id)
    where text is not null`.execute(db);
  await sql`create unique index custom_values_number on custom_values (field_id, number, lead_id)
    where number is not null`.execute(db);
  for (const statement of [...TRIGGERS, fillsCustom]) await sql.raw(statement).execute(db);
}

/** Leads without values cost a look at a null each. */
const TRIGGERS = [
  `create function custom_values_of(p_lead bigint, p_custom jsonb)
  returns table (field_id bigint, lead_id bigint, "text" text, "number" double precision)
  language sql immutable as $$
    select key::bigint, p_lead,
      case when jsonb_typeof(value) <> 'number' then value #>> '{}' end,
      case when jsonb_typeof(value) = 'number' then (value #>> '{}')::double precision end
    from jsonb_each(p_custom)
  $$`,
  `create function add_custom_values() returns trigger language plpgsql as $$
  begin
    insert into custom_values (field_id, lead_id, text, number)
    select each.* from added cross join lateral custom_values_of(added.id, added.custom) as each
    where added.custom is not null;
    return null;
  end $$`,
  `create function change_custom_values() returns trigger language plpgsql
  set enable_seqscan = off as $$
  begin
    delete from custom_values as known using custom_values_of(old.id, old.custom) as each
    where known.field_id = each.field_id and known.lead_id = each.lead_id
      and (known.text = each.text or known.number = each.number);
    if tg_op = 'UPDATE' then
      insert into custom_values (field_id, lead_id, text, number)
      select each.* from custom_values_of(new.id, new.custom) as each;
    end if;
    return null;
  end $$`,
  `create trigger leads_custom_added after insert on leads referencing new table as added
  for each statement execute function add_custom_values()`,
  `create trigger leads_custom_changed after update of custom on leads for each row
  when (old.custom is distinct from new.custom) execute function change_custom_values()`,
  `create trigger leads_custom_gone after delete on leads for each row
  when (old.custom is not null) execute function change_custom_values()`,
];

/** Of an import, a stored lead takes the values that it lacks: one more line in the function of 0085. */
const fillsCustom = `do $do$
declare
  v_before text := pg_get_functiondef('import_lead_groups'::regproc);
  v_line text := 'provenance = coalesce(f.provenance, l.provenance),';
  v_after text := replace(v_before, v_line, v_line || $line$
        custom = case when f.custom is null then l.custom
          else f.custom || coalesce(l.custom, '{}') end,$line$);
begin
  if v_after = v_before then raise 'import_lead_groups has another form'; end if;
  execute v_after;
end $do$`;

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
