/** The port of VPS providers: every adapter against its stand-in, and both against the spec. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import ssh2 from 'ssh2';
import { vpsProviders } from '../../src/providers/vps/index.ts';
import type { VpsProvider } from '../../src/providers/vps/port.ts';
import { startMailWorld, until, type MailWorld } from '../support/mail-world.ts';
import { checkCalls } from '../support/provider-calls.ts';
import { providerError } from '../support/provider-error.ts';
import { specMissing } from '../support/provider-spec.ts';

let world: MailWorld;
let vps: VpsProvider;
beforeAll(async () => {
  world = await startMailWorld();
  vps = hetznerWith('hetzner-sandbox-token');
});
afterEach(() => world.door('DELETE', '/faults'));
afterAll(() => world.close());

function hetznerWith(token: string): VpsProvider {
  const HETZNER_URL = `${world.sandbox().url}/hetzner/v1`;
  const state = vpsProviders.hetzner.configure({ HETZNER_TOKEN: token, HETZNER_URL });
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs: 1_500, outboundProxy: undefined });
}

const order = (name: string) => ({
  name,
  sshPublicKey: ssh2.utils.generateKeyPairSync('ed25519').public,
  userData: '#cloud-config\n',
  labels: { domain: 'acme.com' },
});
const fault = (operation: string, kind: string, times = 1) =>
  world.door('POST', '/faults', { vendor: 'hetzner', operation, kind, times });

interface Books {
  servers: { name: string; deletedAt: string | null; ptr: string | null }[];
  sshKeys: { name: string }[];
}
const books = async (): Promise<Books> => (await world.door('GET', '/books')).body.vps.hetzner;
const named = async (name: string) => (await books()).servers.filter((s) => s.name === name);
const keysNamed = async (name: string) => (await books()).sshKeys.filter((k) => k.name === name);

describe('create', () => {
  it('makes a server that starts, gets an address and runs', async () => {
    const made = await vps.create(order('outreach-made'));
    expect(made).toMatchObject({ name: 'outreach-made' });
    expect(['starting', 'running']).toContain(made.state);
    await until(async () => (await vps.get(made.id))?.state === 'running');
    expect(await vps.get(made.id)).toMatchObject({ ipv4: expect.stringMatching(/^198\.1[89]\./) });
  });

  it('repeated with one name answers the first server', async () => {
    const wanted = order('outreach-twice');
    const first = await vps.create(wanted);
    expect((await vps.create(wanted)).id).toBe(first.id);
    expect(await named('outreach-twice')).toHaveLength(1);
    expect(await keysNamed('outreach-twice')).toHaveLength(1);
  });

  it('twice at the same time makes one server: uniqueness_error is adopted', async () => {
    const wanted = order('outreach-race');
    const outcomes = await Promise.allSettled([vps.create(wanted), vps.create(wanted)]);
    const made = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value.id] : []));
    expect(new Set(made).size).toBe(1);
    expect(await named('outreach-race')).toHaveLength(1);
  });

  it('with a lost answer is `outcome_unknown`; looking finds it and a repeat adopts it', async () => {
    const wanted = order('outreach-lost');
    await fault('POST /servers', 'timeout_after_effect');
    expect((await providerError(vps.create(wanted))).kind).toBe('outcome_unknown');
    const found = await vps.findByName('outreach-lost');
    expect((await vps.create(wanted)).id).toBe(found?.id);
    expect(await named('outreach-lost')).toHaveLength(1);
  });

  it('without a free machine is `quota`, with what an operator can do', async () => {
    await world.door('PUT', '/capacity', { available: false });
    const error = await providerError(vps.create(order('outreach-full')));
    await world.door('DELETE', '/capacity');
    expect(error.kind).toBe('quota');
    expect(error.facts.operatorHint).toMatch(/HETZNER_LOCATION/);
    expect(await vps.findByName('outreach-full')).toBeNull();
  });

  it('replaces a stale key of the same name, whose private half is lost', async () => {
    await vps.create(order('outreach-stale')).then((server) => server.id);
    await vps.destroy('outreach-stale');
    await until(async () => (await vps.findByName('outreach-stale')) === null);
    await world.hetzner('POST', '/ssh_keys', {
      name: 'outreach-stale',
      public_key: ssh2.utils.generateKeyPairSync('ed25519').public,
    });
    const wanted = order('outreach-stale');
    expect((await providerError(vps.create(wanted))).kind).toBe('unavailable');
    const made = await vps.create(wanted);
    expect(made.name).toBe('outreach-stale');
  });

  it('with a wrong token is `auth`, and the token is not repeated', async () => {
    const error = await providerError(hetznerWith('wrong-token').create(order('outreach-auth')));
    expect(error.kind).toBe('auth');
    expect(JSON.stringify(error) + error.message).not.toContain('wrong-token');
  });
});

describe('setReverseDns', () => {
  it('may be repeated, and DNS shows it', async () => {
    const made = await vps.create(order('outreach-ptr'));
    await until(async () => (await vps.get(made.id))?.state === 'running');
    const ipv4 = (await vps.get(made.id))!.ipv4!;
    await vps.setReverseDns(made.id, ipv4, 'mail.acme.com');
    await vps.setReverseDns(made.id, ipv4, 'mail.acme.com');
    expect((await named('outreach-ptr'))[0]?.ptr).toBe('mail.acme.com');
  });
});

describe('destroy', () => {
  it('deletes the server and its key, and is content when nothing is left', async () => {
    const made = await vps.create(order('outreach-doomed'));
    await vps.destroy('outreach-doomed');
    await vps.destroy('outreach-doomed');
    await until(async () => (await vps.get(made.id)) === null);
    expect((await named('outreach-doomed'))[0]?.deletedAt).not.toBeNull();
    expect(await keysNamed('outreach-doomed')).toEqual([]);
  });

  it('deletes a key that was left without a server', async () => {
    await fault('POST /servers', 'error_500');
    expect((await providerError(vps.create(order('outreach-half')))).kind).toBe('outcome_unknown');
    expect(await keysNamed('outreach-half')).toHaveLength(1);
    await vps.destroy('outreach-half');
    expect(await keysNamed('outreach-half')).toEqual([]);
  });

  it('leaves other servers alone', async () => {
    await vps.create(order('outreach-stays'));
    await vps.destroy('outreach-nothing');
    expect(await vps.findByName('outreach-stays')).not.toBeNull();
  });
});

describe('get', () => {
  it('answers null for a server that never was, and passes on what is not a 404', async () => {
    expect(await vps.get('999999999')).toBeNull();
    await fault('GET /servers/{id}', 'error_500');
    expect((await providerError(vps.get('999999999'))).kind).toBe('unavailable');
  });
});

describe('the wire', () => {
  const missing = specMissing('hetzner-cloud.json');
  it.skipIf(missing)(
    `fits the vendor's spec both ways${missing ? ` (${missing})` : ''}`,
    async () => {
      const spec = { file: 'hetzner-cloud.json', deviations: [] };
      const checked = await checkCalls(world, 'hetzner', spec);
      expect(checked?.calls).toBeGreaterThan(30);
      expect(checked?.problems).toEqual([]);
    },
  );
});
