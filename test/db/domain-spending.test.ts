/** What registrars may charge us a day for one user: counted with the order, one after the other. Choice 69. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/day.ts';
import { insertDomain } from '../../src/db/domains/domains.ts';
import { assertWithinSpending } from '../../src/db/domains/spending.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Three names of up to $16.00. */
const LIMITS = {
  DOMAIN_SPENDING_CAP_CENTS: 4_800,
  DOMAIN_COST_CAP_CENTS: 1_600,
  DOMAIN_RENEWAL_COST_CAP_CENTS: 4_000,
};

let names = 0;
/** Orders a name, as the services do. */
const order = (userId: string, more: { isFree?: boolean; limits?: object; now?: Date } = {}) =>
  database.db.transaction().execute(async (trx) => {
    names += 1;
    const name = `spent-${names}.com`;
    const domain = await insertDomain(trx, { userId, name, provider: 'namecom' });
    const { isFree = false, now = new Date() } = more;
    await assertWithinSpending(trx, { userId, isFree, limits: { ...LIMITS, ...more.limits }, now });
    return domain!.id;
  });
const bought = (id: number, cents: number, at = new Date()) =>
  database.db
    .updateTable('domains')
    .set({ status: 'active', order_ref: 'o', cost_cents: cents, purchased_at: at, expires_at: at })
    .where('id', '=', id)
    .execute();
/** An operation that bought a name for nothing. */
const freeOrder = (userId: string, createdAt: Date) =>
  sql`insert into operations (user_id, kind, workflow_id, task_queue, resource_type, resource_id, summary,
      input, created_at)
    values (${userId}, 'buyDomain', ${`free-${(names += 1)}`}, 'q', 'domain', ${names}, 'Buy', '{}',
      ${createdAt})`.execute(database.db);
/** The moment that a refusal tells. */
const endOf = (refused: Promise<unknown>): Promise<number> =>
  refused.then(
    () => Number.NaN,
    (error: { details: [{ endsAt: string }] }) => new Date(error.details[0].endsAt).getTime(),
  );
/** One name and the rest of what a renewal may cost. */
const CAP_OF_ONE = { DOMAIN_SPENDING_CAP_CENTS: 5_000 };
const refusal = {
  kind: 'rate_limited',
  code: 'DOMAIN_SPENDING_LIMIT',
  message: expect.stringMatching(/there is room again at 20\d\d-/),
  details: [{ endsAt: expect.stringMatching(/^20\d\d-/) }],
};

describe('orders of domains within a day', () => {
  it('that may cost more than the cap are refused, with the moment when there is room', async () => {
    const userId = await userWith(database.db);
    for (let n = 0; n < 3; n += 1) await order(userId);
    await expect(order(userId)).rejects.toMatchObject(refusal);
    expect(await order(await userWith(database.db))).toBeGreaterThan(0);
  });

  it('count at their price once it is known, and no longer than a day', async () => {
    const userId = await userWith(database.db);
    await bought(await order(userId), 900);
    await bought(await order(userId), 900);
    await bought(await order(userId), 900);
    const fourth = await order(userId);
    await expect(order(userId)).rejects.toMatchObject(refusal);
    await bought(fourth, 900, new Date(Date.now() - DAY_MS - 1_000));
    expect(await order(userId)).toBeGreaterThan(0);
  });

  it('at the same time are counted one after the other', async () => {
    const userId = await userWith(database.db);
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => order(userId)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('renewals count as well, at what they may cost', async () => {
    const userId = await userWith(database.db);
    const id = await order(userId);
    await bought(id, 900);
    const renewal = { user_id: userId, domain_id: id, expires_at: new Date() };
    await database.db.insertInto('domain_renewals').values(renewal).execute();
    await expect(order(userId)).rejects.toMatchObject(refusal);
  });

  it('names that were found bought count, too, also where the registrar tells no order', async () => {
    const userId = await userWith(database.db);
    for (let n = 0; n < 3; n += 1) {
      const id = await order(userId);
      await bought(id, 0);
      const found = { order_ref: null, cost_cents: null };
      await database.db.updateTable('domains').set(found).where('id', '=', id).execute();
    }
    await expect(order(userId)).rejects.toMatchObject(refusal);
  });

  it('imports that live at a registrar of ours do not count: nobody charged us', async () => {
    const userId = await userWith(database.db);
    for (let n = 0; n < 3; n += 1) {
      const id = await order(userId);
      await bought(id, 0);
      const imported = { order_ref: null, cost_cents: null, verification_token: 'proof' };
      await database.db.updateTable('domains').set(imported).where('id', '=', id).execute();
    }
    expect(await order(userId)).toBeGreaterThan(0);
  });

  it('a renewal that took longer than a day counts until a day after it was paid', async () => {
    const userId = await userWith(database.db);
    const id = await order(userId);
    await bought(id, 900);
    const renewal = { user_id: userId, domain_id: id, expires_at: new Date() };
    await database.db.insertInto('domain_renewals').values(renewal).execute();
    const row = database.db.updateTable('domain_renewals').where('domain_id', '=', id);
    const later = new Date(Date.now() + 2 * DAY_MS);
    await expect(order(userId, { limits: CAP_OF_ONE, now: later })).rejects.toMatchObject(refusal);
    await row.set({ state: 'done', cost_cents: 4_000, updated_at: later }).execute();
    await expect(order(userId, { limits: CAP_OF_ONE, now: later })).rejects.toMatchObject(refusal);
    const dayAfter = new Date(later.getTime() + DAY_MS + 1_000);
    expect(await order(userId, { limits: CAP_OF_ONE, now: dayAfter })).toBeGreaterThan(0);
  });

  it('the moment when there is room is never over, however long an order is under way', async () => {
    const userId = await userWith(database.db);
    for (let n = 0; n < 3; n += 1) await order(userId);
    const now = new Date(Date.now() + 5 * DAY_MS);
    expect(await endOf(order(userId, { now }))).toBe(now.getTime() + DAY_MS);
  });

  it('the moment when there is room is when enough orders have passed, not the first of them', async () => {
    const userId = await userWith(database.db);
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await bought(await order(userId), 50, ago(20));
    await bought(await order(userId), 1_650, ago(10));
    await bought(await order(userId), 1_650, ago(5));
    const ends = await endOf(order(userId));
    expect(Math.abs(ends - (ago(10).getTime() + DAY_MS))).toBeLessThan(60_000);
  });

  it('the same holds for orders that cost the user nothing', async () => {
    const userId = await userWith(database.db);
    const now = Date.now();
    const hoursAgo = [20, 15, 10, 5];
    for (const hours of hoursAgo) await freeOrder(userId, new Date(now - hours * 3_600_000));
    const limits = { MAX_FREE_DOMAIN_ORDERS: 2 };
    const ends = await endOf(order(userId, { isFree: true, limits }));
    expect(Math.abs(ends - (now - 10 * 3_600_000 + DAY_MS))).toBeLessThan(1_000);
  });

  it('that cost the user nothing are as many as the setting says', async () => {
    const userId = await userWith(database.db);
    const limits = { MAX_FREE_DOMAIN_ORDERS: 0 };
    await expect(order(userId, { isFree: true, limits })).rejects.toMatchObject(refusal);
    expect(await order(userId, { limits })).toBeGreaterThan(0);
    expect(await order(userId, { isFree: true })).toBeGreaterThan(0);
  });
});
