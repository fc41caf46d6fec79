/** The Vultr stand-in as a landlord: labels that repeat, base64, pages and passwords told once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VULTR_API_KEY } from '../../src/sandbox/vultr/wire.ts';
import { startTestSandbox, type Reply, type TestSandbox } from '../support/vendors/sandbox.ts';

const ORDER = {
  region: 'fra',
  plan: 'vc2-1c-1gb',
  os_id: 2136,
  label: 'outreach-1-1',
  tags: ['outreach-1-1', 'domain=acme.com'],
  user_data: Buffer.from('#cloud-config').toString('base64'),
};

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 500 });
});
afterAll(() => sandbox.remove());

const ask = (method: string, path: string, body?: object, key = VULTR_API_KEY): Promise<Reply> =>
  sandbox.ask(method, `/vultr/v2${path}`, body, { authorization: `Bearer ${key}` });
const rent = async (change: object = {}): Promise<Reply['body']> =>
  (await ask('POST', '/instances', { ...ORDER, ...change })).body.instance;

describe('an order', () => {
  it('tells its password once, and comes up with an address', async () => {
    const { id, default_password } = await rent();
    expect(default_password).toMatch(/^[\w-]{16}$/);
    const look = async () => (await ask('GET', `/instances/${id}`)).body.instance;
    while ((await look()).status !== 'active') await sleep(10);
    const seen = await look();
    expect(seen.main_ip).toMatch(/^198\.1[89]\./);
    expect(seen.default_password ?? '').toBe('');
  });

  it('makes a second server where its label is there already', async () => {
    const [one, two] = [await rent({ label: 'again' }), await rent({ label: 'again' })];
    const { body } = await ask('GET', '/instances?label=again');
    expect(new Set(body.instances.map(({ id }: { id: string }) => id))).toEqual(
      new Set([one.id, two.id]),
    );
  });

  it.each([
    ['user data that is not base64', { user_data: '#cloud-config' }],
    ['an unknown plan', { plan: 'none' }],
    ['a key that is not there', { sshkey_id: ['cb676a46-66fd-4dfb-b839-443f2e6c0b60'] }],
  ])('with %s is refused, and nothing is made', async (_, change) => {
    const { status, body } = await ask('POST', '/instances', {
      ...ORDER,
      label: 'refused',
      ...change,
    });
    expect([status, typeof body.error]).toEqual([400, 'string']);
    expect((await ask('GET', '/instances?label=refused')).body.instances).toEqual([]);
  });

  it('of a stranger is refused', async () => {
    const { status, body } = await ask('POST', '/instances', ORDER, 'wrong');
    expect([status, body.error]).toEqual([401, 'Invalid API token.']);
  });
});

describe('a server', () => {
  it('is listed page by page, by a cursor', async () => {
    for (const n of [1, 2, 3]) await rent({ label: 'paged', tags: [`n${n}`] });
    const path = '/instances?label=paged&per_page=2';
    const first = (await ask('GET', path)).body;
    const rest = (await ask('GET', `${path}&cursor=${first.meta.links.next}`)).body;
    expect([first.instances.length, rest.instances.length, first.meta.total]).toEqual([2, 1, 3]);
    expect(rest.meta.links.next).toBe('');
  });

  it('is gone at once when it is deleted, and a second time not found', async () => {
    const { id } = await rent({ label: 'gone' });
    expect((await ask('DELETE', `/instances/${id}`)).status).toBe(204);
    expect((await ask('DELETE', `/instances/${id}`)).status).toBe(404);
    expect((await ask('GET', `/instances/${id}`)).status).toBe(404);
  });

  it('gets a name in reverse DNS for its own address alone', async () => {
    const { id } = await rent({ label: 'named' });
    const wrong = { ip: '203.0.113.9', reverse: 'mail.acme.com' };
    expect((await ask('POST', `/instances/${id}/ipv4/reverse`, wrong)).status).toBe(400);
  });

  it('survives a restart of the world', async () => {
    const { id } = await rent({ label: 'kept' });
    sandbox = await sandbox.restart();
    expect((await ask('GET', `/instances/${id}`)).body.instance.label).toBe('kept');
  });
});
