/** Which due jobs of its shards a worker begins: accounts take turns, however many jobs one of them has. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listDueJobs, wakeJobOf, wakeShardJobs } from '../../src/db/shards/shard-jobs.ts';
import { SHARDED, SHARDS, type ShardedType } from '../../src/domain/shards/shards.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
const now = new Date('2026-11-28T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await sql`insert into users (user_id, email) select name, name || '@example.test'
    from unnest(array['ann', 'bob', 'cid']) as name`.execute(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`delete from operations`.execute(database.db);
});

let resources = 0;

/** Due a second apart, the first one at `from`; answers their operations in that order. */
async function addJobs(
  userId: string,
  { count, from, type = 'campaign' }: { count: number; from: Date; type?: ShardedType },
): Promise<number[]> {
  const after = resources;
  resources += count;
  const { rows } = await sql<{ operation_id: number }>`
    with added as (
      insert into operations (user_id, kind, workflow_id, task_queue, summary, input, resource_type, resource_id)
      select ${userId}, 'job', 'job/' || n, 'none', '', '{}', ${type}, n
      from generate_series(${after + 1}::int, ${after + count}::int) as n
      returning id, resource_id
    )
    insert into shard_jobs (operation_id, resource_type, resource_id, shard, turn, due_at)
    select id, ${type}, resource_id, resource_id % ${SHARDS}::int, 1,
      ${from}::timestamptz + (resource_id - ${after + 1}::int) * interval '1 second'
    from added order by resource_id returning operation_id`.execute(database.db);
  return rows.map(({ operation_id: id }) => Number(id)).toSorted((a, b) => a - b);
}

const due = async (limit: number, change: Partial<Parameters<typeof listDueJobs>[1]> = {}) => {
  const types = ['campaign', 'warmup'] as const;
  const wanted = { shards, types, running: [], now, limit, ...change };
  return (await listDueJobs(database.db, wanted)).map(({ operation_id: id }) => id);
};

describe('of an account with 1,000 due jobs and one with a single one', () => {
  it('the single one is among the first two, though it is due last', async () => {
    const many = await addJobs('ann', { count: 1_000, from: minutesAgo(180) });
    const [one] = await addJobs('bob', { count: 1, from: minutesAgo(1) });
    expect(await due(4)).toEqual([many[0], one, many[1], many[2]]);
  });

  it('the single one goes first while the other one has running jobs', async () => {
    const many = await addJobs('ann', { count: 1_000, from: minutesAgo(180) });
    const [one] = await addJobs('bob', { count: 1, from: minutesAgo(1) });
    // Not the ones that are due longest: each place that comes free is the other account's all the same.
    const running = many.slice(500, 700);
    expect(await due(2, { running })).toEqual([one, many[0]]);
  });

  it('the single one goes first with its inbox, beside 1,000 that are being read', async () => {
    const type = 'inbox_sync';
    const many = await addJobs('ann', { count: 1_000, from: minutesAgo(180), type });
    const [one] = await addJobs('bob', { count: 1, from: minutesAgo(1), type });
    const given = { types: [type] as const, running: many.slice(0, 900) };
    expect(await due(2, given)).toEqual([one, many[900]]);
  });
});

describe('due jobs', () => {
  it('are those of accounts with as few running ones by the time at which they are due', async () => {
    const [ann] = await addJobs('ann', { count: 1, from: minutesAgo(1) });
    const [bob] = await addJobs('bob', { count: 1, from: minutesAgo(3) });
    const [cid] = await addJobs('cid', { count: 1, from: minutesAgo(2), type: 'warmup' });
    expect(await due(10)).toEqual([bob, cid, ann]);
  });

  it('keep their place when somebody asks for one of them again and again', async () => {
    const [first, second, later] = (await addJobs('ann', { count: 3, from: minutesAgo(10) })) as [
      number,
      number,
      number,
    ];
    await sql`update shard_jobs set due_at = ${minutesAgo(-60)} where operation_id = ${later}`.execute(
      database.db,
    );
    const { resource_id: id } = await database.db
      .selectFrom('shard_jobs')
      .select('resource_id')
      .where('operation_id', '=', first)
      .executeTakeFirstOrThrow();
    await wakeShardJobs(database.db, { type: 'campaign', ids: [id], now });
    await wakeJobOf(database.db, { operationId: first, now });
    expect(await due(10)).toEqual([first, second]);
    await wakeJobOf(database.db, { operationId: later, now });
    expect(await due(10)).toEqual([first, second, later]);
  });

  it('are none of other shards or types, none that run, wait or have reported', async () => {
    const jobs = await addJobs('ann', { count: 5, from: minutesAgo(10) });
    await addJobs('ann', { count: 1, from: minutesAgo(10), type: 'inbox_sync' });
    const [wanted, running, waiting, reported, elsewhere] = jobs as [number, ...number[]];
    await sql`update shard_jobs set due_at = ${minutesAgo(-1)} where operation_id = ${waiting}`.execute(
      database.db,
    );
    await sql`update shard_jobs set report = '{}' where operation_id = ${reported}`.execute(
      database.db,
    );
    await sql`update shard_jobs set shard = 64 where operation_id = ${elsewhere}`.execute(
      database.db,
    );
    expect(await due(10, { running: [running!] })).toEqual([wanted]);
    expect(await due(0)).toEqual([]);
    expect(await due(10, { shards: [] })).toEqual([]);
  });

  it('come as whole rows', async () => {
    const [id] = await addJobs('ann', { count: 1, from: minutesAgo(10) });
    const wanted = { shards, types: SHARDED, running: [], now, limit: 1 };
    const [job] = await listDueJobs(database.db, wanted);
    const row = await database.db
      .selectFrom('shard_jobs')
      .selectAll()
      .where('operation_id', '=', id!)
      .executeTakeFirstOrThrow();
    expect(job).toEqual(row);
  });
});
