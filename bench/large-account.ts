/**
 * An account of any size, written by SQL: lists, companies, leads, suppressions, messages, one
 * campaign.
 */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { up as countLeads } from '../migrations/0046-counted-leads.ts';
import { countStored } from '../migrations/0211-kept-counts.ts';
import type { Database } from '../src/db/tables.ts';
import { writeAllRanges } from '../test/support/database/suppression-ranges.ts';
import { addHistory } from './large-account-history.ts';

export interface AccountSize {
  userId: string;
  leads: number;
  /** In the first list. */
  deleted: number;
  lists: number;
  messages: number;
}

/** The first list has those that will be deleted, the second a tenth of the leads, the rest is spread over the others. */
const LARGE_LISTS = 2;
const LEADS_PER_COMPANY = 4;
/** Leads that have had a message, and may unsubscribe: one after the other while a list is deleted. */
const SENDS = 20_000;

/** So many companies or leads are joined at once. */
const CHUNK = 250_000;

/**
 * Tables whose indexes are built after all rows are written; maintaining them row by row takes most of
 * the time.
 */
const TABLES = ['companies', 'leads', 'lead_list_members', 'messages', 'threads', 'suppressions'];

/**
 * Writes the accounts as the database's owner. Repeatable: all values derive from numbers. Triggers rest: what
 * they write about leads is written at the end, as the migration does that brought them. They also keep letters
 * beyond ASCII, of which there are none here, and check foreign keys.
 */
