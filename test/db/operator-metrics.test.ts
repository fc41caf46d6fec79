/** Numbers that every scrape reads stay cheap beside the log of all operations. */
import { randomUUID } from 'node:crypto';
import { sql, type KyselyPlugin, type RawNode } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { endLeases, renewLeases } from '../../src/db/shards/shard-leases.ts';
import { readShards } from '../../src/db/shards/shard-view.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addProvisioning } from '../support/workflows/operations.ts';

let database: TestDatabase;
let operationId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const userId = await userWith(db);
  const { id } = await addProvisioning(db, userId);
  operationId = id;
  await sql`insert into operation_events (operation_id, kind, step, actor)
    select ${id}, 'finished', 'server_create', 'system' from generate_series(1, 40000)`.execute(db);
  await database.analyze('operation_events');
});
afterAll(() => database?.close());

describe('orders for which an alternate was asked', () => {
  const failOver = (step: string) =>
    insertOperationEvent(database.db, {
      operationId,
      kind: 'failed_over',
      step,
      actor: 'system',
      reason: 'hetzner had no capacity, ordered at vultr',
    });

  const counted = async () => (await readOperatorNumbers(database.db)).failOvers;

  it('are counted by step, each once, for an hour', async () => {
    expect(await counted()).toEqual({});
    for (const step of ['domain_purchase', 'server_create']) await failOver(step);
    await sql`update operation_events set at = now() - interval '61 minutes'
      where kind = 'failed_over'`.execute(database.db);
    for (const step of ['server_create', 'server_create', 'domain_purchase']) await failOver(step);
    // Two vendors after the first one, and one order.
    expect(await counted()).toEqual({ domain_purchase: 1, server_create: 1 });
  });

  it('are found without reading what else has happened', async () => {
    let statement = '';
    const listener: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statement = textOf(node as RawNode);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    await readOperatorNumbers(database.db.withPlugin(listener));
    const { rows } = await sql.raw(`explain ${statement}`).execute(database.db);
    const plan = JSON.stringify(rows);
    expect(plan).toContain('operation_events_failed_over');
    expect(plan).not.toMatch(/Seq Scan on operation_events/);
  });
});

/** It has no parameters; a part of it may be raw SQL, too. */
const textOf = ({ sqlFragments, parameters }: RawNode): string =>
  sqlFragments
    .map((text, index) => text + (parameters[index] ? textOf(parameters[index] as RawNode) : ''))
    .join('');

describe('campaigns and warm-ups that are due', () => {
  it('wait for a worker unless a living one has a session for them, however slow it is', async () => {
    const { db } = database;
    const add = async (type: string, dueSeconds: number) => {
      const { rows } = await sql<{ id: number }>`
        with added as (
          insert into operations (user_id, kind, workflow_id, task_queue, summary, input, resource_type, resource_id)
          select user_id, 'job', 'due/' || ${type}::text || ${dueSeconds}::int, 'none', '', '{}', ${type},
            ${dueSeconds} from users limit 1 returning id)
        insert into shard_jobs (operation_id, resource_type, resource_id, shard, turn, due_at)
        select id, ${type}, ${dueSeconds}, 1, 1, now() - make_interval(secs => ${dueSeconds})
        from added returning operation_id as id`.execute(db);
      return rows[0]!.id;
    };
    const oldest = async () => (await readOperatorNumbers(db)).oldestShardJobSeconds;
    expect(await oldest()).toBe(0);
    const slow = await add('campaign', 1_500);
    await add('inbox_sync', 5_000);
    await add('warmup', 30);
    expect(await oldest()).toBeGreaterThan(1_499);
    const worker = randomUUID();
    await renewLeases(db, worker, { keep: [], atWork: [slow] });
    expect(await oldest()).toBeGreaterThan(29);
    expect(await oldest()).toBeLessThan(60);
    const late = async () =>
      (await readShards(db)).jobs.map(({ type, due }) => `${type} ${due}`).join(', ');
    expect(await late()).toBe('campaign 0, inbox_sync 0, warmup 1');
    // It has died.
    await sql`update shard_workers set seen_at = now() - interval '1 minute'`.execute(db);
    expect(await oldest()).toBeGreaterThan(1_499);
    await renewLeases(db, worker, { keep: [], atWork: [] });
    expect(await oldest()).toBeGreaterThan(1_499);
    await endLeases(db, worker);
    await sql`delete from shard_jobs`.execute(db);
  });
});
