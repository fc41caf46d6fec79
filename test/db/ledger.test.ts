/** The ledger one operation at a time: balances, texts, repetition, and what the database refuses. */
import fc from 'fast-check';
import { sql, type Transaction } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { captureHold, credit, hold, refund, releaseHold } from '../../src/db/wallet/ledger.ts';
import { takeBack } from '../../src/db/wallet/ledger-adjustments.ts';
import type { Database } from '../../src/db/tables.ts';
import { findWallet, listTransactions } from '../../src/db/wallet/wallets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { movement, userWith } from '../support/wallet/wallet.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

const inTransaction = <T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T> =>
  database.db.transaction().execute(work);

const balances = async (userId: string) => {
  const { availableCents, heldCents, owedCents } = await findWallet(database.db, userId);
  return [availableCents, heldCents, owedCents];
};

describe('the life of a hold', () => {
  it('moves money from available to held, captures a part, releases the rest', async () => {
    const userId = await userWith(database.db, 5_000);
    const held = await inTransaction((trx) => hold(trx, movement(userId, 4_100)));
    expect(await balances(userId)).toEqual([900, 4_100, 0]);
    await inTransaction((trx) =>
      captureHold(trx, {
        ...held,
        amountCents: 1_600,
        operationKey: `${userId}:capture`,
        description: 'Domain',
      }),
    );
    expect(await balances(userId)).toEqual([900, 2_500, 0]);
    const released = await inTransaction((trx) =>
      releaseHold(trx, { ...held, operationKey: `${userId}:release`, description: 'Rest' }),
    );
    expect(released).toEqual({ releasedCents: 2_500 });
    expect(await balances(userId)).toEqual([3_400, 0, 0]);
    const { holdId } = held;
    const holds = await database.db
      .selectFrom('holds')
      .selectAll()
      .where('user_id', '=', userId)
      .execute();
    const cents = { amount_cents: 4_100, captured_cents: 1_600, released_cents: 2_500 };
    expect(holds).toMatchObject([{ id: holdId, reference_type: 'test', ...cents }]);
  });

  it('returns the first result and changes nothing when any step is repeated', async () => {
    const userId = await userWith(database.db, 5_000);
    const key = (step: string) => ({ operationKey: `${userId}:${step}`, description: step });
    const once = async () =>
      inTransaction(async (trx) => {
        const held = await hold(trx, movement(userId, 4_000, `${userId}:hold`));
        await captureHold(trx, { ...held, amountCents: 1_000, ...key('capture') });
        const released = await releaseHold(trx, { ...held, ...key('release') });
        await refund(trx, movement(userId, 700, `${userId}:refund`));
        const taken = await takeBack(trx, movement(userId, 9_000, `${userId}:back`));
        return { held, released, taken };
      });
    const first = await once();
    const after = await balances(userId);
    expect(await once()).toEqual(first);
    expect(await balances(userId)).toEqual(after);
    expect(first.taken).toEqual({ takenCents: 4_700, owedCents: 4_300 });
  });

  it('refuses to capture, release or refund more than there is', async () => {
    const userId = await userWith(database.db, 5_000);
    const held = await inTransaction((trx) => hold(trx, movement(userId, 1_000)));
    const more = { ...held, amountCents: 1_001, operationKey: `${userId}:x`, description: 'x' };
    await expect(inTransaction((trx) => captureHold(trx, more))).rejects.toThrow('$10.01');
    await expect(inTransaction((trx) => releaseHold(trx, more))).rejects.toThrow('$10.01');
    await expect(inTransaction((trx) => refund(trx, movement(userId, 1)))).rejects.toThrow('$0.00');
    expect(await balances(userId)).toEqual([4_000, 1_000, 0]);
  });

  it('refuses amounts that are no positive whole cents', async () => {
    const userId = await userWith(database.db, 5_000);
    for (const cents of [0, -1, 0.5, NaN, 2 ** 53]) {
      await expect(inTransaction((trx) => hold(trx, movement(userId, cents)))).rejects.toThrow(
        TypeError,
      );
    }
  });

  it('refuses a key that was used for something else', async () => {
    const userId = await userWith(database.db, 5_000);
    const used = movement(userId, 1_000);
    await inTransaction((trx) => hold(trx, used));
    await expect(inTransaction((trx) => credit(trx, used))).rejects.toThrow('operation key');
  });
});

