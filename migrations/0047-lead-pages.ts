/** Pages of leads, companies and suppressions in the order of an index, and searches for two letters. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What 0046 placed while it was being moved or deleted.
  await sql`
    delete from lead_list_members as member where not exists (
      select from leads join companies on companies.id = leads.company_id
      where leads.id = member.lead_id and companies.lead_list_id = member.lead_list_id)`.execute(
    db,
  );
  await keepLetters(db);
  // Nobody writes leads while these are built: some seconds each for a million of them. Reads go on.
  await sql`create index leads_status on leads (user_id, status, id)`.execute(db);
  await sql`create index leads_email_valid on leads (user_id, email_valid, id)
    where email_valid is not null`.execute(db);
  await sql`create index leads_score on leads (user_id, validation_score, id)
    where validation_score is not null`.execute(db);
  await sql`create index leads_without_email on leads (user_id, id) where email is null`.execute(
    db,
  );
  await sql`create index companies_list_name on companies (lead_list_id, name_key, id)`.execute(db);
  await sql`create index suppressions_reason on suppressions (user_id, reason, id)`.execute(db);
  await sql`create index suppressions_search on suppressions using gin (value gin_trgm_ops)`.execute(
    db,
  );
}

/**
 * Letters beyond ASCII that names, addresses and domains have: two letters are found by all triples
 * that end with them, so what may stand before them has to be known. Letters are never taken away.
 */
async function keepLetters(db: Kysely<unknown>): Promise<void> {
  await sql`create table search_letters (letter text primary key)`.execute(db);
  for (const [table, texts] of Object.entries(SEARCHED)) {
    const beyondAscii = `octet_length(${texts}) > char_length(${texts})`;
    const keep = (rows: string) => `
      insert into search_letters (letter)
      select distinct letter from ${rows} as row,
        unnest(string_to_array(regexp_replace(${texts}, '[\\x01-\\x7f]+', '', 'g'), null)) as letter
      where ${beyondAscii}
        and not exists (select from search_letters as known where known.letter = letter)
      order by 1 on conflict do nothing`;
    await sql.raw(keep(table)).execute(db);
    await sql
      .raw(
        `create function keep_letters_of_${table}() returns trigger language plpgsql as $$
        begin
          if exists (select from came where ${beyondAscii}) then ${keep('came')}; end if;
          return null;
        end $$`,
      )
      .execute(db);
    await sql
      .raw(
        `create trigger ${table}_letters after insert on ${table} referencing new table as came
        for each statement execute function keep_letters_of_${table}()`,
      )
      .execute(db);
    await sql
      .raw(
        `create function keep_letters_of_changed_${table}() returns trigger language plpgsql as $$
        begin
          ${keep('(select new.*)')};
          return null;
        end $$`,
      )
      .execute(db);
    const columns = COLUMNS[table as keyof typeof COLUMNS];
    const changed = columns.map((each) => `old.${each} is distinct from new.${each}`).join(' or ');
    await sql
      .raw(
        `create trigger ${table}_changed_letters after update of ${columns.join(', ')} on ${table}
        for each row when (${changed}) execute function keep_letters_of_changed_${table}()`,
      )
      .execute(db);
  }
}

const COLUMNS = {
  leads: ['first_name', 'last_name', 'email'],
  companies: ['name', 'domain'],
} as const;

const SEARCHED = {
  leads: `(first_name || last_name || coalesce(email, ''))`,
  companies: `(name || coalesce(domain, ''))`,
};

export async function down(): Promise<void> {
  throw new Error('Migrations only go forward.');
}
