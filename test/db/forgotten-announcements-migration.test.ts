/** Migration 0255: a domain whose announcement was withdrawn announces it again. */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

const FILL = `
  insert into users (user_id, email) values ('user-1', 'user-1@example.test');
  insert into domains (user_id, name, provider, status, mta_sts_policy)
    select 'user-1', name || '.com', 'namecom', 'active', 'testing mail.' || name || '.com'
    from unnest(array['announced', 'withdrawn', 'other-record']) as name;
  insert into operations (user_id, kind, workflow_id, task_queue, summary, input, resource_type, resource_id, steps)
    values ('user-1', 'provisionCluster', 'cluster/1/1', 'none', '', '{}', 'cluster', 1, '[]');
  insert into published_records (operation_id, domain_id, type, name, value, asked_at)
    select o.id, d.id, 'TXT', case d.name when 'announced.com' then '_mta-sts' else '_dmarc' end, 'v', now()
    from domains d, operations o where d.name <> 'withdrawn.com';`;

it('forgets the policies that are announced by no record of ours', async () => {
  const { ownerUrl, drop } = await newDatabase();
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await migrateTo(ownerUrl, '0241-asked-charges');
    await owner.query(FILL);
    await migrate({ ownerUrl });
    const { rows } = await owner.query(
      'select name from domains where mta_sts_policy is not null order by id',
    );
    expect(rows.map(({ name }) => name)).toEqual(['announced.com']);
  } finally {
    await owner.end();
    await drop();
  }
});