describe('a short wallet', () => {
  it('says what is required and what is available. Spec: Errors', async () => {
    const userId = await userWith(database.db);
    await expect(inTransaction((trx) => hold(trx, movement(userId, 4_100)))).rejects.toMatchObject({
      kind: 'payment_required',
      code: 'INSUFFICIENT_BALANCE',
      message: 'Insufficient balance. Required: $41.00, Available: $0.00',
      details: [{ requiredCents: 4_100, availableCents: 0 }],
    });
  });

  it('holds exactly what is there, and not a cent more', async () => {
    const userId = await userWith(database.db, 2_500);
    await expect(inTransaction((trx) => hold(trx, movement(userId, 2_501)))).rejects.toThrow(
      'Required: $25.01, Available: $25.00',
    );
    await inTransaction((trx) => hold(trx, movement(userId, 2_500)));
    expect(await balances(userId)).toEqual([0, 2_500, 0]);
  });
});

describe('money taken back by the processor', () => {
  it('takes what is available and books the rest as owed; the next funding settles it', async () => {
    const userId = await userWith(database.db, 3_000);
    await inTransaction((trx) => hold(trx, movement(userId, 2_000)));
    const taken = await inTransaction((trx) => takeBack(trx, movement(userId, 3_000)));
    expect(taken).toEqual({ takenCents: 1_000, owedCents: 2_000 });
    expect(await balances(userId)).toEqual([0, 2_000, 2_000]);
    await expect(inTransaction((trx) => hold(trx, movement(userId, 1)))).rejects.toThrow(
      'Required: $0.01, Available: $0.00',
    );
    await inTransaction((trx) => credit(trx, movement(userId, 500)));
    expect(await balances(userId)).toEqual([0, 2_000, 1_500]);
    await inTransaction((trx) => credit(trx, movement(userId, 1_600)));
    expect(await balances(userId)).toEqual([100, 2_000, 0]);
  });

  it('settles what is owed from a release and from a refund', async () => {
    const userId = await userWith(database.db, 3_000);
    const held = await inTransaction((trx) => hold(trx, movement(userId, 3_000)));
    await inTransaction((trx) => takeBack(trx, movement(userId, 3_000)));
    const key = (step: string) => ({ operationKey: `${userId}:${step}`, description: step });
    await inTransaction((trx) => captureHold(trx, { ...held, amountCents: 1_000, ...key('a') }));
    await inTransaction((trx) => releaseHold(trx, { ...held, ...key('b') }));
    expect(await balances(userId)).toEqual([0, 0, 1_000]);
    await inTransaction((trx) => refund(trx, movement(userId, 1_000)));
    expect(await balances(userId)).toEqual([0, 0, 0]);
  });
});

describe('any sequence of operations', () => {
  const cents = fc.integer({ min: 1, max: 5_000 });
  const step = fc.record({
    kind: fc.constantFrom('credit', 'hold', 'capture', 'release', 'refund', 'takeBack'),
    cents,
    twice: fc.boolean(),
  });

  it('keeps what the client can add up, the cached balances and the ledger equal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const userId = await userWith(database.db);
        const model = { available: 0, held: 0, owed: 0, captured: 0, left: 0 };
        let last: { holdId: number } | undefined;
        for (const { kind, cents: amount, twice } of steps) {
          const made = movement(userId, amount);
          const onHold = { ...last!, operationKey: made.operationKey, description: 'Test' };
          const run = async () =>
            inTransaction(async (trx) => {
              if (kind === 'credit') await credit(trx, made);
              if (kind === 'hold') last = await hold(trx, made);
              if (kind === 'refund') await refund(trx, made);
              if (kind === 'takeBack') await takeBack(trx, made);
              if (!last) return;
              if (kind === 'capture') await captureHold(trx, { ...onHold, amountCents: amount });
              if (kind === 'release') await releaseHold(trx, { ...onHold, amountCents: amount });
            });
          const fits = advance(model, kind, amount, last !== undefined);
          for (let repeats = twice ? 2 : 1; repeats > 0; repeats -= 1) {
            const outcome = run().then(
              () => 'done',
              (error: Error) => error.message,
            );
            expect(await outcome).toMatch(fits ? 'done' : /^Insufficient balance|is more than/);
          }
        }
        expect(await balances(userId)).toEqual([model.available, model.held, model.owed]);
      }),
      { numRuns: 40 },
    );
    expect(await auditWallets(database.db)).toEqual([]);
  });

  /** The ledger's rules on plain numbers; false when the operation must be refused. */
  function advance(
    model: { available: number; held: number; owed: number; captured: number; left: number },
    kind: string,
    amount: number,
    hasHold: boolean,
  ): boolean {
    const arrive = () => {
      const settled = Math.min(model.owed, model.available + amount);
      model.available += amount - settled;
      model.owed -= settled;
    };
    if (kind === 'credit') {
      arrive();
    } else if (kind === 'hold') {
      if (model.available < amount) return false;
      model.available -= amount;
      model.held += amount;
      model.left = amount;
    } else if (kind === 'takeBack') {
      const taken = Math.min(model.available, amount);
      model.available -= taken;
      model.owed += amount - taken;
    } else if (kind === 'refund') {
      if (model.captured < amount) return false;
      model.captured -= amount;
      arrive();
    } else if (hasHold) {
      if (model.left < amount) return false;
      model.left -= amount;
      model.held -= amount;
      if (kind === 'capture') model.captured += amount;
      else arrive();
    }
    return true;
  }
});

