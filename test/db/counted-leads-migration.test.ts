/** Migrations 0045 to 0047 count and place what is there, and what others write while they run. */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { bothWays } from '../support/leads/lead-counts.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

/** Two lists and companies without one; of every tenth company, people with letters beyond ASCII. */
const FILL = `
  insert into users (user_id, email) values ('user-1', 'user-1@example.test');
  insert into lead_lists (user_id, name) select 'user-1', 'List ' || n from generate_series(1, 2) as n;
  insert into companies (user_id, lead_list_id, name, name_key)
    select 'user-1', nullif(n % 3, 0), 'Firm ' || n, 'firm ' || n from generate_series(1, 90) as n;
  insert into leads (user_id, company_id, first_name, name_key)
    select 'user-1', nullif(n % 91, 0), case n % 10 when 0 then 'Zoë' else 'Ann' end, 'n' || n
    from generate_series(1, 900) as n;`;

const WRITE = `
  insert into companies (user_id, lead_list_id, name, name_key) values ('user-1', 1, 'New', 'new');
  insert into leads (user_id, company_id, name_key)
    select 'user-1', id, 'new' || n from companies, generate_series(1, 3) as n where name = 'New';
  update companies set lead_list_id = 2 where id % 5 = 0;
  update leads set company_id = 1, name_key = name_key || 'x' where id % 11 = 0;
  delete from leads where id % 7 = 0;`;

it('end with the counts of count(*), whoever writes after the first of them', async () => {
  const { ownerUrl, appUrl, drop } = await newDatabase();
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await migrateTo(ownerUrl, '0042-address-of-companies');
    await owner.query(FILL);
    await migrateTo(ownerUrl, '0045-lead-counters');
    await owner.query(WRITE);
    await migrate({ ownerUrl });
    const db = openDatabase(appUrl, { poolSize: 1 });
    const { kept, counted } = await bothWays(db, 'user-1');
    expect(kept).toEqual(counted);
    expect(kept.members.length).toBeGreaterThan(400);
    const letters = await db.selectFrom('search_letters').selectAll().execute();
    expect(letters).toEqual([{ letter: 'ë' }]);
    await db.destroy();
  } finally {
    await owner.end();
    await drop();
  }
});
