/** The Hetzner stand-in answers as the vendor does, checked against the vendor's own file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  sshKeyPair,
  startMailWorld,
  until,
  type Answer,
  type MailWorld,
} from '../support/mail/mail-world.ts';
import { HETZNER_DEVIATIONS } from '../support/vendors/hetzner-deviations.ts';
import { loadProviderSpec, specMissing } from '../support/vendors/provider-spec.ts';
import { LOST_AFTER_MS } from '../support/vendors/sandbox.ts';

const spec = loadProviderSpec('hetzner-cloud.json', HETZNER_DEVIATIONS);
const missing = specMissing('hetzner-cloud.json');

/** Undefined where the file is missing: the first test says so. */
const NO_PROBLEMS = spec === undefined ? undefined : [];

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
});
afterAll(() => world.close());

/** Every call of this file is checked against the vendor's file, where that is there. */
const call = (method: string, path: string, body?: object) => callIn(world, method, { path, body });

async function callIn(
  { hetzner }: MailWorld,
  method: string,
  { path, body }: { path: string; body?: object | undefined },
): Promise<Answer> {
  const answer = await hetzner(method, path, body);
  // A refused call may be wrong on purpose.
  const accepted = answer.status < 400;
  const wrong = accepted ? spec?.validateRequest(method, path, body) : NO_PROBLEMS;
  expect(wrong).toEqual(NO_PROBLEMS);
  const problems = spec?.validateResponse(method, path, answer.status, answer.body);
  expect(problems).toEqual(NO_PROBLEMS);
  return answer;
}

const order = (name: string, more: object = {}) => ({
  name,
  server_type: 'cx23',
  image: 'debian-12',
  location: 'nbg1',
  ...more,
});
const publicKey = () => sshKeyPair().public;
const codeOf = ({ body }: Answer): string => body.error.code;

