/** What registrars may charge us a day for one user: counted with the order, one after the other. Choice 69. */
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

  it('that cost the user nothing are as many as the setting says', async () => {
    const userId = await userWith(database.db);
    const limits = { MAX_FREE_DOMAIN_ORDERS: 0 };
    await expect(order(userId, { isFree: true, limits })).rejects.toMatchObject(refusal);
    expect(await order(userId, { limits })).toBeGreaterThan(0);
    expect(await order(userId, { isFree: true })).toBeGreaterThan(0);
  });
});
