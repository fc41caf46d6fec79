/** What is odd about Vultr: each trap with a test that fails without its handling. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { vultr } from '../../src/providers/vps/vultr.ts';
import type { VpsProvider } from '../../src/providers/vps/port.ts';
import { startJsonServer, type JsonAnswer, type JsonServer } from '../support/tools/json-server.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { sshKeyPair, until } from '../support/mail/mail-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

const KEY = 'vultr-sandbox-key';

let sandbox: TestSandbox;
let odd: JsonServer;
let vps: VpsProvider;
beforeAll(async () => {
  [sandbox, odd] = await Promise.all([startTestSandbox({ pace: 4 }), startJsonServer()]);
  vps = adapterAt(`${sandbox.url}/vultr/v2`);
});
afterEach(() => {
  odd.calls.length = 0;
});
afterAll(async () => {
  odd?.close();
  await sandbox?.remove();
});

function adapterAt(url: string, timeoutMs = 15_000): VpsProvider {
  const state = vultr.configure({ VULTR_API_KEY: KEY, VULTR_BASE_URL: url });
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs, outboundProxy: undefined });
}

const authorization = { authorization: `Bearer ${KEY}` };
const ask = (method: string, path: string, body?: object) =>
  sandbox.ask(method, `/vultr/v2${path}`, body, authorization);
const order = (name: string, userData = '#cloud-config\nfqdn: mail.acme.com\n') => ({
  name,
  sshPublicKey: sshKeyPair().public,
  userData,
  labels: { cluster: '7', domain: 'acme.com' },
});
const lastOrder = async () => {
  const { body } = await sandbox.control('GET', '/requests?vendor=vultr');
  return body.requests.findLast(
    (one: { method: string; path: string }) =>
      one.method === 'POST' && one.path.endsWith('/instances'),
  ).body;
};
/** An instance as the vendor shows it. */
const shown = (id: string, more: object = {}) => ({
  id,
  label: 'outreach-1-1',
  status: 'active',
  power_status: 'running',
  server_status: 'ok',
  main_ip: '198.18.0.7',
  date_created: '2026-11-22T02:00:00+00:00',
  tags: ['outreach-1-1'],
  ...more,
});
const page = (instances: object[], next = '') => ({
  status: 200,
  body: { instances, meta: { total: instances.length, links: { next, prev: '' } } },
});

describe('an order', () => {
  it('sends user-data in base64, the number of Debian 12, the name as label, host and tag', async () => {
    await vps.create(order('outreach-1-1'));
    const sent = await lastOrder();
    expect(Buffer.from(sent.user_data, 'base64').toString()).toContain('fqdn: mail.acme.com');
    expect(sent).toMatchObject({ os_id: 2136, label: 'outreach-1-1', hostname: 'outreach-1-1' });
    expect(sent.tags).toEqual(['outreach-1-1', 'cluster=7', 'domain=acme.com']);
  });

  it('has no address while the vendor says 0.0.0.0', async () => {
    const made = await vps.create(order('outreach-2-1'));
    expect(made).toMatchObject({ state: 'starting', ipv4: null });
    await until(async () => (await vps.get(made.id))?.ipv4 !== null);
    await until(async () => (await vps.get(made.id))?.state === 'running');
    expect((await vps.get(made.id))?.ipv4).toMatch(/^198\.1[89]\./);
  });

  it('is found by its tag when a person has changed the label', async () => {
    const wanted = order('outreach-3-1');
    const made = await vps.create(wanted);
    await ask('PATCH', `/instances/${made.id}`, { label: 'do not touch' });
    expect((await vps.create(wanted)).id).toBe(made.id);
    expect(await vps.findByName('outreach-3-1')).toMatchObject({ name: 'outreach-3-1' });
    await vps.destroy('outreach-3-1');
    expect((await ask('GET', `/instances/${made.id}`)).status).toBe(404);
  });

  it('that was too slow in getting ready orders nothing', async () => {
    const hasty = adapterAt(`${sandbox.url}/vultr/v2`, 250);
    for (const operation of ['GET /instances', 'GET /os', 'GET /ssh-keys', 'POST /ssh-keys']) {
      const fault = { vendor: 'vultr', operation, kind: 'slow', delayMs: 170, times: 2 };
      await sandbox.control('POST', '/faults', fault);
    }
    const error = await providerError(hasty.create(order('outreach-4-1')));
    await sandbox.control('DELETE', '/faults');
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(await vps.findByName('outreach-4-1')).toBeNull();
  });
});

