/**
 * How many suppressions and threads an account has, kept by triggers: a page of them must not cost counting ten
 * thousand. Suppressions by kind and reason, as they are filtered.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // As of leads (0045): a row for as many writers as there were at once, so that none waits for another.
  await sql`
    create table suppression_counters (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      kind text not null,
      reason text not null,
      entries bigint not null default 0
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index suppression_counters_user on suppression_counters
    (user_id, kind, reason)`.execute(db);
  // Who writes threads holds the account's row of inbox_counts.
  await sql`
    create table thread_counts (
      user_id text primary key references users (user_id),
      threads bigint not null
    ) with (fillfactor = 50)`.execute(db);
  // Until the rows are counted, both tables are read and not written: a second for some millions.
  for (const statement of [...OF_THREADS, ...OF_SUPPRESSIONS]) await sql.raw(statement).execute(db);
  await countStored(db);
}

/** Counts what was there before the triggers. */
export async function countStored(db: Kysely<unknown>): Promise<void> {
  await sql`insert into thread_counts (user_id, threads)
    select user_id, count(*) from threads group by user_id`.execute(db);
  await sql`insert into suppression_counters (user_id, kind, reason, entries)
    select user_id, kind, reason, count(*) from suppressions group by user_id, kind, reason`.execute(
    db,
  );
}

const OF_THREADS = [
  `create function count_threads() returns trigger language plpgsql as $$
  begin
    insert into thread_counts as counted (user_id, threads)
    select user_id, count(*) * case tg_op when 'INSERT' then 1 else -1 end from changed
    group by user_id order by user_id
    on conflict (user_id) do update set threads = counted.threads + excluded.threads;
    return null;
  end $$`,
  `create trigger threads_counted after insert on threads referencing new table as changed
  for each statement execute function count_threads()`,
  `create trigger threads_uncounted after delete on threads referencing old table as changed
  for each statement execute function count_threads()`,
];

const OF_SUPPRESSIONS = [
  `create function count_suppressions(p_user text, p_kind text, p_reason text, p_entries bigint)
  returns void language plpgsql set enable_seqscan = off as $$
  begin
    update suppression_counters set entries = entries + p_entries
    where id = (select id from suppression_counters
      where user_id = p_user and kind = p_kind and reason = p_reason
      limit 1 for update skip locked);
    if not found then
      insert into suppression_counters (user_id, kind, reason, entries)
      values (p_user, p_kind, p_reason, p_entries);
    end if;
  end $$`,
  `create function count_changed_suppressions() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      perform count_suppressions(user_id, kind, reason, sum(sign)) from (
        select user_id, kind, reason, 1 as sign from came
        union all select user_id, kind, reason, -1 from gone) as changed
      group by user_id, kind, reason having sum(sign) <> 0;
    else
      perform count_suppressions(user_id, kind, reason,
        count(*) * case tg_op when 'INSERT' then 1 else -1 end) from changed
      group by user_id, kind, reason;
    end if;
    return null;
  end $$`,
  `create trigger suppressions_counted after insert on suppressions
  referencing new table as changed
  for each statement execute function count_changed_suppressions()`,
  `create trigger suppressions_uncounted after delete on suppressions
  referencing old table as changed
  for each statement execute function count_changed_suppressions()`,
  `create trigger suppressions_recounted after update on suppressions
  referencing old table as gone new table as came
  for each statement execute function count_changed_suppressions()`,
];

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
