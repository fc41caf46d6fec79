/**
 * Letters beyond ASCII (0047) are kept of suppressions, too, which are searched for two letters; and all of them are:
 * only those of the very first texts were, since a comparison meant a column of the wrong table. What is there already
 * follows in 0287.
 */
import { sql, type Kysely } from 'kysely';

const SEARCHED = {
  leads: `(first_name || last_name || coalesce(email, ''))`,
  companies: `(name || coalesce(domain, ''))`,
  suppressions: 'value',
  lifted_suppressions: 'value',
};

const isBeyond = (texts: string) => `octet_length(${texts}) > char_length(${texts})`;

/** A statement that keeps what these rows have. */
const keepLetters = (rows: string, texts: string) => `
  insert into search_letters (letter)
  select distinct found.letter from ${rows} as row,
    unnest(string_to_array(regexp_replace(${texts}, '[\\x01-\\x7f]+', '', 'g'), null)) as found (letter)
  where ${isBeyond(texts)}
    and not exists (select from search_letters as known where known.letter = found.letter)
  order by 1 on conflict do nothing`;

/**
 * Of what is there already, in one statement: a letter that this transaction has written holds up whoever writes it
 * as well, so that all is read before the first one is.
 */
export async function keepLettersOf(db: Kysely<unknown>): Promise<void> {
  const rows = Object.entries(SEARCHED)
    .map(([table, texts]) => `select ${texts} as texts from ${table} where ${isBeyond(texts)}`)
    .join(' union all ');
  await sql.raw(keepLetters(`(${rows})`, 'texts')).execute(db);
}

export async function up(db: Kysely<unknown>): Promise<void> {
  // For a moment: whoever is writing by the functions of before has done it when 0287 reads.
  await sql
    .raw(`lock table ${Object.keys(SEARCHED).join(', ')} in share row exclusive mode`)
    .execute(db);
  for (const [table, texts] of Object.entries(SEARCHED)) {
    await sql
      .raw(
        `create or replace function keep_letters_of_${table}() returns trigger language plpgsql as $$
        begin
          if exists (select from came where ${isBeyond(texts)}) then ${keepLetters('came', texts)}; end if;
          return null;
        end $$`,
      )
      .execute(db);
    // The value of a suppression never changes.
    const rest = table.endsWith('suppressions')
      ? `create trigger ${table}_letters after insert on ${table} referencing new table as came
        for each statement execute function keep_letters_of_${table}()`
      : `create or replace function keep_letters_of_changed_${table}() returns trigger
        language plpgsql as $$ begin ${keepLetters('(select new.*)', texts)}; return null; end $$`;
    await sql.raw(rest).execute(db);
  }
}

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
