/** Misbehaviour on demand: each kind of fault, its aim, and the names that need no control API. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { operationMatches, type Fault, type Faults } from '../../src/sandbox/faults.ts';
import { magicOf } from '../../src/sandbox/magic-names.ts';
import { mishapAt } from '../../src/sandbox/servers/protocol-faults.ts';
import { LOST_AFTER_MS, startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.remove());

const buy = (domainName: string, headers = {}) =>
  sandbox.namecom('POST', '/domains', { domain: { domainName } }, headers);
const look = (domainName: string) => sandbox.namecom('GET', `/domains/${domainName}`);
const fault = (kind: string, more = {}) =>
  sandbox.control('POST', '/faults', { vendor: 'namecom', kind, ...more });
const ownedNames = async (): Promise<string[]> => {
  const { body } = await sandbox.control('GET', '/books');
  return body.registrars.namecom.domains.map(({ domain }: { domain: string }) => domain);
};
/** A call that gets no answer is given up. */
const givenUp = (domainName: string): Promise<string> =>
  fetch(`${sandbox.url}/namecom/core/v1/domains`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa('sandbox-test:namecom-sandbox-token')}`,
    },
    body: JSON.stringify({ domain: { domainName } }),
    signal: AbortSignal.timeout(LOST_AFTER_MS),
  }).then(
    (response) => `answered ${response.status}`,
    (error: Error) => error.name,
  );

describe('a fault', () => {
  it('timeout_before_effect: no answer, nothing bought', async () => {
    await fault('timeout_before_effect', { operation: 'POST /domains', times: 1 });
    expect(await givenUp('before.com')).toBe('TimeoutError');
    expect(await ownedNames()).not.toContain('before.com');
    expect((await buy('before.com')).status).toBe(200);
  });

  it('timeout_after_effect: no answer, but bought', async () => {
    // Without an operation it waits for a call that has an effect.
    await fault('timeout_after_effect', { times: 1 });
    expect((await look('after.com')).status).toBe(404);
    expect(await givenUp('after.com')).toBe('TimeoutError');
    expect(await ownedNames()).toContain('after.com');
  });

  it('reset: the connection breaks, nothing is done', async () => {
    await fault('reset', { times: 1 });
    expect(await givenUp('reset.com')).toBe('TypeError');
    expect(await ownedNames()).not.toContain('reset.com');
  });

  it.each([
    ['error_500', 500],
    ['rate_limited', 429],
    ['rejected', 400],
    ['auth', 401],
  ])('%s: answered %i, nothing is done', async (kind, status) => {
    await fault(kind, { times: 1 });
    const reply = await buy(`${kind.replace('_', '-')}.com`);
    expect(reply.status).toBe(status);
    expect(reply.headers.has('x-ratelimit-reset')).toBe(status === 429);
    expect((await look(`${kind.replace('_', '-')}.com`)).status).toBe(404);
  });

  it('slow: the answer takes as long as asked', async () => {
    await fault('slow', { times: 1, delayMs: 200 });
    const began = performance.now();
    expect((await sandbox.namecom('GET', '/hello')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  it('slow: the answer comes once the fault is taken away, and no other fault is', async () => {
    const other = await fault('error_500', { operation: 'POST /domains' });
    const slow = await fault('slow', { operation: 'GET /hello', delayMs: 60_000 });
    const began = performance.now();
    let isAnswered = false;
    const answer = sandbox.namecom('GET', '/hello').then((reply) => {
      isAnswered = true;
      return reply.status;
    });
    await sleep(300);
    expect(isAnswered).toBe(false);
    const left = await sandbox.control('DELETE', `/faults/${slow.body.id}`);
    expect(left.body.faults.map(({ id }: { id: string }) => id)).toEqual([other.body.id]);
    expect(await answer).toBe(200);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect((await sandbox.control('DELETE', `/faults/${slow.body.id}`)).status).toBe(200);
  });

  it('slow: a step of SSH or a mail server goes on once the fault is taken away, too', async () => {
    const slow = { id: '1', vendor: 'ssh', kind: 'slow', delayMs: 600_000 } as unknown as Fault;
    let set = [slow];
    const faults = { take: () => slow, list: () => set } as Partial<Faults> as Faults;
    const pause = (ms: number) => sleep(ms);
    const { signal: closing } = new AbortController();
    const step = mishapAt({ faults, pause, wait: pause, closing }, 'ssh', 'EXEC /install');
    set = [];
    expect(await step).toBeUndefined();
  });

  it('lag: the effect is in the books at once, and seen by calls and DNS later', async () => {
    await buy('lag.com');
    const clock = takeClock();
    clock.stop();
    await fault('lag', { operation: 'POST /domains/{domainName}/records', delayMs: 3_000 });
    const record = { host: 'mail', type: 'A', answer: '198.18.0.9', ttl: 300 };
    expect((await sandbox.namecom('POST', '/domains/lag.com/records', record)).status).toBe(200);
    const seen = async () => {
      const { body } = await sandbox.namecom('GET', '/domains/lag.com/records');
      const dns = await sandbox.control('GET', '/dns?name=mail.lag.com');
      return [body.totalCount, dns.body.records.length];
    };
    expect(await seen()).toEqual([0, 0]);
    const { body } = await sandbox.control('GET', '/books');
    expect(body.registrars.namecom.records).toContainEqual(
      expect.objectContaining({ domain: 'lag.com', value: '198.18.0.9' }),
    );
    clock.pass(3_000);
    expect(await seen()).toEqual([1, 1]);
  });

  it('holds until cleared without times, and survives a restart', async () => {
    await fault('error_500');
    for (const _ of [1, 2, 3]) expect((await look('x.com')).status).toBe(500);
    sandbox = await sandbox.restart();
    expect((await look('x.com')).status).toBe(500);
    await sandbox.control('DELETE', '/faults');
    expect((await look('x.com')).status).toBe(404);
  });

  it('with a probability hits the same calls again for the same seed', async () => {
    const draw = async () => {
      await fault('error_500', { probability: 0.5, seed: 7 });
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1) statuses.push((await look('x.com')).status);
      await sandbox.control('DELETE', '/faults');
      return statuses;
    };
    const first = await draw();
    expect(new Set(first)).toEqual(new Set([404, 500]));
    expect(await draw()).toEqual(first);
  });
});

describe('the operation of a fault', () => {
  it.each([
    ['POST /domains', 'POST /core/v1/domains', true],
    ['POST /core/v1/domains', 'POST /core/v1/domains', true],
    ['POST /domains', 'GET /core/v1/domains', false],
    ['POST /domains', 'POST /core/v1/domains:checkAvailability', false],
    ['POST /domains', 'POST /core/v1/domains/a.com/records', false],
    ['POST /domains/*', 'POST /core/v1/domains/a.com/records', true],
    ['GET /domains/{domainName}', 'GET /core/v1/domains/a.com', true],
    ['GET /domains/:domain', 'GET /core/v1/domains/a.com?x=1', true],
    ['GET /domains/{domainName}', 'GET /core/v1/domains/a.com:getPricing', false],
    ['GET /domains/{}:getPricing', 'GET /core/v1/domains/a.com:getPricing', true],
    [
      'POST /servers/{id}/actions/change_dns_ptr',
      'POST /v1/servers/7/actions/change_dns_ptr',
      true,
    ],
    ['POST /v1/checkout/sessions', 'POST /v1/checkout/sessions', true],
    ['/servers', 'DELETE /v1/servers', true],
    ['DELETE', 'DELETE /v1/servers/1', true],
  ])('%s and %s: %s', (pattern, operation, expected) => {
    expect(operationMatches(pattern, operation)).toBe(expected);
  });
});

describe('magic domain names', () => {
  it('are known by their first label, under any host name of the domain', () => {
    expect(magicOf('taken-1.com')).toBe('taken');
    expect(magicOf('mail.no-capacity-x.com')).toBe('no-capacity');
    expect(magicOf('untaken-1.com')).toBeUndefined();
  });

  it('taken-*: is never for sale', async () => {
    const { body } = await sandbox.namecom('POST', '/domains:checkAvailability', {
      domainNames: ['taken-1.com'],
    });
    expect(body.results).toEqual([expect.objectContaining({ purchasable: false })]);
    expect((await buy('taken-1.com')).status).toBe(400);
  });

  it('premium-*: costs more than we charge', async () => {
    const { body } = await sandbox.namecom('GET', '/domains/premium-1.com:getPricing');
    expect(body).toMatchObject({ premium: true });
    expect(body.purchasePrice).toBeGreaterThan(16);
    const { body: refused } = await buy('premium-1.com');
    expect(refused.message).toContain('Purchase price is required for premium domains');
  });

  it('flaky-*: every second call fails, over a restart as well', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      statuses.push((await look('flaky-1.com')).status);
      if (i === 2) sandbox = await sandbox.restart();
    }
    expect(statuses).toEqual([500, 404, 500, 404]);
  });

  it('slow-*: each call takes two seconds of the world', async () => {
    const began = performance.now();
    await look('slow-1.com');
    expect(performance.now() - began).toBeGreaterThan(95);
  });

  it('lost-answer-*: is bought, the first answer never comes, looking it up works', async () => {
    expect(await givenUp('lost-answer-1.com')).toBe('TimeoutError');
    expect((await look('lost-answer-1.com')).status).toBe(200);
    expect((await buy('lost-answer-1.com')).body.details).toBe('Domain is not available');
    const { body } = await sandbox.control('GET', '/books');
    const orders = body.registrars.namecom.orders as { domain: string }[];
    expect(orders.filter(({ domain }) => domain === 'lost-answer-1.com')).toHaveLength(1);
  });
});
