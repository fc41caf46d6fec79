/** A domain bought at the second registrar, from the request to the vendor's books. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

let world: ProvisioningWorld;
let api: TestApi;
let token: string;
beforeAll(async () => {
  // A lost answer is waited for as long.
  world = await startProvisioningWorld({ environment: { PROVIDER_TIMEOUT_SECONDS: '4' } });
  api = await startTestApi({ database: world.database, context: world.context });
  token = await api.jwt();
});
afterAll(async () => {
  await api?.close();
  await world?.close();
});

const post = (path: string, body: object) => api.call('POST', path, { token, body });
const books = async () => (await world.sandbox.control('GET', '/books')).body.registrars;

describe('POST /v1/domains with the provider porkbun', () => {
  it('buys there and nowhere else, and its records are kept there', async () => {
    const order = { domain: 'second-registrar.com', provider: 'porkbun' };
    const { status, body } = await post('/v1/domains', order);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ status: 'active', provider: 'porkbun' });
    const { namecom, porkbun } = await books();
    expect(porkbun.orders).toMatchObject([{ domain: order.domain, kind: 'register' }]);
    expect(namecom.orders).toEqual([]);
    const record = { type: 'TXT', name: '@', value: 'v=spf1 -all' };
    const added = await post(`/v1/domains/${body.data.id}/dns`, record);
    expect(added.body.data).toMatchObject({ ...record, ttl: 600 });
    expect((await books()).porkbun.records).toContainEqual(expect.objectContaining(record));
  });

  it('buys once where the answer never comes', async () => {
    const order = { domain: 'lost-answer-second.com', provider: 'porkbun' };
    const { body } = await post('/v1/domains', order);
    const { id } = body.data;
    await expect
      .poll(
        async () => (await api.call('GET', `/v1/domains/${id}`, { token })).body.data.isActive,
        { timeout: 40_000, interval: 200 },
      )
      .toBe(true);
    const { orders } = (await books()).porkbun as { orders: { domain: string }[] };
    expect(orders.filter(({ domain }) => domain === order.domain)).toHaveLength(1);
  });

  it.each([
    ['taken-second.com', 'porkbun', 'DOMAIN_UNAVAILABLE'],
    ['second.com', 'nobody', 'VALIDATION_ERROR'],
  ])('of %s at %s is %s', async (domain, provider, code) => {
    const { status, body } = await post('/v1/domains', { domain, provider });
    expect([status, body.code]).toEqual([400, code]);
  });
});