describe('labels are not unique', () => {
  it('of twins the older one counts', async () => {
    const younger = shown('a', { date_created: '2026-11-22T02:00:01+00:00' });
    odd.answer = () => page([younger, shown('b')]);
    expect((await adapterAt(odd.url).create(order('outreach-1-1'))).id).toBe('b');
  });

  it('all of a name are deleted', async () => {
    const body = { region: 'fra', plan: 'vc2-1c-1gb', os_id: 2136, label: 'outreach-5-1' };
    const twins = [await ask('POST', '/instances', body), await ask('POST', '/instances', body)];
    await vps.destroy('outreach-5-1');
    const left = await Promise.all(
      twins.map(({ body: { instance } }) => ask('GET', `/instances/${instance.id}`)),
    );
    expect(left.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('of a name only the one whose id is given is deleted', async () => {
    const body = { region: 'fra', plan: 'vc2-1c-1gb', os_id: 2136, label: 'outreach-6-1' };
    const twins = [await ask('POST', '/instances', body), await ask('POST', '/instances', body)];
    await vps.destroy('outreach-6-1', twins[1]!.body.instance.id);
    const left = await Promise.all(
      twins.map(({ body: { instance } }) => ask('GET', `/instances/${instance.id}`)),
    );
    expect(left.map(({ status }) => status)).toEqual([200, 404]);
    await vps.destroy('outreach-6-1');
  });

  it('a longer label that matches the filter is somebody else’s', async () => {
    odd.answer = (call) =>
      page(call.includes('label=') ? [shown('a', { label: 'outreach-1-11' })] : []);
    expect(await adapterAt(odd.url).findByName('outreach-1-1')).toBeNull();
  });
});

describe('lists', () => {
  it('are read to their last page by cursor', async () => {
    odd.answer = (call) => {
      if (!call.includes('label=')) return page([]);
      if (call.includes('cursor=bmV4dF9fNQ')) return page([shown('on-page-2')]);
      return page([shown('other', { label: 'other' })], 'bmV4dF9fNQ==');
    };
    expect(await adapterAt(odd.url).findByName('outreach-1-1')).toMatchObject({ id: 'on-page-2' });
    expect(odd.calls).toHaveLength(2);
  });
});

describe('refusals without codes', () => {
  it.each<[string, JsonAnswer, object]>([
    [
      'an address that the key does not admit',
      told(401, 'Unauthorized IP address: 192.0.2.7'),
      { kind: 'auth' },
    ],
    [
      'a limit of the account',
      told(
        400,
        'Server add failed: You have reached the maximum number of active virtual machines for this account. For security reasons, please contact our support team to have the limit raised',
      ),
      { kind: 'quota' },
    ],
    [
      'a limit behind a 403',
      told(403, 'You have reached the maximum monthly fee limit for this account.'),
      { kind: 'quota' },
    ],
    [
      'no capacity',
      told(
        400,
        'Server add failed: The selected plan is not available in the selected region: fra',
      ),
      { kind: 'quota', facts: { clientCode: 'NO_CAPACITY' } },
    ],
    [
      'a plan that is not sold',
      told(400, 'Invalid plan chosen.'),
      // The plan is a setting: the client cannot cure it.
      { kind: 'quota', facts: { clientCode: 'NO_CAPACITY' } },
    ],
    [
      'an instance that is busy',
      told(400, 'Unable to destroy instance: Server is currently locked'),
      { kind: 'unavailable' },
    ],
    ['too many calls', told(429, 'Rate limit exceeded.'), { kind: 'rate_limited' }],
    ['a text instead of JSON', { status: 400, body: 'Bad Request' }, { kind: 'rejected' }],
    ['an error of theirs', told(503, 'API unavailable'), { kind: 'unavailable' }],
  ])('%s', async (_name, answer, wanted) => {
    odd.answer = () => answer;
    const error = await providerError(adapterAt(odd.url).findByName('outreach-1-1'));
    expect(error).toMatchObject(wanted);
  });

  it('of a server that is gone mean: gone', async () => {
    odd.answer = () => told(404, 'Invalid instance ID.');
    expect(await adapterAt(odd.url).get('cb676a46')).toBeNull();
  });
});

describe('states', () => {
  it.each<[object, string]>([
    [{ status: 'pending', server_status: 'none' }, 'starting'],
    [{ server_status: 'installingbooting' }, 'starting'],
    [{ server_status: 'locked' }, 'starting'],
    [{ power_status: 'stopped' }, 'off'],
    [{ status: 'suspended' }, 'off'],
    [{}, 'running'],
  ])('%j is %s', async (states, state) => {
    odd.answer = () => ({ status: 200, body: { instance: shown('a', states) } });
    expect(await adapterAt(odd.url).get('a')).toMatchObject({ state });
  });
});

/** As the vendor writes an error. */
function told(status: number, error: string): JsonAnswer {
  return { status, body: { error, status } };
}
