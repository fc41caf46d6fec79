/** What registrars may charge us a day for one user, over HTTP. Choice 69. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { describeApi } from '../support/api/describe-api.ts';

/** Sells each name for $12.00. */
const registrar = {
  name: 'namecom',
  recordTypes: ['A'],
  async quote() {
    return { available: true, premium: false, priceCents: 1_200, termYears: 1 };
  },
};

const { api, database } = describeApi(() => {
  const silent = { error: () => undefined, warn: () => undefined };
  const stubs = { registrars: { namecom: registrar }, startOperation, logger: silent };
  return {
    context: stubs as unknown as Partial<Context>,
    // Two names of at most $16.00, which the user pays.
    environment: {
      DOMAIN_SPENDING_CAP_CENTS: '3200',
      DOMAIN_COST_CAP_CENTS: '1600',
      DOMAIN_DIRECT_PRICE_CENTS: '1600',
    },
  };
});
let token: string;
let userId: string;

/** Temporal is down: the order stays and answers 201 at once. */
async function startOperation(): Promise<boolean> {
  return false;
}

beforeAll(async () => {
  userId = await userWith(database.db, 20_000);
  token = await api.jwt(userId);
});

const buy = (domain: string, as = token) =>
  api.call('POST', '/v1/domains', { token: as, body: { domain } });
const names = async () =>
  (await database.db.selectFrom('domains').select('name').orderBy('id').execute()).map(
    ({ name }) => name,
  );

describe('POST /v1/domains above the cap of a day', () => {
  it('429 DOMAIN_SPENDING_LIMIT that says when there is room, and nothing is ordered', async () => {
    for (const name of ['one.com', 'two.com']) expect((await buy(name)).status).toBe(201);
    const { status, body } = await buy('three.com');
    expect([status, body.code]).toEqual([429, 'DOMAIN_SPENDING_LIMIT']);
    const [{ endsAt }] = body.details;
    expect(body.error).toContain(endsAt);
    const left = new Date(endsAt).getTime() - Date.now();
    expect(left).toBeGreaterThan(DAY_MS - 60_000);
    expect(left).toBeLessThanOrEqual(DAY_MS);
    expect(await names()).toEqual(['one.com', 'two.com']);
    const wallet = await api.call('GET', '/wallet', { token });
    expect(wallet.body.data).toMatchObject({ heldCents: 3_200, availableCents: 16_800 });
  });

  it('is each user’s own', async () => {
    const other = await userWith(database.db, 5_000);
    expect((await buy('four.com', await api.jwt(other))).status).toBe(201);
  });
});
