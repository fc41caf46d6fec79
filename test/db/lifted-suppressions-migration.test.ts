/** Migrations 0218 to 0221 let suppressions be read while they build, and take an index that is there. */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

it('keeps nobody from suppressions while it waits for lifted ones, and takes the index of 0218', async () => {
  const { ownerUrl, drop } = await newDatabase();
  const lifting = new Client({ connectionString: ownerUrl });
  // Far shorter than the test, and longer than a busy machine takes.
  const reader = new Client({ connectionString: ownerUrl, statement_timeout: 20_000 });
  await Promise.all([lifting.connect(), reader.connect()]);
  try {
    await migrateTo(ownerUrl, '0217-expired-messages');
    await reader.query(
      'create index concurrently campaign_counters_day on campaign_counters (day)',
    );
    // Somebody lifts one: the indexes wait for the end of that.
    await lifting.query('begin; lock table lifted_suppressions in row exclusive mode');
    const migrated = migrate({ ownerUrl });
    await expect
      .poll(async () => {
        const waiting = `select from pg_locks where not granted
          and relation = 'lifted_suppressions'::regclass`;
        return (await reader.query(waiting)).rowCount;
      })
      .toBe(1);
    await reader.query('select count(*) from suppressions');
    await lifting.query('delete from suppressions where id = 1');
    await lifting.query('commit');
    expect(await migrated).toEqual(
      expect.arrayContaining(['0218-counters-by-day', '0221-unsubscriptions-by-link']),
    );
  } finally {
    await Promise.all([lifting.end(), reader.end()]);
    await drop();
  }
}, 120_000);