export async function addAccounts(ownerUrl: string, sizes: readonly AccountSize[]): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, idleTimeoutMillis: 0 });
  // Postgres ends the connection when it is stopped.
  pool.on('error', () => undefined);
  const run = async (text: string) => (await pool.query<Record<string, string>>(text)).rows;
  await run(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2;
    set synchronous_commit = off`);
  // Otherwise a checkpoint follows the other, and each page goes to the log again after each.
  await run(`alter system set max_wal_size = '16GB'`);
  await run('select pg_reload_conf()');
  const indexes = await run(`select pg_get_indexdef(indexrelid) as definition,
      format('drop index %s', indexrelid::regclass) as dropping
    from pg_index where indrelid = any ('{${TABLES.join(',')}}'::regclass[])
      and not indisunique and indexrelid not in (select conindid from pg_constraint)`);
  for (const { dropping } of indexes) await run(dropping!);
  for (const size of sizes) await addAccount(run, size);
  const dialect = new PostgresDialect({ pool });
  const db = new Kysely<unknown>({ dialect });
  await countLeads(db);
  await countStored(db);
  for (const { definition } of indexes) await run(definition!);
  for (const size of sizes) await addHistory(run, size);
  // As standing work does of what is new.
  const known = new Kysely<Database>({ dialect });
  await writeAllRanges(known);
  await run('vacuum analyze');
  await run('alter system reset max_wal_size');
  await run('select pg_reload_conf()');
  await run('checkpoint');
  await pool.end();
}

type Run = (text: string) => Promise<unknown>;

async function addAccount(run: Run, { userId, leads, deleted, lists, messages }: AccountSize) {
  const companies = Math.ceil(leads / LEADS_PER_COMPANY);
  await run('set session_replication_role = replica');
  await run(`insert into users (user_id, email) values ('${userId}', '${userId}@example.test')`);
  await run(`create temp table list_numbers as
    with added as (
      insert into lead_lists (user_id, name)
      select '${userId}', 'List ' || n from generate_series(1, ${lists}) as n returning id)
    select id, row_number() over (order by id) - 1 as at from added`);
  await run(`create temp table own_companies (id bigint primary key, at bigint not null unique)`);
  for (const [from, to] of chunks(companies)) {
    await run(`
      with added as (
        insert into companies (user_id, lead_list_id, name, name_key, domain, domain_key, city)
        select '${userId}', list.id, ${COMPANY}, lower(${COMPANY}),
          'firm' || n || '.${userId}.test', 'firm' || n || '.${userId}.test', 'Berlin'
        from generate_series(${from}::bigint, ${to}::bigint) as n
        join list_numbers as list on list.at = ${listOf(lists, deleted / leads)}
        order by n returning id)
      insert into own_companies
      select id, ${from} - 1 + row_number() over (order by id) from added`);
  }
  await run('analyze own_companies');
  for (const [from, to] of chunks(leads)) {
    await run(`
      insert into leads (user_id, company_id, first_name, last_name, name_key, role, email, email_key,
        phone, phone_key, status, validation_score, email_valid, source)
      select '${userId}', company.id, person.first, person.last, lower(person.first || ' ' || person.last),
        'Head of Sales', person.email, person.email, '+4930' || n, '4930' || n,
        case when n % 7 = 0 then 'contacted' when n % 1009 = 0 then 'replied' else 'pending' end,
        case when n % 2 = 0 then n * 31 % 101 end, case when n % 2 = 0 then n % 10 > 2 end, 'csv'
      from generate_series(${from}::bigint, ${to}::bigint) as n
      join own_companies as company on company.at = (n - 1) / ${LEADS_PER_COMPANY} + 1
      cross join lateral (select ${FIRST} as first, ${LAST} as last) as name
      cross join lateral (select name.first, name.last, case when n % 20 > 0 then
        lower(name.first || '.' || name.last) || n || '@firm' || company.at || '.test' end as email)
        as person
      order by n`);
  }
  await run(`insert into suppressions (user_id, kind, written_by, value, reason)
    select '${userId}', 'email', null, 'gone' || n || '@firm' || n % 1000 || '.test',
      (array['unsubscribe', 'bounce', 'manual'])[n % 3 + 1]
    from generate_series(1, ${Math.ceil(leads / 10)}) as n`);
  await addMessages(run, userId, messages);
  await run('set session_replication_role = origin');
  await addSends(run, userId);
  await run('drop table list_numbers; drop table own_companies');
}

/** Syllables: generated names share beginnings and pairs of letters like real ones. */
const SYLLABLES = `'{an,be,car,do,el,fi,ga,hen,is,jo,ka,lu,mar,ni,os,pe,ro,su,ti,ul,vo,wa,ye,zo}'::text[]`;
const syllable = (of: string) => `(${SYLLABLES})[1 + (${of}) % 24]`;
const FIRST = `initcap(${syllable('n * 7919')} || ${syllable('n * 104729 / 24')})`;
const LAST = `initcap(${syllable('n * 6151 / 3')} || ${syllable('n * 3571 / 7')}
  || ${syllable('n * 1299709 / 11')} || case when n % 100003 = 5 then 'xq' else '' end)`;
const COMPANY = `initcap(${syllable('n * 7907')} || ${syllable('n * 17 / 5')}) || ' ' || n || ' GmbH'`;

/** Of a company, by its number. */
const listOf = (lists: number, deleted: number) => `case
  when n % 100 < ${Math.round(deleted * 100)} then 0
  when n % 100 < ${Math.round(deleted * 100) + 10} then 1
  else ${LARGE_LISTS} + n / 100 % greatest(1, ${lists - LARGE_LISTS}) end`;

function* chunks(rows: number): Generator<[number, number]> {
  for (let from = 1; from <= rows; from += CHUNK) yield [from, Math.min(rows, from + CHUNK - 1)];
}

async function addMessages(run: Run, userId: string, messages: number): Promise<void> {
  await run(`
    with domain as (
      insert into domains (user_id, name, provider, status)
      values ('${userId}', '${userId}.test', 'namecom', 'active') returning id
    ), cluster as (
      insert into clusters (user_id, domain_id, name, status, use_existing_vps)
      select '${userId}', id, '${userId}', 'active', false from domain returning id
    ), mailbox as (
      insert into mailboxes (user_id, cluster_id, email, status)
      select '${userId}', id, 'ann@${userId}.test', 'active' from cluster returning id
    )
    insert into threads (user_id, mailbox_id, subject, last_message_at, messages_count)
    select '${userId}', mailbox.id, 'Thread ' || n, now() - n * interval '5 minutes', 5
    from mailbox, generate_series(1, ${Math.ceil(messages / 5)}) as n`);
  await run(`
    insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address,
      from_name, to_addresses, subject, snippet, body_text, sent_at, received_at, is_read, kind)
    select user_id, mailbox_id, id, case k when 1 then 'outbound' else 'inbound' end,
      '<' || id || '.' || k || '@bench.test>', 'person' || id % 5000 || '@client.test',
      'Person ' || id % 5000, array['ann@${userId}.test'], subject, 'Thank you for your message.',
      'Thank you for your message ' || id % 5000 || '.', last_message_at - k * interval '1 minute',
      last_message_at - k * interval '1 minute', id % 3 > 0,
      case when k = 2 and id % 10 = 0 then 'reply' else 'message' end
    from threads, generate_series(1, 5) as k where user_id = '${userId}' limit ${messages}`);
  await run(`insert into inbox_counts (user_id, messages, unread)
    select user_id, count(*), count(*) filter (where not is_read) from messages
    where user_id = '${userId}' group by user_id`);
}

/** A campaign that has written to some leads, none of them in a list that is deleted here. */
async function addSends(run: Run, userId: string): Promise<void> {
  await run(`
    with campaign as (
      insert into campaigns (user_id, name, status, timezone, active_days, start_time, end_time,
        max_followups, followup_delay_days)
      values ('${userId}', 'Spring', 'paused', 'UTC', '{mon}', '09:00', '17:00', 0, 3) returning id
    ), chosen as (
      select leads.id, email_key from leads join companies on companies.id = company_id
      where leads.user_id = '${userId}' and email_key is not null and lead_list_id not in (
        select id from list_numbers where at < ${LARGE_LISTS})
      order by leads.id limit ${SENDS}
    ), recipient as (
      insert into recipients (campaign_id, lead_id, user_id)
      select campaign.id, chosen.id, '${userId}' from campaign, chosen
    )
    insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain, email_key,
      message_id, state, claimed_by, claimed_at, sent_at)
    select '${userId}', campaign.id, chosen.id, 0,
      (select id from mailboxes where user_id = '${userId}'), split_part(email_key, '@', 2), email_key,
      '<' || chosen.id || '@${userId}.test>', 'sent', gen_random_uuid(), now(), now()
    from campaign, chosen`);
}
