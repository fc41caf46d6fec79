/** The minimal import of a CSV file: COPY into a staging table, one INSERT ... SELECT. */
import type { Client } from 'pg';

/**
 * The file is where the server can read it. Companies are matched by name, people by e-mail: the
 * minimum that avoids duplicates. It is one statement, so all of it happens or nothing.
 */
export async function copyAndInsert(
  client: Client,
  { file, userId, listId }: { file: string; userId: string; listId: number },
): Promise<number> {
  await client.query('begin');
  await client.query(`
    create temp table staging (first_name text, last_name text, role text, email text, phone text,
      company text, website text, city text, country text) on commit drop`);
  await client.query(`copy staging from '${file}' (format csv, header)`);
  const { rowCount } = await client.query(INSERT, [userId, listId]);
  await client.query('commit');
  return rowCount ?? 0;
}

const INSERT = `
  with named as (
    select distinct on (lower(company)) company, website, city, country from staging
    order by lower(company)
  ), known as (
    select id, name_key from companies
    where user_id = $1 and name_key in (select lower(company) from named)
  ), added as (
    insert into companies (user_id, lead_list_id, name, name_key, website, city, country_code, source)
    select $1, $2, company, lower(company), website, city, country, 'csv' from named
    where lower(company) not in (select name_key from known)
    returning id, name_key
  ), company as (
    select id, name_key from known union all select id, name_key from added
  )
  insert into leads (user_id, company_id, first_name, last_name, name_key, role, email, email_key,
    phone, phone_key, source)
  select $1, company.id, first_name, last_name, lower(first_name || ' ' || last_name), role, email,
    lower(email), phone, regexp_replace(phone, '\\D', '', 'g'), 'csv'
  from (select distinct on (lower(email)) * from staging order by lower(email)) as person
  join company on company.name_key = lower(person.company)
  on conflict (user_id, email_key, company_id) where email_key is not null do nothing`;
