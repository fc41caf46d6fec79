/** Firewalls of the Hetzner stand-in: they drop what no rule lets in, and answer as the vendor's file says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailWorld, until, type Answer, type MailWorld } from '../support/mail/mail-world.ts';
import { HETZNER_DEVIATIONS } from '../support/vendors/hetzner-deviations.ts';
import { loadProviderSpec } from '../support/vendors/provider-spec.ts';

const spec = loadProviderSpec('hetzner-cloud.json', HETZNER_DEVIATIONS);
/** Undefined where the vendor's file is missing. */
const NO_PROBLEMS = spec === undefined ? undefined : [];

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
});
afterAll(() => world.close());

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await world.hetzner(method, path, body);
  const wrong = answer.status < 400 ? spec?.validateRequest(method, path, body) : NO_PROBLEMS;
  expect(wrong).toEqual(NO_PROBLEMS);
  expect(spec?.validateResponse(method, path, answer.status, answer.body)).toEqual(NO_PROBLEMS);
  return answer;
}

const order = (name: string, more: object = {}) =>
  call('POST', '/servers', {
    name,
    server_type: 'cx23',
    image: 'debian-12',
    location: 'nbg1',
    ...more,
  });
const inward = (port: string, source = '0.0.0.0/0') => ({
  direction: 'in',
  protocol: 'tcp',
  port,
  source_ips: [source],
});

/** Whether anybody answers at the port. */
const isOpen = async (host: string, port: number) =>
  (await world.control('GET', `/dial?host=${host}&port=${port}`)).status === 200;
const addressOf = ({ body }: Answer): string => body.server.public_net.ipv4.ip;

describe('a server under a firewall', () => {
  it('takes in what a rule lets in, and nothing else; without a firewall everything', async () => {
    const free = addressOf(await order('free'));
    const label = { labels: { 'managed-by': 'outreach' } };
    const covered = await order('covered', label);
    const ip = addressOf(covered);
    await until(async () => (await isOpen(free, 22)) && (await isOpen(ip, 22)));
    const selector = {
      type: 'label_selector',
      label_selector: { selector: 'managed-by=outreach' },
    };
    const made = await call('POST', '/firewalls', { name: 'closed', apply_to: [selector] });
    expect([made.status, made.body.firewall.applied_to[0].applied_to_resources]).toEqual([
      201,
      [{ type: 'server', server: { id: covered.body.server.id } }],
    ]);
    expect([await isOpen(free, 22), await isOpen(ip, 22)]).toEqual([true, false]);
    const shown = await call('GET', `/servers/${covered.body.server.id}`);
    expect(shown.body.server.public_net.firewalls).toEqual([
      { id: made.body.firewall.id, status: 'applied' },
    ]);
    const path = `/firewalls/${made.body.firewall.id}`;
    const set = (rules: object[]) => call('POST', `${path}/actions/set_rules`, { rules });
    await set([inward('22', '192.0.2.1/32')]);
    expect(await isOpen(ip, 22)).toBe(false);
    await set([inward('20-25')]);
    expect(await isOpen(ip, 22)).toBe(true);
    await set([inward('any')]);
    expect(await isOpen(ip, 22)).toBe(true);
    expect((await call('DELETE', path)).body.error.code).toBe('resource_in_use');
    await call('POST', `${path}/actions/remove_from_resources`, { remove_from: [selector] });
    expect((await call('DELETE', path)).status).toBe(204);
    expect(await isOpen(ip, 22)).toBe(true);
  });

  it('may be ordered under it, and is taken under one by its id', async () => {
    const wall = await call('POST', '/firewalls', { name: 'ordered', rules: [inward('25')] });
    const firewalls = [{ firewall: wall.body.firewall.id }];
    const made = await order('under', { firewalls });
    expect(made.body.server.public_net.firewalls).toHaveLength(1);
    const other = await order('later');
    const path = `/firewalls/${wall.body.firewall.id}/actions/apply_to_resources`;
    const server = { type: 'server', server: { id: other.body.server.id } };
    expect((await call('POST', path, { apply_to: [server] })).status).toBe(201);
    const { body } = await call('GET', '/firewalls?name=ordered');
    expect(body.firewalls[0].applied_to).toHaveLength(2);
    expect((await order('none', { firewalls: [{ firewall: 999 }] })).status).toBe(404);
  });

  it.each([
    ['a name twice', { name: 'ordered' }, 409],
    [
      'a rule inwards without sources',
      { name: 'a', rules: [{ ...inward('22'), source_ips: [] }] },
      422,
    ],
    ['tcp without a port', { name: 'b', rules: [{ ...inward('22'), port: undefined }] }, 422],
    [
      'a server that is not there',
      { name: 'c', apply_to: [{ type: 'server', server: { id: 9 } }] },
      422,
    ],
  ])('refuses %s', async (_words, body, status) => {
    expect((await call('POST', '/firewalls', body)).status).toBe(status);
  });
});
