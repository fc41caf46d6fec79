/**
 * Lists are deleted in portions while nobody sees them any more, and a suppression waits for no import:
 * both look for each other as they commit. Imports look among the lists that they name; the `import_leads`
 * of 0011 stays for programs of before.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // deleted_leads, removed_leads: how many went with the list, and how many of them are removed.
  await sql`
    alter table lead_lists
      add column deleted_at timestamptz,
      add column deleted_leads integer not null default 0,
      add column removed_leads integer not null default 0`.execute(db);
  await sql`create index lead_lists_deleted on lead_lists (user_id)
    where deleted_at is not null`.execute(db);
  await recheckSuppressions(db);
  await sql.raw(importLeads).execute(db);
}

/**
 * A suppression and a lead of its address may be written at the same time, and neither see the other.
 * So each looks again as it commits, one at a time: the second sees what the first has committed. The
 * lock (6003) is held while a transaction commits and never before, so nobody waits for work with it.
 */
async function recheckSuppressions(db: Kysely<unknown>): Promise<void> {
  // The transaction; null: one of before. The default comes later, or the table would be rewritten.
  await sql`alter table suppressions add column written_by xid8`.execute(db);
  await sql`alter table suppressions
    alter column written_by set default pg_current_xact_id()`.execute(db);
  await sql`create index suppressions_written on suppressions (user_id, written_by)
    where written_by is not null`.execute(db);
  // Leads that a transaction takes to be free, by what was committed before `since`. No row outlives
  // its transaction.
  await sql`
    create unlogged table suppression_rechecks (
      id bigint generated always as identity primary key,
      user_id text not null,
      since xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
      first_lead_id bigint,
      last_lead_id bigint,
      lead_ids bigint[] not null
    )`.execute(db);
  await sql.raw(recheckLeads).execute(db);
  await sql`create constraint trigger suppression_rechecks_commit after insert on suppression_rechecks
    deferrable initially deferred for each row execute function recheck_leads()`.execute(db);
  await sql.raw(leadsOfDomain).execute(db);
  await sql.raw(recheckSuppression).execute(db);
  await sql`create constraint trigger suppressions_commit after insert on suppressions
    deferrable initially deferred for each row execute function recheck_suppression()`.execute(db);
}

const recheckLeads = `
create function recheck_leads() returns trigger language plpgsql as $$
begin
  delete from suppression_rechecks where id = new.id;
  perform pg_advisory_xact_lock_shared(hashtextextended(new.user_id, 6003));
  -- Nearly always nothing has been suppressed since is_suppressed was asked.
  if not exists (select from suppressions
    where user_id = new.user_id and written_by >= new.since
      -- Not those of another server, from which a dump came.
      and written_by < pg_snapshot_xmax(pg_current_snapshot())) then
    return null;
  end if;
  update leads set status = 'suppressed', updated_at = now()
  where id = any (array(
      select id from leads where user_id = new.user_id
        and id between new.first_lead_id and new.last_lead_id
      union select unnest(new.lead_ids)))
    and user_id = new.user_id and status not in ('suppressed', 'bounced', 'unsubscribed')
    and is_suppressed(user_id, email_key);
  return null;
end
$$`;

/** Leads of a list that is being deleted are left alone: their rows may be locked, and are going. */
const recheckSuppression = `
create function recheck_suppression() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.user_id, 6003));
  -- The address of a person who was erased meanwhile is not kept.
  delete from suppressions where id = new.id and kind = 'email' and exists (
    select from erasure_tombstones where user_id = new.user_id and key_hash =
      sha256(convert_to(new.user_id || ':email:' || new.value, 'UTF8')));
  update leads set status = 'suppressed', updated_at = now()
  where id = any (array(
      select id from leads
      where new.kind = 'email' and user_id = new.user_id and email_key = new.value
      union all
      select leads_of_domain(new.user_id, new.value) where new.kind = 'domain'))
    and status not in ('suppressed', 'bounced', 'unsubscribed')
    and not exists (select from companies join lead_lists on lead_lists.id = lead_list_id
      where companies.id = leads.company_id and deleted_at is not null);
  return null;
end
$$`;

/** By the index leads_domain: addresses read backwards, so that a domain is two ranges of them. */
const leadsOfDomain = `
create function leads_of_domain(p_user text, p_domain text) returns setof bigint
language sql stable as $$
  select id from leads where user_id = p_user and email_key is not null
    and reverse(email_key) collate "C" >= reverse('@' || p_domain)
    and reverse(email_key) collate "C" < reverse('A' || p_domain)
  union all
  select id from leads where user_id = p_user and email_key is not null
    and reverse(email_key) collate "C" >= reverse('.' || p_domain)
    and reverse(email_key) collate "C" < reverse('/' || p_domain)
$$`;

