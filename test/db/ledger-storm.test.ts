/** The ledger under a storm: many clients, retries at the same time, and crashes before commit. */
import type { Kysely, Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { credit, hold } from '../../src/db/wallet/ledger.ts';
import type { Database } from '../../src/db/tables.ts';
import { OutreachError } from '../../src/domain/errors.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { countKeys, runStorm } from '../support/wallet/ledger-storm.ts';
import { movement, userWith } from '../support/wallet/wallet.ts';

const CLIENTS = 64;
const OPERATIONS = 3_000;
const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000);

let database: TestDatabase;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: CLIENTS, connectionTimeoutMs: CONNECTION_MS });
});

afterAll(async () => {
  await db.destroy();
  await database.close();
});

describe(`64 clients at once (STORM_SEED=${seed})`, () => {
  it('lose no cent, go nowhere below zero, and refuse only what is short', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => userWith(db, 20_000)));
    const storm = { db, users, clients: CLIENTS, operations: OPERATIONS, seed };
    const { done, wronglyRefused, ...counted } = await runStorm(storm);

    expect(await auditWallets(db)).toEqual([]);
    expect(wronglyRefused).toEqual([]);
    expect(counted.operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(Math.min(counted.retries, counted.crashes, counted.refused)).toBeGreaterThan(10);
    expect(await countKeys(db, [...done])).toBe(done.size);
    const { keys, rows } = await db
      .selectFrom('ledger_transactions')
      .select((eb) => [
        eb.fn.count<number>('operation_key').distinct().as('keys'),
        eb.fn.countAll<number>().as('rows'),
      ])
      .executeTakeFirstOrThrow();
    expect(keys).toBe(rows);
  }, 300_000);

  it('never hold the same cent twice: 64 holds on money for 10', async () => {
    const userId = await userWith(db, 10 * 2_500);
    const outcomes = await Promise.all(
      Array.from({ length: CLIENTS }, () => attempt((trx) => hold(trx, movement(userId, 2_500)))),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(10);
    expect(await auditWallets(db)).toEqual([]);
  });

  it('credit once when all bring the same key', async () => {
    const userId = await userWith(db);
    const funding = movement(userId, 4_100);
    await Promise.all(
      Array.from({ length: CLIENTS }, () => attempt((trx) => credit(trx, funding))),
    );
    const wallet = await db
      .selectFrom('wallets')
      .select('available_cents')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    expect(wallet.available_cents).toBe(4_100);
  });
});

type Work = (trx: Transaction<Database>) => Promise<unknown>;

async function attempt(work: Work): Promise<'done' | 'refused'> {
  try {
    await db.transaction().execute(work);
    return 'done';
  } catch (error) {
    if (error instanceof OutreachError) return 'refused';
    throw error;
  }
}
