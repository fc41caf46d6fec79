/** Migrations 0030 to 0042 keep every lead, and says how long it takes and who waits. `MIGRATION_LEADS=1000000` for all of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { importGroups } from '../../src/db/leads/lead-groups.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

const LEADS = Number(process.env['MIGRATION_LEADS'] ?? 20_000);
const BEFORE = '0029-final-sigma';

/** Ten people to a company, a hundred companies to a list; all reachable by an address. */
const FILL = `
  insert into users (user_id, email) values ('user-1', 'user-1@example.test');
  insert into lead_lists (user_id, name)
    select 'user-1', 'List ' || n from generate_series(1, greatest(${LEADS} / 1000, 1)) as n;
  insert into companies (user_id, lead_list_id, name, name_key)
    select 'user-1', (n / 100) % greatest(${LEADS} / 1000, 1) + 1, 'Firm ' || n, 'firm ' || n
    from generate_series(1, ${LEADS} / 10) as n;
  insert into leads (user_id, company_id, first_name, last_name, name_key, email, email_key, status)
    select 'user-1', n % (${LEADS} / 10) + 1, 'Person', 'No ' || n, 'person no ' || n,
      'p' || n || '@firm.example', 'p' || n || '@firm.example', 'contacted'
    from generate_series(1, ${LEADS}) as n;
  analyze leads;`;

const CONTENT = `select count(*)::int as n,
  sum(hashtextextended((to_jsonb(leads) - 'validation_reason' - 'custom' - 'timezone')::text, 0))::text as digest
  from leads`;

it(
  'keeps all leads, lets them be read while its indexes are built, and takes imports after it',
  async () => {
    const { ownerUrl, appUrl, drop } = await newDatabase();
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    try {
      await migrateTo(ownerUrl, BEFORE);
      await owner.query(FILL);
      const before = (await owner.query(CONTENT)).rows;
      const waits = watch(appUrl);
      const started = performance.now();
      expect(await migrate({ ownerUrl })).toContain('0031-leads-of-companies');
      const tookMs = performance.now() - started;
      const { read, written } = await waits.end();
      console.log(
        `${LEADS} leads: ${tookMs.toFixed(0)} ms; the longest read waited ${read.toFixed(0)} ms, ` +
          `the longest write ${written.toFixed(0)} ms`,
      );
      expect((await owner.query(CONTENT)).rows).toEqual(before);
      const db = openDatabase(appUrl, { poolSize: 1 });
      const [group] = await importGroups(db, {
        userId: 'user-1',
        leadListId: 1,
        source: null,
        groups: [
          {
            company: { name: 'Another' },
            people: [{ firstName: 'Person', lastName: 'No 1', email: 'p1@firm.example' }],
          },
        ],
      });
      await db.destroy();
      expect(group).toMatchObject({ companyCreated: true, people: [{ outcome: 'created' }] });
    } finally {
      await owner.end();
      await drop();
    }
  },
  LEADS > 100_000 ? 600_000 : 120_000,
);

/** Reads and writes leads again and again; answers the longest wait of each in milliseconds. */
function watch(url: string) {
  const longest = { read: 0, written: 0 };
  let isOver = false;
  const again = async (what: keyof typeof longest, statement: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    while (!isOver) {
      const start = performance.now();
      await client.query(statement);
      longest[what] = Math.max(longest[what], performance.now() - start);
      await sleep(5);
    }
    await client.end();
  };
  /** As an import does: reads leads, and writes them later in the same transaction. */
  const readAndWrite = async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    while (!isOver) {
      await client.query('begin');
      await client.query("select id from leads where email_key = 'p7@firm.example' limit 1");
      await client.query('update lead_imports set updated_at = now() where id = 0');
      await sleep(5);
      await client.query('update leads set role = null where id = 7');
      await client.query('commit');
    }
    await client.end();
  };
  const both = Promise.all([
    readAndWrite(),
    again(
      'read',
      "select id from leads where user_id = 'user-1' and email_key = 'p7@firm.example'",
    ),
    again('written', 'update leads set role = null where id = 7 and role is not null'),
  ]);
  return {
    async end() {
      isOver = true;
      await both;
      return longest;
    },
  };
}
