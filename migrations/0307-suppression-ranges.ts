/**
 * Which parts of texts each 200 suppressions of an account have: the newest ones that may have a text which none of the
 * near ones has are found without looking through what is between. Standing work fills them. Choice 210.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Pairs and triples of letters as they are, not as hashes: a dump is right in any version of Postgres. Letters beyond
  // ASCII are left out, since which of them are one letter in two cases differs by locale.
  await sql`
    create function text_parts(p_text text) returns table (part text)
    language sql immutable parallel safe as $$
      select substr(texts.folded, at, size)
      from (select lower(p_text collate "C")) as texts (folded)
      cross join lateral generate_series(1, length(texts.folded) - 1) as at
      cross join (values (2), (3)) as sizes (size)
      where length(substr(texts.folded, at, size)) = size
        and octet_length(substr(texts.folded, at, size)) = size
    $$`.execute(db);
  await sql`
    create function text_key(p_part text) returns text language sql immutable parallel safe
    return '''' || replace(replace(p_part, '\\', '\\\\'), '''', '''''') || ''''`.execute(db);
  await sql`
    create table suppression_ranges (
      source text not null check (source in ('suppressions', 'lifted_suppressions')),
      user_id text not null references users (user_id),
      from_id bigint not null,
      to_id bigint not null,
      parts tsvector not null,
      primary key (source, user_id, to_id)
    )`.execute(db);
  // The rows are narrow for those who look for the ids alone, and nobody asks how frequent a part is.
  await sql`alter table suppression_ranges alter column parts set statistics 0`.execute(db);
  await sql`alter table suppression_ranges set (toast_tuple_target = 128)`.execute(db);
  // Without a list of what was written last, which each search would read.
  await sql`create index suppression_ranges_parts on suppression_ranges
    using gin (parts) with (fastupdate = off)`.execute(db);
  await sql`
    create table suppression_range_marks (
      source text primary key check (source in ('suppressions', 'lifted_suppressions')),
      seen_id bigint not null
    )`.execute(db);
  // Ids of rows that are gone: their parts go with the next look.
  await sql`
    create table suppression_range_gaps (
      source text not null,
      user_id text not null,
      id bigint not null,
      primary key (source, user_id, id)
    )`.execute(db);
  // By the index whatever the statistics say: the parts are long, and reading those of all takes seconds.
  await sql`
    create function ranges_with(
      p_source text, p_user text, p_text text, p_before bigint, p_limit integer
    ) returns table (from_id bigint, to_id bigint) language plpgsql stable parallel safe
    set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
    declare
      v_query tsquery;
    begin
      -- Triples have the pairs in them.
      select string_agg(text_key(asked.part), ' & ')::tsquery into v_query from (
        select distinct found.part from text_parts(p_text) as found
        where length(found.part) = (select max(length(part)) from text_parts(p_text))
        limit 32
      ) as asked;
      return query select found.from_id, found.to_id from suppression_ranges as found
        where found.parts @@ (text_key(p_source || ':' || p_user)::tsquery && v_query)
          and (p_before is null or found.from_id < p_before)
        order by found.to_id desc limit p_limit;
    end $$`.execute(db);
  for (const table of ['suppressions', 'lifted_suppressions']) {
    await sql
      .raw(
        `create function note_gaps_of_${table}() returns trigger language plpgsql as $$
        begin
          if not exists (select from gone) then
            return null;
          end if;
          insert into suppression_range_gaps (source, user_id, id)
          select '${table}', user_id, id from gone order by user_id, id
          on conflict do nothing;
          return null;
        end $$`,
      )
      .execute(db);
  }
  // In the order in which a suppression is lifted.
  for (const table of ['suppressions', 'lifted_suppressions']) {
    await sql
      .raw(
        `create trigger ${table}_gaps after delete on ${table} referencing old table as gone
        for each statement execute function note_gaps_of_${table}()`,
      )
      .execute(db);
  }
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