describe('GET /wallet/transactions rows', () => {
  it('add up to the balance without hold and release, to available without capture', async () => {
    const userId = await userWith(database.db, 5_000);
    const key = (step: string) => ({ operationKey: `${userId}:${step}`, description: step });
    const held = await inTransaction((trx) => hold(trx, movement(userId, 4_000)));
    await inTransaction((trx) => captureHold(trx, { ...held, amountCents: 1_500, ...key('a') }));
    await inTransaction((trx) => takeBack(trx, movement(userId, 2_000)));
    await inTransaction((trx) => releaseHold(trx, { ...held, ...key('b') }));
    const { transactions } = await listTransactions(database.db, userId, {
      filter: {},
      limit: 100,
      offset: 0,
    });
    const rows = transactions.map((row) => [row.type, row.amount_cents, row.balance_after_cents]);
    expect(rows).toEqual([
      ['adjustment', -1_000, 1_500],
      ['release', 2_500, 2_500],
      ['adjustment', -1_000, 2_500],
      ['capture', -1_500, 3_500],
      ['hold', -4_000, 5_000],
      ['credit', 5_000, 5_000],
    ]);
  });
});

describe('what the database itself refuses', () => {
  const tables = ['ledger_entries', 'ledger_transactions', 'ledger_accounts'];
  const statements = tables.flatMap((table) => [
    `update ${table} set ${table === 'ledger_accounts' ? 'kind = kind' : 'amount_cents = 1'}`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ]);

  it.each(statements)('%s, for the application and for the owner', async (statement) => {
    await userWith(database.db, 1_000);
    for (const url of [database.url, database.ownerUrl]) {
      const client = new Client({ connectionString: url });
      await client.connect();
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      await client.end();
    }
  });

  it('a transaction whose entries do not sum to zero, or that has none', async () => {
    const userId = await userWith(database.db, 1_000);
    for (const amounts of [[], [100], [100, -99]]) {
      const work = inTransaction(async (trx) => {
        const { id } = await trx
          .insertInto('ledger_transactions')
          .values({
            user_id: userId,
            type: 'adjustment',
            amount_cents: 1,
            balance_after_cents: 1,
            reference_type: 'test',
            reference_id: '1',
            description: 'Forged',
            operation_key: `forged:${userId}:${amounts.length}`,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const accounts = await trx.selectFrom('ledger_accounts').select('id').limit(2).execute();
        const entries = amounts.map((amount_cents, i) => ({
          transaction_id: id,
          account_id: accounts[i]!.id,
          amount_cents,
        }));
        if (entries.length > 0) await trx.insertInto('ledger_entries').values(entries).execute();
      });
      await expect(work).rejects.toThrow('does not balance');
    }
  });

  it('a negative balance, however it is written', async () => {
    const userId = await userWith(database.db, 1_000);
    const write = database.db.updateTable('wallets').where('user_id', '=', userId);
    await expect(write.set({ available_cents: -1 }).execute()).rejects.toThrow('check');
    await expect(write.set({ held_cents: -1 }).execute()).rejects.toThrow('check');
  });
});

describe('auditWallets', () => {
  it('finds a cached balance and a hold that differ from the ledger', async () => {
    const other = await createTestDatabase();
    const userId = await userWith(other.db, 1_000);
    await other.db.transaction().execute((trx) => hold(trx, movement(userId, 400)));
    expect(await auditWallets(other.db)).toEqual([]);
    await sql`update wallets set available_cents = 601`.execute(other.db);
    await sql`update holds set captured_cents = 1`.execute(other.db);
    expect(await auditWallets(other.db)).toEqual([
      { check: 'wallet available', subject: userId, expected: 600, actual: 601 },
      { check: 'open holds equal the held account', subject: userId, expected: 400, actual: 399 },
    ]);
    await other.close();
  });
});
