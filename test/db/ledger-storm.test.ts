/** The ledger under a storm: many clients, retries at the same time, and crashes before commit. */
import type { Kysely, Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { auditWallets } from '../../src/db/ledger-audit.ts';
import { captureHold, credit, hold, refund, releaseHold, takeBack } from '../../src/db/ledger.ts';
import type { Database } from '../../src/db/tables.ts';
import { OutreachError } from '../../src/domain/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { movement, userWith } from '../support/wallet.ts';

const CLIENTS = 64;
const OPERATIONS = 3_000;
const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000);

let database: TestDatabase;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: CLIENTS });
});

afterAll(async () => {
  await db.destroy();
  await database.close();
});

type Work = (trx: Transaction<Database>) => Promise<unknown>;

class Crash extends Error {}

const openHolds: number[] = [];
const wronglyRefused: string[] = [];

const isHold = (result: unknown): result is { holdId: number } =>
  typeof result === 'object' && result !== null && 'holdId' in result;

/** A small seeded generator: a failing storm is repeated by STORM_SEED. */
function randomFrom(state: number) {
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe(`64 clients at once (STORM_SEED=${seed})`, () => {
  it('lose no cent, go nowhere below zero, and refuse only what is short', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => userWith(db, 20_000)));
    const done = { operations: 0, retries: 0, crashes: 0, refused: 0 };
    let started = 0;

    const client = async (random: (below: number) => number): Promise<void> => {
      while (started < OPERATIONS) {
        started += 1;
        const work = choose(random, users);
        const times = random(5) === 0 ? 2 : 1;
        if (random(20) === 0) done.crashes += await crash(work);
        const attempts = Array.from({ length: times }, () => attempt(work));
        const outcomes = await Promise.all(attempts);
        done.operations += 1;
        done.retries += times - 1;
        done.refused += outcomes.filter((outcome) => outcome === 'refused').length;
      }
    };
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, i) => client(randomFrom(seed * CLIENTS + i))),
    );

    expect(await auditWallets(db)).toEqual([]);
    expect(wronglyRefused).toEqual([]);
    expect(done.operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(Math.min(done.retries, done.crashes, done.refused)).toBeGreaterThan(10);
    const { keys, rows } = await db
      .selectFrom('ledger_transactions')
      .select((eb) => [
        eb.fn.count<number>('operation_key').distinct().as('keys'),
        eb.fn.countAll<number>().as('rows'),
      ])
      .executeTakeFirstOrThrow();
    expect(keys).toBe(rows);
  }, 120_000);

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

  async function attempt(work: Work): Promise<'done' | 'refused'> {
    try {
      const result = await db.transaction().execute(work);
      // Only now does the hold exist for others.
      if (isHold(result)) openHolds.push(result.holdId);
      return 'done';
    } catch (error) {
      if (!(error instanceof OutreachError)) throw error;
      const [short] = (error.details ?? []) as { requiredCents: number; availableCents: number }[];
      if (short && short.requiredCents <= short.availableCents) wronglyRefused.push(error.message);
      return 'refused';
    }
  }

  /** The work is done, and then its transaction dies. */
  async function crash(work: Work): Promise<number> {
    const dying = db.transaction().execute(async (trx) => {
      await work(trx);
      throw new Crash();
    });
    return dying.catch((error: unknown) => {
      if (error instanceof Crash || error instanceof OutreachError) return 1;
      throw error;
    });
  }

  function choose(random: (below: number) => number, users: string[]): Work {
    const userId = users[random(users.length)]!;
    const amountCents = 1 + random(4_000);
    const made = movement(userId, amountCents);
    const holdId = openHolds[random(openHolds.length)];
    const onHold = { holdId: holdId ?? 0, operationKey: made.operationKey, description: 'Storm' };
    switch (holdId === undefined ? random(2) : random(8)) {
      case 0:
        return (trx) => credit(trx, made);
      case 1:
      case 2:
        return (trx) => hold(trx, made);
      case 3:
      case 4:
        return (trx) => captureHold(trx, { ...onHold, amountCents: 1 + (amountCents % 500) });
      case 5:
        return (trx) => releaseHold(trx, onHold);
      case 6:
        return (trx) => refund(trx, made);
      default:
        return (trx) => takeBack(trx, made);
    }
  }
});
