/** The Name.com stand-in as a registrar: it sells once, replays, refunds and keeps books. */
import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSandbox, STRICT_PACE, type TestSandbox } from '../support/vendors/sandbox.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
});
afterAll(() => sandbox.remove());

const buy = (domainName: string, key?: string) =>
  sandbox.namecom(
    'POST',
    '/domains',
    { domain: { domainName } },
    key === undefined ? {} : { 'X-Idempotency-Key': key },
  );

describe('a purchase', () => {
  it('is in the books with its cents, and the name is not for sale any more', async () => {
    const { body } = await buy('sold.com');
    expect(body).toMatchObject({ totalPaid: 12.99, domain: { domainName: 'sold.com' } });
    const books = (await sandbox.control('GET', '/books')).body.registrars.namecom;
    expect(books.orders).toContainEqual(
      expect.objectContaining({ domain: 'sold.com', kind: 'register', amountCents: 1299 }),
    );
    const check = await sandbox.namecom('POST', '/domains:checkAvailability', {
      domainNames: ['sold.com'],
    });
    expect(check.body.results[0].purchasable).toBe(false);
    expect((await buy('sold.com')).status).toBe(400);
  });

  it('is replayed for the same idempotency key, over a restart as well', async () => {
    const first = await buy('twice.com', 'key-1');
    sandbox = await sandbox.restart();
    const second = await buy('twice.com', 'key-1');
    expect(second.headers.get('x-idempotent-replay')).toBe('1');
    expect(second.body).toEqual(first.body);
    expect((await buy('other.com', 'key-1')).status).toBe(409);
  });

  it('that the registry carries out late is in the orders alone, and the name still for sale', async () => {
    const late = { vendor: 'namecom', operation: 'POST /domains', kind: 'lag', delayMs: 1_500 };
    await sandbox.control('POST', '/faults', { ...late, times: 1 });
    const clock = takeClock();
    clock.stop();
    const domainNames = ['late.com'];
    const seen = async () => {
      const [owned, check, { body }] = await Promise.all([
        sandbox.namecom('GET', '/domains/late.com'),
        sandbox.namecom('POST', '/domains:checkAvailability', { domainNames }),
        sandbox.namecom('GET', '/orders?domainName=late.com'),
      ]);
      const statuses = body.orders.map(({ status }: { status: string }) => status);
      return [owned.status, check.body.results[0].purchasable, statuses];
    };
    await buy('late.com');
    expect(await seen()).toEqual([404, true, ['started']]);
    // Whoever asks once more pays once more.
    expect((await buy('late.com')).status).toBe(200);
    clock.pass(1_500);
    expect(await seen()).toEqual([200, false, ['success', 'success']]);
  });

  it('is taken back within the grace period: money and domain', async () => {
    const { body } = await buy('refund.com');
    const order = await sandbox.namecom('GET', `/orders/${body.order}`);
    const [item] = order.body.orderItems;
    expect(item.isRefundable).toBe(true);
    const refund = { orderId: body.order, orderItemIds: [item.id] };
    const refunded = await sandbox.namecom('POST', '/refund', refund);
    expect(refunded.body.totalRefundAmount).toBe(12.99);
    expect((await sandbox.namecom('GET', '/domains/refund.com')).status).toBe(404);
    expect((await sandbox.namecom('POST', '/refund', refund)).status).toBe(400);
  });
});

describe('the wire', () => {
  it('401 for a wrong token, 415 for anything but JSON, 400 for broken JSON', async () => {
    const { namecom } = sandbox;
    const wrong = { authorization: `Basic ${btoa('sandbox-test:wrong')}` };
    expect((await namecom('GET', '/hello', undefined, wrong)).status).toBe(401);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await namecom('POST', '/domains', 'a=b', form)).status).toBe(415);
    expect((await namecom('POST', '/domains', '{"domain":')).status).toBe(400);
  });

  it('429 with the time of reset above 20 calls a second', async () => {
    const strict = await startTestSandbox({ limitPace: STRICT_PACE });
    const replies = await Promise.all(
      Array.from({ length: 25 }, () => strict.namecom('GET', '/hello')),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]!.headers.get('x-ratelimit-reset'))).toBeGreaterThan(
      Date.now() / 1e3 - 5,
    );
    await strict.remove();
  });

  it('pages records, shows the apex as null, and never logs the token', async () => {
    const { namecom } = sandbox;
    await buy('paged.com');
    for (const answer of ['a', 'b', 'c']) {
      await namecom('POST', '/domains/paged.com/records', { host: '', type: 'TXT', answer });
    }
    const first = await namecom('GET', '/domains/paged.com/records?perPage=2');
    expect(first.body).toMatchObject({ totalCount: 3, nextPage: 2, lastPage: 2, from: 1, to: 2 });
    expect(first.body.records[0].host).toBeNull();
    const last = await namecom('GET', '/domains/paged.com/records?perPage=2&page=2');
    expect(last.body).not.toHaveProperty('nextPage');
    const log = await sandbox.control('GET', '/requests?vendor=namecom');
    expect(log.body.requests.at(-1)).toMatchObject({
      path: '/core/v1/domains/paged.com/records?perPage=2&page=2',
      headers: { authorization: '***' },
    });
  });

  it('holds no CAA records', async () => {
    const { namecom } = sandbox;
    await buy('authority.com');
    const body = { host: 'mail', type: 'CAA', answer: '0 issue "letsencrypt.org"' };
    const { status } = await namecom('POST', '/domains/authority.com/records', body);
    expect(status).toBeGreaterThanOrEqual(400);
    const { body: listed } = await namecom('GET', '/domains/authority.com/records');
    expect(listed).toMatchObject({ totalCount: 0 });
  });

  it('refuses a TXT string of more than 255 bytes, as DNS does', async () => {
    const { namecom } = sandbox;
    await buy('bytes.com');
    const statusOf = async (answer: string) => {
      const body = { host: '', type: 'TXT', answer };
      return (await namecom('POST', '/domains/bytes.com/records', body)).status;
    };
    const long = 'é'.repeat(128);
    expect(await statusOf(long)).toBeGreaterThanOrEqual(400);
    expect(await statusOf(`"v=x" "${long}"`)).toBeGreaterThanOrEqual(400);
    expect(await statusOf(`"${'é'.repeat(127)}" "é"`)).toBe(200);
  });

  it('answers for a domain with its name servers from the purchase on, and with those set later', async () => {
    const { namecom } = sandbox;
    await buy('delegated.com');
    const resolver = new Resolver();
    resolver.setServers([sandbox.dns]);
    const bought = await resolver.resolveNs('delegated.com');
    expect(bought).toEqual(expect.arrayContaining(['ns1.name.com', 'ns4.name.com']));
    const nameservers = ['ns1.elsewhere.test'];
    await namecom('POST', '/domains/delegated.com:setNameservers', { nameservers });
    expect(await resolver.resolveNs('delegated.com')).toEqual(nameservers);
  });
});
