/** Migration 0197: recurring discoveries of before go on with the list of their last run. */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';

const FILL = `
  insert into users (user_id, email) values ('user-1', 'user-1@example.test');
  insert into lead_lists (user_id, name) select 'user-1', 'List ' || n from generate_series(1, 3) as n;
  insert into lead_processes (user_id, lead_list_id, search_term, lead_count, countries)
    select 'user-1', n, 'yoga', 1, '{US}' from generate_series(1, 3) as n;
  insert into schedules (user_id, run_key, name, kind, job, times)
    values ('user-1', 'a', 'unnamed', 'lead_process', '{}', '{}'),
      ('user-1', 'b', 'named', 'lead_process', '{"leadListId": 3}', '{}'),
      ('user-1', 'c', 'never run', 'lead_process', '{}', '{}'),
      ('user-1', 'd', 'maps', 'maps_run', '{}', '{}');
  insert into schedule_runs (schedule_id, run_key, outcome, lead_process_id)
    values (1, '1', 'started', 1), (1, '2', 'started', 2), (2, '3', 'started', 3);
  insert into schedule_runs (schedule_id, run_key, outcome) values (1, '4', 'skipped');`;

it('names the list of the last run, where the order names none', async () => {
  const { ownerUrl, drop } = await newDatabase();
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await migrateTo(ownerUrl, '0196-shard-processes');
    await owner.query(FILL);
    await migrate({ ownerUrl });
    const { rows } = await owner.query('select name, own_list_id from schedules order by id');
    expect(rows.map(({ name, own_list_id }) => [name, own_list_id && Number(own_list_id)])).toEqual(
      [
        ['unnamed', 2],
        ['named', null],
        ['never run', null],
        ['maps', null],
      ],
    );
  } finally {
    await owner.end();
    await drop();
  }
});
