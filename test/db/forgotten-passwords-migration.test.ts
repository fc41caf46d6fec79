/** Migration 0225: mailboxes that have failed keep no password. */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

const FILL = `
  insert into users (user_id, email) values ('user-1', 'user-1@example.test');
  insert into mailboxes (user_id, email, status, password, next_password)
    select 'user-1', status || '@own.test', status, 'sealed', 'sealed'
    from unnest(array['pending', 'active', 'failed', 'deleting']) as status;`;

it('forgets the passwords of failed mailboxes alone', async () => {
  const { ownerUrl, drop } = await newDatabase();
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await migrateTo(ownerUrl, '0221-unsubscriptions-by-link');
    await owner.query(FILL);
    await migrate({ ownerUrl });
    const { rows } = await owner.query(
      'select status from mailboxes where coalesce(password, next_password) is not null order by id',
    );
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'active', 'deleting']);
  } finally {
    await owner.end();
    await drop();
  }
});
