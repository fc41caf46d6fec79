/**
 * Who has lifted a suppression; lists of lifted ones are read, searched and counted as those of suppressions
 * (0047, 0211).
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lifted_suppressions add column lifted_by text not null default 'owner'
    check (lifted_by in ('owner', 'recipient'))`.execute(db);
  await sql`create index lifted_suppressions_user
    on lifted_suppressions (user_id, id desc)`.execute(db);
  await sql`create index lifted_suppressions_kind
    on lifted_suppressions (user_id, kind, id)`.execute(db);
  await sql`create index lifted_suppressions_reason
    on lifted_suppressions (user_id, reason, id) include (kind)`.execute(db);
  await sql`create index lifted_suppressions_search
    on lifted_suppressions using gin (value gin_trgm_ops)`.execute(db);
  await sql`
    create table lifted_suppression_counters (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      kind text not null,
      reason text not null,
      entries bigint not null default 0
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index lifted_suppression_counters_user on lifted_suppression_counters
    (user_id, kind, reason)`.execute(db);
  for (const statement of TRIGGERS) await sql.raw(statement).execute(db);
  await sql`insert into lifted_suppression_counters (user_id, kind, reason, entries)
    select user_id, kind, reason, count(*) from lifted_suppressions
    group by user_id, kind, reason`.execute(db);
}

/** As of suppressions: no writer waits for another. Kind and reason never change. */
const TRIGGERS = [
  `create function count_lifted_suppressions() returns trigger language plpgsql
  set enable_seqscan = off as $$
  declare
    v_of record;
  begin
    for v_of in select user_id, kind, reason,
        count(*) * case tg_op when 'INSERT' then 1 else -1 end as entries from changed
        group by user_id, kind, reason loop
      update lifted_suppression_counters set entries = entries + v_of.entries
      where id = (select id from lifted_suppression_counters
        where user_id = v_of.user_id and kind = v_of.kind and reason = v_of.reason
        limit 1 for update skip locked);
      if not found then
        insert into lifted_suppression_counters (user_id, kind, reason, entries)
        values (v_of.user_id, v_of.kind, v_of.reason, v_of.entries);
      end if;
    end loop;
    return null;
  end $$`,
  `create trigger lifted_suppressions_counted after insert on lifted_suppressions
  referencing new table as changed
  for each statement execute function count_lifted_suppressions()`,
  `create trigger lifted_suppressions_uncounted after delete on lifted_suppressions
  referencing old table as changed
  for each statement execute function count_lifted_suppressions()`,
];

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
