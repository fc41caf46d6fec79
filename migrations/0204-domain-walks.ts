/**
 * A domain that very many leads have is suppressed and lifted at once; its leads get their status portion by portion
 * after that. Until a row here is gone, statuses may not say yet what the suppressions say.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // requests: how often it was asked for, each time from the beginning. after_key: how far it is, in the order of the
  // index leads_domain. lifted_reasons: of entries that were lifted, for what each of them had stopped.
  await sql`
    create table domain_walks (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      domain text not null,
      requests integer not null default 1,
      lifted_reasons text[] not null default '{}',
      lifted_id bigint,
      lifted_at timestamptz,
      leads integer,
      walked integer not null default 0,
      after_key text not null default '',
      asked_at timestamptz not null default now(),
      unique (user_id, domain)
    )`.execute(db);
  await sql.raw(recheckSuppression).execute(db);
}

/** As in 0043, but for domains that are walked: the walk begins after this commit, so it sees who was stored. */
const recheckSuppression = `
create or replace function recheck_suppression() returns trigger language plpgsql as $$
declare
  v_walked boolean := false;
begin
  if new.kind = 'domain' then
    update domain_walks set requests = requests + 1, after_key = '', walked = 0
    where user_id = new.user_id and domain = new.value;
    v_walked := found;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(new.user_id, 6003));
  -- The address of a person who was erased meanwhile is not kept.
  delete from suppressions where id = new.id and kind = 'email' and exists (
    select from erasure_tombstones where user_id = new.user_id and key_hash =
      sha256(convert_to(new.user_id || ':email:' || new.value, 'UTF8')));
  if v_walked then
    return null;
  end if;
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