describe('the Hetzner stand-in', () => {
  it.skipIf(missing)(`has the vendor's file to be checked against (${missing ?? 'found'})`, () => {
    expect(spec).toBeDefined();
  });

  it('401 without the token', async () => {
    const { url } = world.sandbox();
    const answer = await fetch(`${url}/hetzner/v1/servers`);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      error: { code: 'unauthorized', message: 'unable to authenticate', details: null },
    });
  });

  it('201 for an order: the server, its actions, and a password only without SSH keys', async () => {
    const key = await call('POST', '/ssh_keys', { name: 'mine', public_key: publicKey() });
    expect(key.status).toBe(201);
    const keyed = await call('POST', '/servers', order('keyed', { ssh_keys: ['mine'] }));
    expect(keyed).toMatchObject({
      status: 201,
      body: {
        server: { name: 'keyed' },
        action: { command: 'create_server' },
        next_actions: [{ command: 'start_server' }],
        root_password: null,
      },
    });
    expect(keyed.body.server.public_net.ipv4.ip).toMatch(/^198\.1[89]\./);
    const open = await call('POST', '/servers', order('open'));
    expect(open.body.root_password).toEqual(expect.any(String));
    const path = `/actions/${keyed.body.action.id}`;
    await until(async () => (await call('GET', path)).body.action.status === 'success');
    await call('GET', `/actions?id=${keyed.body.action.id}&id=${open.body.action.id}`);
  });

  it('409 for a name that is taken, which then is found by name', async () => {
    const { body } = await call(
      'POST',
      '/servers',
      order('unique', { labels: { domain: 'a.com' } }),
    );
    const again = await call('POST', '/servers', order('unique'));
    expect([again.status, codeOf(again)]).toEqual([409, 'uniqueness_error']);
    const found = await call('GET', '/servers?name=unique');
    expect(found.body.servers.map((each: { id: number }) => each.id)).toEqual([body.server.id]);
    const labelled = await call('GET', '/servers?label_selector=domain%3Da.com');
    expect(labelled.body.meta.pagination.total_entries).toBe(1);
    expect((await call('GET', '/servers?name=nobody')).body.servers).toEqual([]);
  });

  it('409 for the same SSH key or name, found by fingerprint and by name', async () => {
    const public_key = publicKey();
    const { body } = await call('POST', '/ssh_keys', { name: 'first', public_key });
    const sameKey = await call('POST', '/ssh_keys', { name: 'second', public_key });
    const sameName = await call('POST', '/ssh_keys', { name: 'first', public_key: publicKey() });
    expect([sameKey, sameName].map(codeOf)).toEqual(['uniqueness_error', 'uniqueness_error']);
    const { fingerprint, id } = body.ssh_key;
    for (const query of [`fingerprint=${fingerprint}`, 'name=first']) {
      const { body: found } = await call('GET', `/ssh_keys?${query}`);
      expect(found.ssh_keys.map((each: { id: number }) => each.id)).toEqual([id]);
    }
    expect((await call('DELETE', `/ssh_keys/${id}`)).status).toBe(204);
    expect((await call('GET', `/ssh_keys/${id}`)).status).toBe(404);
  });

  it('422 for an order that makes no sense', async () => {
    for (const wrong of [
      order('not a host name'),
      order('x1', { server_type: 'huge' }),
      order('x2', { image: 'windows' }),
      order('x3', { user_data: 'x'.repeat(32 * 1024 + 1) }),
    ]) {
      const answer = await call('POST', '/servers', wrong);
      expect([answer.status, codeOf(answer)]).toEqual([422, 'invalid_input']);
    }
  });

  it('412 without capacity, by name or by the control API, until that says otherwise', async () => {
    const magic = order('magic', { labels: { domain: 'no-capacity-1.com' } });
    const refused = await call('POST', '/servers', magic);
    expect([refused.status, codeOf(refused)]).toEqual([412, 'resource_unavailable']);
    await world.control('PUT', '/capacity', { available: false });
    expect((await call('POST', '/servers', order('plain'))).status).toBe(412);
    await world.control('PUT', '/capacity', { available: true });
    expect((await call('POST', '/servers', magic)).status).toBe(201);
    await world.control('DELETE', '/capacity');
  });

  it('201 for a PTR record, which the world then sees', async () => {
    const { body } = await call('POST', '/servers', order('named'));
    const { id, public_net } = body.server;
    const path = `/servers/${id}/actions/change_dns_ptr`;
    const { ip } = public_net.ipv4;
    const answer = await call('POST', path, { ip, dns_ptr: 'mail.named.com' });
    expect(answer.status).toBe(201);
    const reverse = `${ip.split('.').toReversed().join('.')}.in-addr.arpa`;
    const { body: dns } = await world.control('GET', `/dns?name=${reverse}&type=PTR`);
    expect(dns.records.map((each: { value: string }) => each.value)).toEqual(['mail.named.com']);
    const wrong = await call('POST', path, { ip: '203.0.113.1', dns_ptr: 'x.com' });
    expect(wrong.status).toBe(422);
  });

  it.each([
    ['cx22', 'nbg1', 422, 'invalid_input'],
    ['cpx11', 'nbg1', 422, 'invalid_input'],
    ['cx23', 'ash', 422, 'invalid_input'],
    ['cx33', 'hel1', 412, 'resource_unavailable'],
  ])('sells no %s in %s', async (server_type, location, status, code) => {
    const answer = await call('POST', '/servers', order('unsold', { server_type, location }));
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('pages lists and tells the rate limit', async () => {
    const first = await call('GET', '/servers?page=1&per_page=2');
    expect(first.body.servers).toHaveLength(2);
    expect(first.body.meta.pagination).toMatchObject({ next_page: 2, previous_page: null });
    expect(first.headers.get('ratelimit-limit')).toBe('3600');
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeLessThan(3600);
  });

  it('lists what can be ordered and what it costs', async () => {
    for (const path of ['/server_types', '/locations', '/images', '/pricing']) {
      expect((await call('GET', path)).status).toBe(200);
    }
    expect((await call('GET', '/images?name=debian-12')).body.images).toHaveLength(1);
  });

  it('does the work of a lost answer once', async () => {
    const { url } = world.sandbox();
    const body = JSON.stringify(order('lost', { labels: { domain: 'lost-answer-1.com' } }));
    const headers = {
      authorization: 'Bearer hetzner-sandbox-token',
      'content-type': 'application/json',
    };
    const signal = AbortSignal.timeout(LOST_AFTER_MS);
    const lost = fetch(`${url}/hetzner/v1/servers`, { method: 'POST', headers, body, signal });
    await expect(lost).rejects.toThrow(/timeout/i);
    expect((await call('GET', '/servers?name=lost')).body.servers).toHaveLength(1);
    expect((await call('POST', '/servers', JSON.parse(body) as object)).status).toBe(409);
  });

  it('refuses in its own words when a fault says so', async () => {
    await world.control('POST', '/faults', {
      vendor: 'hetzner',
      operation: 'POST /servers',
      kind: 'rate_limited',
      times: 1,
    });
    const answer = await call('POST', '/servers', order('hurried'));
    expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limit_exceeded']);
    expect((await call('POST', '/servers', order('hurried'))).status).toBe(201);
  });
});

describe('a server that is being made or deleted', () => {
  let slow: MailWorld;
  beforeAll(async () => {
    // An action lasts 200 ms by the vendor's clock: two seconds here, so that a busy machine still sees it going.
    slow = await startMailWorld({ pace: 0.1 });
  });
  afterAll(() => slow?.close());

  it('is shown so and keeps its name; then it is 404, and the name is free again', async () => {
    const ask = (method: string, path: string, body?: object) =>
      callIn(slow, method, { path, body });
    const { body } = await ask('POST', '/servers', order('brief'));
    expect([body.server.status, body.action.status]).toEqual(['initializing', 'running']);
    const path = `/servers/${body.server.id}`;
    expect((await ask('GET', path)).status).toBe(200);
    expect((await ask('DELETE', path)).body.action.command).toBe('delete_server');
    expect((await ask('GET', path)).body.server.status).toBe('deleting');
    const early = await ask('POST', '/servers', order('brief'));
    expect([early.status, codeOf(early)]).toEqual([409, 'uniqueness_error']);
    await until(async () => (await ask('GET', path)).status === 404);
    expect((await ask('DELETE', path)).status).toBe(404);
    expect((await ask('POST', '/servers', order('brief'))).status).toBe(201);
  });
});