/**
 * Writes an import that was planned from what the account was believed to have (\`p_seen\` is its
 * fingerprint). Takes the locks first; each statement after that sees what others have committed.
 * Where the account has something else, nothing is written and \`known\` says what it has.
 * Called by src/db/leads/lead-groups.ts.
 */
const importLeads = `
create function import_leads(
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
  -- New leads, by column; the company by its id or by its place among the new ones, from 1.
  l_company_id bigint[], l_company_index integer[], l_source text[],
  l_first_name text[], l_last_name text[],
  l_name_key text[], l_role text[], l_email text[], l_email_key text[], l_phone text[],
  l_phone_key text[], l_profile_url text[], l_profile_key text[], l_score integer[],
  l_email_valid boolean[], l_validation text[], l_reason text[], l_validated_at timestamptz[],
  l_status text[], l_provenance text[],
  -- What stored rows get: objects with \`id\` and the columns that were empty.
  company_fills jsonb, lead_fills jsonb,
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
  if cardinality(l_name_key) > 0 then
    with added as (
      insert into leads (user_id, company_id, source, first_name, last_name, name_key, role, email,
        email_key, phone, phone_key, social_profile_url, profile_key, validation_score,
        email_valid, validation_status, validation_reason, validated_at, provenance, status)
      select p_user, coalesce(n.company_id, company_ids[n.company_index]), n.source, n.first_name,
        n.last_name, n.name_key, n.role, n.email, n.email_key, n.phone, n.phone_key,
        n.profile_url, n.profile_key, n.score, n.email_valid, n.validation, n.reason, n.validated_at,
        coalesce(n.provenance::jsonb, '{}'),
        coalesce(n.status,
          case when v_suppresses and is_suppressed(p_user, n.email_key) then 'suppressed' end,
          'pending')
      from unnest(l_company_id, l_company_index, l_source, l_first_name, l_last_name, l_name_key,
        l_role, l_email, l_email_key, l_phone, l_phone_key, l_profile_url, l_profile_key, l_score,
        l_email_valid, l_validation, l_reason, l_validated_at, l_status, l_provenance)
        with ordinality as n (company_id, company_index, source, first_name, last_name, name_key,
        role, email, email_key, phone, phone_key, profile_url, profile_key, score, email_valid,
        validation, reason, validated_at, status, provenance, position)
      order by n.position
      returning id, leads.status)
    select array_agg(id order by id), array_agg(id) filter (where added.status = 'suppressed')
      into lead_ids, suppressed from added;
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
    update leads l set
      company_id = coalesce(l.company_id, f.company_id, company_ids[f.company_index]),
      first_name = case when l.name_key = '' then coalesce(f.first_name, l.first_name)
        else l.first_name end,
      last_name = case when l.name_key = '' then coalesce(f.last_name, l.last_name)
        else l.last_name end,
      name_key = case when l.name_key = '' then coalesce(f.name_key, '') else l.name_key end,
      role = coalesce(l.role, f.role),
      email = coalesce(l.email, f.email), email_key = coalesce(l.email_key, f.email_key),
      phone = coalesce(l.phone, f.phone), phone_key = coalesce(l.phone_key, f.phone_key),
      social_profile_url = coalesce(l.social_profile_url, f.social_profile_url),
      profile_key = coalesce(l.profile_key, f.profile_key),
      validation_score = coalesce(f.validation_score, l.validation_score),
      email_valid = coalesce(f.email_valid, l.email_valid),
      validation_status = coalesce(f.validation_status, l.validation_status),
      validation_reason = case when f.validated_at is null then l.validation_reason
        else f.validation_reason end,
      validated_at = coalesce(f.validated_at, l.validated_at),
      provenance = coalesce(f.provenance, l.provenance),
      status = coalesce(f.status, case when f.email_key is not null and v_suppresses
        and is_suppressed(p_user, f.email_key) then 'suppressed' else l.status end),
      updated_at = now()
    from jsonb_to_recordset(lead_fills) as f (id bigint, company_id bigint, company_index integer,
      first_name text, last_name text, name_key text, role text, email text, email_key text,
      phone text, phone_key text, social_profile_url text, profile_key text,
      validation_score integer, email_valid boolean, validation_status text,
      validation_reason text, validated_at timestamptz, status text, provenance jsonb)
    where l.id = f.id and l.user_id = p_user;
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
