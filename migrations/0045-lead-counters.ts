/**
 * How many companies and leads a list and an account have, and which leads are in a list, kept by
 * triggers: a page or a count must not cost what the account has. Rows from before come with 0046.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each list and each account (no list) has a row for as many writers as there were at once; their
  // sum counts. A writer takes one that nobody holds, so none waits for another.
  await sql`
    create table lead_counters (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      lead_list_id bigint references lead_lists (id) on delete cascade,
      companies bigint not null default 0,
      leads bigint not null default 0
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index lead_counters_list on lead_counters (lead_list_id)
    where lead_list_id is not null`.execute(db);
  await sql`create index lead_counters_account on lead_counters (user_id)
    where lead_list_id is null`.execute(db);
  // A lead is in the list of its company: this is the index through companies that Postgres has not.
  await sql`
    create table lead_list_members (
      lead_list_id bigint not null,
      lead_id bigint not null,
      name_key text not null,
      primary key (lead_list_id, lead_id)
    )`.execute(db);
  await sql`create index lead_list_members_name on lead_list_members
    (lead_list_id, name_key, lead_id)`.execute(db);
  for (const statement of [COUNT_LEADS, ...OF_COMPANIES, ...OF_LEADS]) {
    await sql.raw(statement).execute(db);
  }
}

/** Adds to a list (null: to the account as a whole). */
const COUNT_LEADS = `
create function count_leads(p_user text, p_list bigint, p_companies bigint, p_leads bigint)
returns void language plpgsql set enable_seqscan = off as $$
begin
  if p_companies = 0 and p_leads = 0 then
    return;
  elsif p_list is null then
    update lead_counters set companies = companies + p_companies, leads = leads + p_leads
    where id = (select id from lead_counters where user_id = p_user and lead_list_id is null
      limit 1 for update skip locked);
  else
    update lead_counters set companies = companies + p_companies, leads = leads + p_leads
    where id = (select id from lead_counters where lead_list_id = p_list
      limit 1 for update skip locked);
  end if;
  if not found then
    insert into lead_counters (user_id, lead_list_id, companies, leads)
    values (p_user, p_list, p_companies, p_leads);
  end if;
end $$`;

/**
 * Whoever moves a company waits for those that add, move or delete a lead under it, and these wait for
 * them: both hold the company's row, so each lead is counted where its company is. Statements after
 * that see what the others have committed.
 */
const OF_COMPANIES = [
  `create function lock_moved_company() returns trigger language plpgsql as $$
  begin
    perform from companies where id = new.id for update;
    return new;
  end $$`,
  `create function count_companies() returns trigger language plpgsql as $$
  declare
    v_sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    v_row record;
  begin
    for v_row in
      select user_id, lead_list_id, count(*) as companies from changed
      group by grouping sets ((user_id), (user_id, lead_list_id))
      having grouping(lead_list_id) = 1 or lead_list_id is not null
    loop
      perform count_leads(v_row.user_id, v_row.lead_list_id, v_sign * v_row.companies, 0);
    end loop;
    return null;
  end $$`,
  `create function count_moved_companies() returns trigger language plpgsql
  set enable_seqscan = off as $$
  declare
    v_row record;
  begin
    if not exists (select from gone join came using (id)
        where gone.lead_list_id is distinct from came.lead_list_id) then
      return null;
    end if;
    delete from lead_list_members as member
    using gone join came using (id), lateral (
      select id from leads where company_id = gone.id offset 0) as lead
    where gone.lead_list_id is distinct from came.lead_list_id
      and member.lead_list_id = gone.lead_list_id and member.lead_id = lead.id;
    insert into lead_list_members (lead_list_id, lead_id, name_key)
    select came.lead_list_id, lead.id, lead.name_key
    from gone join came using (id), lateral (
      select id, name_key from leads where company_id = came.id offset 0) as lead
    where gone.lead_list_id is distinct from came.lead_list_id and came.lead_list_id is not null
    on conflict (lead_list_id, lead_id) do update set name_key = excluded.name_key;
    for v_row in
      select moved.user_id, moved.list, sum(moved.sign)::bigint as companies,
        sum(moved.sign * moved.leads)::bigint as leads
      from (
        select gone.user_id, place.list, place.sign,
          (select count(*) from leads where company_id = gone.id) as leads
        from gone join came using (id),
          lateral (values (gone.lead_list_id, -1), (came.lead_list_id, 1)) as place (list, sign)
        where gone.lead_list_id is distinct from came.lead_list_id and place.list is not null
      ) as moved
      group by moved.user_id, moved.list
    loop
      perform count_leads(v_row.user_id, v_row.list, v_row.companies, v_row.leads);
    end loop;
    return null;
  end $$`,
  `create trigger companies_lock_moved before update of lead_list_id on companies for each row
  when (old.lead_list_id is distinct from new.lead_list_id) execute function lock_moved_company()`,
  `create trigger companies_counted after insert on companies referencing new table as changed
  for each statement execute function count_companies()`,
  `create trigger companies_uncounted after delete on companies referencing old table as changed
  for each statement execute function count_companies()`,
  `create trigger companies_moved after update on companies
  referencing old table as gone new table as came
  for each statement execute function count_moved_companies()`,
];

