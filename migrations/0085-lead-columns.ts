/**
 * Imports name the columns of leads that they write, so that a further column needs no new function: the
 * program has the one list (src/db/leads/lead-columns.ts). The `import_leads` of 0043 stays for programs
 * of before; the name is another one because calls of that one would fit this one, too.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(importLeadGroups).execute(db);
}

/**
 * Writes an import that was planned from what the account was believed to have (\`p_seen\` is its
 * fingerprint). Takes the locks first; each statement after that sees what others have committed.
 * Where the account has something else, nothing is written and \`known\` says what it has.
 * Called by src/db/leads/lead-import-statement.ts.
 */
const importLeadGroups = `
create function import_lead_groups(
  -- The lists must be the user's.
  p_user text, p_lists bigint[], p_seen text,
  -- What is locked; null: the whole account.
  p_locks text[],
  -- What the account is searched for.
  p_company_ids bigint[], p_company_names text[], p_company_domains text[],
  p_emails text[], p_profiles text[], p_phones text[], p_names text[], p_tombstones text[],
  -- Whether companies of all lists are meant, and people of all companies.
  p_any_list boolean, p_any_company boolean,
  -- New companies, by column.
  c_list bigint[], c_source text[],
  c_name text[], c_name_key text[], c_domain text[], c_website text[], c_phone text[],
  c_address text[], c_city text[], c_state text[], c_country_code text[], c_category text[],
  c_rating double precision[], c_reviews_count integer[], c_maps_url text[], c_place_id text[],
  c_provenance text[],
  -- What stored rows get: objects with \`id\` and the columns that were empty.
  company_fills jsonb, lead_fills jsonb,
  -- New leads: the company by its id or by its place among the new ones, from 1.
  l_company_id bigint[], l_company_index integer[], l_status text[], l_provenance text[],
  -- The columns that are filled in where they are empty, and never changed.
  l_fillable text[],
  -- The other columns of new leads (null: there are none), and the values of each as the text of
  -- an array.
  l_columns text[], variadic l_values text[],
  out outcome text, out known jsonb, out seen text, out company_ids bigint[], out lead_ids bigint[],
  out suppressed bigint[], out at timestamptz)
-- Planned for the tables as they are now: a plan that was made while one was small would read the
-- whole account for every key.
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  v_companies bigint[] := '{}';
  v_leads bigint[] := '{}';
  v_erased text[] := '{}';
  v_erases boolean;
  v_suppresses boolean;
  v_lists integer;
  v_mode text;
  v_deleted bigint[];
  v_since xid8;
  v_columns text;
  v_arrays text;
  v_fills text;
begin
  if p_locks is null then
    perform pg_advisory_xact_lock(hashtextextended(p_user, 6001));
  else
    perform pg_advisory_xact_lock_shared(hashtextextended(p_user, 6001));
    perform pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(p_user || ' ' || word, 6002) as key
      from unnest(p_locks) as word order by 1) as sorted;
  end if;
  if p_lists <> '{}' then
    perform from lead_lists
      where id = any (p_lists) and user_id = p_user and deleted_at is null
      order by id for key share;
    get diagnostics v_lists = row_count;
    if v_lists <> cardinality(p_lists) then
      outcome := 'no_list';
      return;
    end if;
  end if;

  -- What is in a list that is being deleted is as good as gone.
  v_deleted := array(
    select id from lead_lists where user_id = p_user and deleted_at is not null);
  -- Each key by its own index.
  if p_company_names <> '{}' then
    v_companies := array(select c.id from unnest(p_company_names) as key, lateral (
      select id, lead_list_id from companies
      where user_id = p_user and name_key = key offset 0) as c
      where p_any_list or lead_list_id is null or lead_list_id = any (p_lists));
  end if;
  if p_company_domains <> '{}' then
    v_companies := v_companies || array(select c.id from unnest(p_company_domains) as key, lateral (
      select id, lead_list_id from companies
      where user_id = p_user and domain_key = key offset 0) as c
      where p_any_list or lead_list_id is null or lead_list_id = any (p_lists));
  end if;
  -- What a company without a list says of itself may be what one of the list is known by.
  if v_companies <> '{}' and p_lists <> '{}' then
    v_companies := v_companies || array(
      select c.id from companies as free, lateral (
        select id, lead_list_id from companies
        where user_id = p_user and name_key = free.name_key
        union all
        select id, lead_list_id from companies
        where user_id = p_user and domain_key = free.domain_key) as c
      where free.id = any (v_companies) and free.lead_list_id is null
        and c.lead_list_id = any (p_lists));
  end if;
  if p_company_ids <> '{}' then
    v_companies := v_companies || array(
      select id from companies where user_id = p_user and id = any (p_company_ids));
  end if;
  if v_deleted <> '{}' then
    v_companies := array(select id from companies where id = any (v_companies)
      and (lead_list_id is null or lead_list_id <> all (v_deleted)));
  end if;
  if p_emails <> '{}' then
    v_leads := array(select l.id from unnest(p_emails) as key, lateral (
      select id from leads where user_id = p_user and email_key = key offset 0) as l);
  end if;
  if p_profiles <> '{}' then
    v_leads := v_leads || array(select l.id from unnest(p_profiles) as key, lateral (
      select id, company_id from leads
      where user_id = p_user and profile_key = key offset 0) as l
      where p_any_company or company_id is null or company_id = any (v_companies));
  end if;
  if p_phones <> '{}' then
    v_leads := v_leads || array(select l.id from unnest(p_phones) as key, lateral (
      select id, company_id, name_key from leads
      where user_id = p_user and phone_key = key offset 0) as l
      where (l.name_key = '' or l.name_key = any (p_names) or '' = any (p_names))
        and (p_any_company or company_id is null or company_id = any (v_companies)));
  end if;
  if v_companies <> '{}' then
    v_leads := v_leads || array(
      select l.id from unnest(v_companies) as company, unnest(p_names) as name, lateral (
      select id from leads where company_id = company and name_key = name offset 0) as l
      where name <> '');
  end if;
  -- A lead without a company may be the one of the company that has its address.
  if v_leads <> '{}' then
    v_leads := v_leads || array(
      select l.id from leads as free, lateral (
      select id from leads where user_id = p_user and email_key = free.email_key offset 0) as l
      where free.id = any (v_leads) and free.company_id is null and free.email_key is not null);
  end if;
  if v_deleted <> '{}' then
    v_leads := array(select l.id from leads l left join companies c on c.id = l.company_id
      where l.id = any (v_leads)
        and (c.lead_list_id is null or c.lead_list_id <> all (v_deleted)));
  end if;
  -- Who is in no list or company yet is claimed by one import at a time: the next sees what became of it.
  if v_companies <> '{}' and p_lists <> '{}' then
    perform from companies where id = any (v_companies) and lead_list_id is null
      order by id for no key update;
  end if;
  if v_leads <> '{}' then
    perform from leads where id = any (v_leads) and company_id is null
      order by id for no key update;
  end if;
  v_erases := exists (select from erasure_tombstones where user_id = p_user);
  if v_erases then
    v_erased := array(
      select word from unnest(p_tombstones) as word, lateral (
        select from erasure_tombstones where user_id = p_user
          and key_hash = sha256(convert_to(p_user || ':' || word, 'UTF8')) offset 0) as known
      order by word);
  end if;
  seen := '';
  if v_companies <> '{}' or v_leads <> '{}' or v_erased <> '{}' then
    known := jsonb_build_object(
      'companies', (select jsonb_agg(to_jsonb(c) order by id)
        from companies c where id = any (v_companies)),
      'leads', (select jsonb_agg(to_jsonb(l) order by id) from leads l where id = any (v_leads)),
      'erased', to_jsonb(v_erased));
    seen := md5(known::text);
  end if;
  if seen <> p_seen then
    outcome := 'unknown';
    return;
  end if;
  known := null;

  -- Before the suppressions are looked at: see recheck_suppressions.
  v_since := pg_snapshot_xmin(pg_current_snapshot());
  v_suppresses := exists (select from suppressions where user_id = p_user);
  -- These have but one plan: making it anew would cost as much as they do.
  v_mode := set_config('plan_cache_mode', 'force_generic_plan', true);
  if cardinality(c_name) > 0 then
    with added as (
      insert into companies (user_id, lead_list_id, source, name, name_key, domain, domain_key,
        website, phone, address, city, state, country_code, category, rating, reviews_count,
        maps_url, place_id, provenance)
      select p_user, n.list, n.source, n.name, n.name_key, n.domain, n.domain, n.website, n.phone,
        n.address, n.city, n.state, n.country_code, n.category, n.rating, n.reviews_count,
        n.maps_url, n.place_id, coalesce(n.provenance::jsonb, '{}')
      from unnest(c_list, c_source, c_name, c_name_key, c_domain, c_website, c_phone, c_address,
        c_city, c_state, c_country_code, c_category, c_rating, c_reviews_count, c_maps_url,
        c_place_id, c_provenance)
        with ordinality as n (list, source, name, name_key, domain, website, phone, address, city,
        state, country_code, category, rating, reviews_count, maps_url, place_id, provenance, position)
      order by n.position
      returning id)
    select array_agg(id order by id) into company_ids from added;
  end if;
  if l_columns is not null then
    select string_agg(format('%I', attname), ', ' order by place),
      string_agg(format('($8[%s])::%s[]', place, format_type(atttypid, atttypmod)), ', '
        order by place)
    into v_columns, v_arrays
    from unnest(l_columns) with ordinality as given (name, place)
    join pg_attribute on attrelid = 'leads'::regclass and attname = name and attnum > 0;
    execute format($insert$
      with added as (
        insert into leads (user_id, company_id, status, provenance, %1$s)
        select $1, coalesce(company_id, $6[company_index]),
          coalesce(status, case when $7 and is_suppressed($1, email_key) then 'suppressed' end,
            'pending'),
          coalesce(provenance::jsonb, '{}'), %1$s
        from unnest($2, $3, $4, $5, %2$s) with ordinality
          as new (company_id, company_index, status, provenance, %1$s, position)
        order by position
        returning id, leads.status)
      select array_agg(id order by id), array_agg(id) filter (where status = 'suppressed') from added
    $insert$, v_columns, v_arrays)
    into lead_ids, suppressed
    using p_user, l_company_id, l_company_index, l_status, l_provenance, company_ids, v_suppresses,
      l_values;
  end if;
  v_mode := set_config('plan_cache_mode', 'force_custom_plan', true);
  if company_fills is not null then
    perform from companies where id in (
      select (f->>'id')::bigint from jsonb_array_elements(company_fills) as f)
      order by id for no key update;
    update companies c set
      lead_list_id = coalesce(c.lead_list_id, f.lead_list_id),
      domain = coalesce(c.domain, f.domain), domain_key = coalesce(c.domain_key, f.domain_key),
      website = coalesce(c.website, f.website), phone = coalesce(c.phone, f.phone),
      address = coalesce(c.address, f.address), city = coalesce(c.city, f.city),
      state = coalesce(c.state, f.state), country_code = coalesce(c.country_code, f.country_code),
      category = coalesce(c.category, f.category), rating = coalesce(c.rating, f.rating),
      reviews_count = coalesce(c.reviews_count, f.reviews_count),
      maps_url = coalesce(c.maps_url, f.maps_url), place_id = coalesce(c.place_id, f.place_id),
      provenance = coalesce(f.provenance, c.provenance), updated_at = now()
    from jsonb_to_recordset(company_fills) as f (id bigint, lead_list_id bigint, domain text,
      domain_key text, website text, phone text, address text, city text, state text,
      country_code text, category text, rating double precision, reviews_count integer,
      maps_url text, place_id text, provenance jsonb)
    where c.id = f.id and c.user_id = p_user;
  end if;
  if lead_fills is not null then
    perform from leads where id in (
      select (f->>'id')::bigint from jsonb_array_elements(lead_fills) as f)
      order by id for no key update;
    select string_agg(format('%1$I = coalesce(l.%1$I, f.%1$I)', name), ', ')
    into v_fills from unnest(l_fillable) as name;
    execute format($update$
      update leads l set
        company_id = coalesce(l.company_id, f.company_id, $3[(fill->>'company_index')::integer]),
        first_name = case when l.name_key = '' then coalesce(f.first_name, l.first_name)
          else l.first_name end,
        last_name = case when l.name_key = '' then coalesce(f.last_name, l.last_name)
          else l.last_name end,
        name_key = case when l.name_key = '' then coalesce(f.name_key, '') else l.name_key end,
        %s,
        validation_score = coalesce(f.validation_score, l.validation_score),
        email_valid = coalesce(f.email_valid, l.email_valid),
        validation_status = coalesce(f.validation_status, l.validation_status),
        validation_reason = case when f.validated_at is null then l.validation_reason
          else f.validation_reason end,
        validated_at = coalesce(f.validated_at, l.validated_at),
        provenance = coalesce(f.provenance, l.provenance),
        status = coalesce(f.status, case when f.email_key is not null and $4
          and is_suppressed($1, f.email_key) then 'suppressed' else l.status end),
        updated_at = now()
      from jsonb_array_elements($2) as fill, jsonb_populate_record(null::leads, fill) as f
      where l.id = f.id and l.user_id = $1
    $update$, v_fills)
    using p_user, lead_fills, company_ids, v_suppresses;
  end if;
  if lead_ids is not null or lead_fills is not null then
    insert into suppression_rechecks (user_id, since, first_lead_id, last_lead_id, lead_ids)
    values (p_user, v_since, lead_ids[1], lead_ids[cardinality(lead_ids)], array(
      select (f->>'id')::bigint from jsonb_array_elements(lead_fills) as f
      where f ? 'email_key'));
  end if;
  outcome := 'done';
  at := now();
end
$$`;
