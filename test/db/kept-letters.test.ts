/** Letters beyond ASCII are kept of all that is searched for two letters, whenever it comes, and of what was there before. */
import { Client } from 'pg';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { searchCompanies } from '../../src/db/leads/pages/company-pages.ts';
import { searchLeads } from '../../src/db/leads/pages/lead-pages.ts';
import { migrate } from '../../src/db/migrate.ts';
import { listLiftedSuppressions } from '../../src/db/suppressions/lifted-suppressions.ts';
import { searchSuppressions } from '../../src/db/suppressions/suppression-pages.ts';
import type { Database } from '../../src/db/tables.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

const OLDER = `
  insert into users (user_id, email) values ('ann', 'ann@example.test');
  insert into leads (user_id, first_name, name_key) values ('ann', 'Zoë', 'zoë');
  insert into leads (user_id, first_name, name_key) values ('ann', 'Þqa', 'þqa');
  insert into companies (user_id, name, name_key) values ('ann', 'Øqb', 'øqb');
  insert into suppressions (user_id, kind, value, reason) values ('ann', 'email', 'ўqc@x.test', 'manual');
  insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    values ('ann', 1, 'email', 'ґqd@x.test', 'manual', '', 0);`;
/** More than are read one by one before the index of texts is asked. */
const BESIDE = `
  insert into leads (user_id, first_name, name_key) select 'ann', 'Lee', 'lee' from generate_series(1, 1100);
  insert into companies (user_id, name, name_key) select 'ann', 'Firm', 'firm' from generate_series(1, 1100);
  insert into suppressions (user_id, kind, value, reason)
    select 'ann', 'email', n || '@x.test', 'manual' from generate_series(1, 1100) as n;
  insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    select 'ann', n, 'email', n || '@x.test', 'manual', '', 0 from generate_series(1, 1100) as n;`;
const NEWER = OLDER.slice(OLDER.indexOf('insert into leads')).replaceAll(/[ëÞþØøўґ]q/g, (found) => {
  const letters = { Þ: 'Łx', þ: 'łx', Ø: 'Đx', ø: 'đx', ў: 'їx', ґ: 'єx' } as Record<
    string,
    string
  >;
  return letters[found[0]!] ?? found;
});

let db: Kysely<Database>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const fresh = await newDatabase();
  ({ drop } = fresh);
  const owner = new Client({ connectionString: fresh.ownerUrl });
  await owner.connect();
  await migrateTo(fresh.ownerUrl, '0285-housekeeping-places');
  await owner.query(OLDER);
  await migrate(fresh);
  await owner.query(NEWER);
  await owner.query(`update leads set last_name = 'Ŵxe' where first_name = 'Zoë' and id > 1`);
  await owner.query(BESIDE);
  await owner.end();
  db = openDatabase(fresh.appUrl, { poolSize: 1 });
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await drop?.();
});

const newest = { order: { sort: 'createdAt', order: 'desc' }, limit: 20 } as const;

describe.each([
  ['before the migration', 'q'],
  ['after it', 'x'],
])('of what came %s', (_, letter) => {
  it('leads', async () => {
    const page = await searchLeads(db, 'ann', { filter: { search: `${letter}a` }, ...newest });
    expect(page.rows).toHaveLength(1);
  });

  it('companies', async () => {
    const page = await searchCompanies(db, 'ann', { filter: { search: `${letter}b` }, ...newest });
    expect(page.rows).toHaveLength(1);
  });

  it('suppressions', async () => {
    const wanted = { filter: { search: `${letter}c` }, limit: 20 };
    expect((await searchSuppressions(db, 'ann', wanted)).rows).toHaveLength(1);
  });

  it('lifted suppressions', async () => {
    const wanted = { filter: { search: `${letter}d` }, limit: 20, offset: 0 };
    expect((await listLiftedSuppressions(db, 'ann', wanted)).rows).toHaveLength(1);
  });
});

it('what is there already is read before a letter is held, so that nobody who writes one waits', async () => {
  const fresh = await newDatabase();
  const [reader, writer] = [fresh, fresh].map(
    ({ ownerUrl }) => new Client({ connectionString: ownerUrl }),
  ) as [Client, Client];
  await Promise.all([reader.connect(), writer.connect()]);
  try {
    await migrateTo(fresh.ownerUrl, '0285-housekeeping-places');
    await writer.query(OLDER);
    await migrateTo(fresh.ownerUrl, '0286-kept-letters');
    // In place of a table that takes long.
    await reader.query('begin; lock table lifted_suppressions in access exclusive mode');
    const migrated = migrateTo(fresh.ownerUrl, '0287-letters-of-before');
    await expect.poll(() => waitingFor(writer, 'lifted_suppressions')).toBe(1);
    await writer.query(`set statement_timeout = '5s'`);
    await writer.query(
      `insert into companies (user_id, name, name_key) values ('ann', 'Øqx', 'øqx')`,
    );
    await writer.query(
      `insert into leads (user_id, first_name, name_key) values ('ann', 'Þqx', 'þqx')`,
    );
    await reader.query('commit');
    await migrated;
    const { rows } = await writer.query<{ letter: string }>('select letter from search_letters');
    expect(rows.map(({ letter }) => letter).sort()).toEqual('ë Þ Ø ў ґ'.split(' ').sort());
  } finally {
    await Promise.all([reader.end(), writer.end()]);
    await fresh.drop();
  }
}, 60_000);

async function waitingFor(client: Client, table: string): Promise<number> {
  const { rows } = await client.query(
    'select 1 from pg_locks where relation = $1::regclass and not granted',
    [table],
  );
  return rows.length;
}

it('and of a name that changes', async () => {
  const page = await searchLeads(db, 'ann', { filter: { search: 'xe' }, ...newest });
  expect(page.rows.map((row) => row.last_name)).toEqual(['Ŵxe']);
  const { rows } = await sql<{ letter: string }>`select letter from search_letters`.execute(db);
  expect(rows.map((row) => row.letter).sort()).toEqual('ë Þ Ø ў ґ Ł Đ ї є Ŵ'.split(' ').sort());
});
