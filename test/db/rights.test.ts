/** What the application's role may not do, because nothing of ours does it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Rows that account for money, or for what people did about it. */
const KEPT = [
  'wallets',
  'holds',
  'checkouts',
  'payment_events',
  'payment_reversals',
  'payment_refunds',
  'payment_disputes',
  'wallet_recharges',
  'operation_events',
];

describe('the application', () => {
  it.each(KEPT)('deletes nothing from %s', async (table) => {
    const work = sql`delete from ${sql.table(table)}`.execute(database.db);
    await expect(work).rejects.toMatchObject({ code: '42501' });
  });
});
