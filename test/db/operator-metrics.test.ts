/** Numbers that every scrape reads stay cheap beside the log of all operations. */
import { sql, type KyselyPlugin, type RawNode } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
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
