/** Who changed what: written with the change, never altered, and deleted only when it is old. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference to users: checking it would lock the account's row in every change.
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      user_id text not null,
      at timestamptz not null default now(),
      actor_kind text not null check (actor_kind in ('api_key', 'user', 'operator', 'system')),
      actor_id text,
      actor_name text,
      ip text,
      user_agent text,
      reason text,
      action text not null,
      resource_type text,
      resource_id text,
      request_id text,
      before jsonb,
      after jsonb
    )`.execute(db);
  await sql`create index audit_log_of_user on audit_log (user_id, id)`.execute(db);
  await sql`
    create index audit_log_of_resource on audit_log (user_id, resource_type, resource_id, id)
    where resource_id is not null`.execute(db);
  await refuseChanges(db);
  await createPruning(db);
  await sql`
    alter table idempotency_keys add column is_audited boolean not null default false`.execute(db);
}

/** Twice: by right, and by a trigger that holds for the owner, too, where a set-up has no second role. */
async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`revoke update, delete, truncate on audit_log from outreach_app`.execute(db);
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.at < now() - interval '90 days' then
          return old;
        end if;
      end if;
      raise exception 'the audit log is append-only: % refused', tg_op
        using errcode = 'restrict_violation';
    end $$`.execute(db);
  await sql`
    create trigger append_only before update or delete on audit_log
    for each row execute function refuse_audit_change()`.execute(db);
  await sql`
    create trigger never_truncated before truncate on audit_log
    for each statement execute function refuse_audit_change()`.execute(db);
}

/** The one way for the application to delete entries, and then only old ones: it runs with the owner's rights. */
async function createPruning(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function prune_audit_log(older_than timestamptz, most integer) returns integer
    language plpgsql security definer set search_path = pg_catalog, public as $$
    declare
      pruned integer;
    begin
      delete from public.audit_log where id in (
        select oldest.id
        from (select id, at from public.audit_log order by id limit most) as oldest
        where oldest.at < least(older_than, now() - interval '90 days'));
      get diagnostics pruned = row_count;
      return pruned;
    end $$`.execute(db);
  await sql`revoke all on function prune_audit_log(timestamptz, integer) from public`.execute(db);
  await sql`
    grant execute on function prune_audit_log(timestamptz, integer) to outreach_app`.execute(db);
}