/** Those added have locked their companies by their foreign key when the trigger runs. */
const OF_LEADS = [
  `create function count_added_leads() returns trigger language plpgsql
  set enable_seqscan = off as $$
  declare
    v_row record;
  begin
    for v_row in select user_id, count(*) as leads from added group by user_id loop
      perform count_leads(v_row.user_id, null, 0, v_row.leads);
    end loop;
    for v_row in
      with inserted as (
        insert into lead_list_members (lead_list_id, lead_id, name_key)
        select company.lead_list_id, added.id, added.name_key
        from added, lateral (
          select lead_list_id from companies where id = added.company_id offset 0) as company
        where company.lead_list_id is not null
        returning lead_list_id)
      select list.id, list.user_id, counted.leads
      from (select lead_list_id, count(*) as leads from inserted group by 1) as counted,
        lateral (select id, user_id from lead_lists where id = counted.lead_list_id offset 0) as list
    loop
      perform count_leads(v_row.user_id, v_row.id, 0, v_row.leads);
    end loop;
    return null;
  end $$`,
  `create function count_gone_leads() returns trigger language plpgsql
  set enable_seqscan = off as $$
  declare
    v_row record;
  begin
    perform from companies where id = any (array(select distinct company_id from gone))
    order by id for key share;
    for v_row in select user_id, count(*) as leads from gone group by user_id loop
      perform count_leads(v_row.user_id, null, 0, -v_row.leads);
    end loop;
    for v_row in
      with deleted as (
        delete from lead_list_members as member
        using gone, lateral (
          select lead_list_id from companies where id = gone.company_id offset 0) as company
        where member.lead_list_id = company.lead_list_id and member.lead_id = gone.id
        returning member.lead_list_id)
      select list.id, list.user_id, counted.leads
      from (select lead_list_id, count(*) as leads from deleted group by 1) as counted,
        lateral (select id, user_id from lead_lists where id = counted.lead_list_id offset 0) as list
    loop
      perform count_leads(v_row.user_id, v_row.id, 0, -v_row.leads);
    end loop;
    return null;
  end $$`,
  // Row by row: it is seldom, and other changes of leads, such as their states, cost nothing so.
  `create function place_changed_lead() returns trigger language plpgsql
  set enable_seqscan = off as $$
  declare
    v_from bigint;
    v_to bigint;
  begin
    perform from companies where id in (old.company_id, new.company_id) order by id for key share;
    select lead_list_id into v_from from companies where id = old.company_id;
    select lead_list_id into v_to from companies where id = new.company_id;
    delete from lead_list_members where lead_list_id = v_from and lead_id = old.id;
    if v_to is not null then
      insert into lead_list_members (lead_list_id, lead_id, name_key)
      values (v_to, new.id, new.name_key)
      on conflict (lead_list_id, lead_id) do update set name_key = excluded.name_key;
    end if;
    if v_from is distinct from v_to then
      if v_from is not null then perform count_leads(old.user_id, v_from, 0, -1); end if;
      if v_to is not null then perform count_leads(new.user_id, v_to, 0, 1); end if;
    end if;
    return null;
  end $$`,
  `create trigger leads_counted after insert on leads referencing new table as added
  for each statement execute function count_added_leads()`,
  `create trigger leads_uncounted after delete on leads referencing old table as gone
  for each statement execute function count_gone_leads()`,
  `create trigger leads_placed after update of company_id, name_key on leads for each row
  when (old.company_id is distinct from new.company_id or old.name_key <> new.name_key)
  execute function place_changed_lead()`,
];

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
