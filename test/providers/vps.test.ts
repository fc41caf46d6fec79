/** The port of VPS providers: every adapter against its stand-in, and both against the spec. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import ssh2 from 'ssh2';
import { ProviderError } from '../../src/domain/errors.ts';
import { vpsProviders } from '../../src/providers/vps/index.ts';
import type { OrderProblem, VpsProvider } from '../../src/providers/vps/port.ts';
import { startMailWorld, until, type MailWorld } from '../support/mail/mail-world.ts';
import { HETZNER_DEVIATIONS } from '../support/vendors/hetzner-deviations.ts';
import { checkCalls } from '../support/vendors/provider-calls.ts';
import { VULTR_DEVIATIONS } from '../support/vendors/vultr-deviations.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { specMissing, type Deviation } from '../support/vendors/provider-spec.ts';
import { LOST_AFTER_MS } from '../support/vendors/sandbox.ts';

type VendorName = keyof typeof vpsProviders;

const problem = (variable: string, message: RegExp, prevents = true) => ({
  variable,
  message: expect.stringMatching(message),
  prevents,
});

/** What differs between the vendors; a new one does not compile until it has a line here. */
const VENDORS: Record<
  VendorName,
  {
    environment: (sandboxUrl: string, key: string) => Record<string, string>;
    key: string;
    /** The call that orders, and the one that looks at a server. */
    orders: string;
    lookUp: string;
    /** The settings that an operator may change where the vendor has no capacity. */
    hint: RegExp;
    unknownId: string;
    spec: { file: string; deviations: Deviation[] };
    /** Settings, and what the catalogue says of them. */
    catalogue: { set: Record<string, string>; problem: OrderProblem | undefined }[];
  }
> = {
  hetzner: {
    environment: (url, key) => ({ HETZNER_TOKEN: key, HETZNER_URL: `${url}/hetzner/v1` }),
    key: 'hetzner-sandbox-token',
    orders: 'POST /servers',
    lookUp: 'GET /servers/{id}',
    hint: /HETZNER_LOCATION/,
    unknownId: '999999999',
    spec: { file: 'hetzner-cloud.json', deviations: HETZNER_DEVIATIONS },
    catalogue: [
      { set: {}, problem: undefined },
      {
        set: { HETZNER_SERVER_TYPE: 'cx22' },
        problem: problem('HETZNER_SERVER_TYPE', /cx22 is not sold in nbg1; .*cx23/),
      },
      {
        set: { HETZNER_SERVER_TYPE: 'cpx11' },
        problem: problem('HETZNER_SERVER_TYPE', /cpx11 cannot be ordered in nbg1 since 2026-01-01/),
      },
      { set: { HETZNER_SERVER_TYPE: 'cpx11', HETZNER_LOCATION: 'ash' }, problem: undefined },
      {
        set: { HETZNER_SERVER_TYPE: 'cpx21', HETZNER_LOCATION: 'ash' },
        problem: problem('HETZNER_SERVER_TYPE', /cpx21 cannot be ordered in ash from 2126/, false),
      },
      {
        set: { HETZNER_SERVER_TYPE: 'cx33', HETZNER_LOCATION: 'hel1' },
        problem: problem('HETZNER_SERVER_TYPE', /cx33 is sold out in hel1; .*cx23/),
      },
      {
        set: { HETZNER_LOCATION: 'nbg9' },
        problem: problem('HETZNER_LOCATION', /nbg9 is no location; .*nbg1/),
      },
      {
        set: { HETZNER_IMAGE: 'debian-11' },
        problem: problem('HETZNER_IMAGE', /image debian-11 is deprecated since/, false),
      },
      {
        set: { HETZNER_IMAGE: 'debian-99' },
        problem: problem('HETZNER_IMAGE', /there is no image debian-99/),
      },
    ],
  },
  vultr: {
    environment: (url, key) => ({ VULTR_API_KEY: key, VULTR_BASE_URL: `${url}/vultr/v2` }),
    key: 'vultr-sandbox-key',
    orders: 'POST /instances',
    lookUp: 'GET /instances/{id}',
    hint: /VULTR_REGION/,
    unknownId: 'cb676a46-66fd-4dfb-b839-443f2e6c0b60',
    spec: { file: 'vultr.json', deviations: VULTR_DEVIATIONS },
    catalogue: [
      { set: {}, problem: undefined },
      {
        set: { VULTR_PLAN: 'vc2-1c-2gb', VULTR_REGION: 'ewr' },
        problem: problem('VULTR_PLAN', /vc2-1c-2gb is sold out in ewr; .*vc2-1c-1gb/),
      },
      { set: { VULTR_PLAN: 'vc9' }, problem: problem('VULTR_PLAN', /vc9 is no plan/) },
      {
        set: { VULTR_REGION: 'xxx' },
        problem: problem('VULTR_REGION', /xxx is no region; .*fra/),
      },
    ],
  },
};

const TRIES = 6;
const TRY_AGAIN_MS = 300;

let world: MailWorld;
beforeAll(async () => {
  world = await startMailWorld();
});
afterEach(() => world.control('DELETE', '/faults'));
afterAll(() => world.close());

/** The stand-ins keep their vendors' limits: what came too soon is asked again, as Temporal does. */
function waitingOut(vps: VpsProvider): VpsProvider {
  const again =
    <A extends unknown[], R>(ask: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await ask(...given);
        } catch (error) {
          const isTooSoon = error instanceof ProviderError && error.kind === 'rate_limited';
          if (!isTooSoon || tries === TRIES) throw error;
          await sleep(TRY_AGAIN_MS);
        }
      }
    };
  return {
    ...vps,
    orderProblems: again(() => vps.orderProblems()),
    findByName: again((name: Parameters<VpsProvider['findByName']>[0]) => vps.findByName(name)),
    create: again((wanted: Parameters<VpsProvider['create']>[0]) => vps.create(wanted)),
    get: again((id: Parameters<VpsProvider['get']>[0]) => vps.get(id)),
    setReverseDns: again((...given: Parameters<VpsProvider['setReverseDns']>) =>
      vps.setReverseDns(...given),
    ),
    destroy: again((...given: Parameters<VpsProvider['destroy']>) => vps.destroy(...given)),
  };
}

function adapterOf(
  vendor: VendorName,
  { key = VENDORS[vendor].key, timeoutMs = 15_000, set = {} } = {},
): VpsProvider {
  const environment = { ...VENDORS[vendor].environment(world.sandbox().url, key), ...set };
  const state = vpsProviders[vendor].configure(environment);
  if (state.state !== 'on') throw new Error('not configured');
  return waitingOut(state.create({ timeoutMs, outboundProxy: undefined }));
}

const order = (name: string) => ({
  name,
  sshPublicKey: ssh2.utils.generateKeyPairSync('ed25519').public,
  userData: '#cloud-config\n',
  labels: { domain: 'acme.com' },
});
interface Books {
  servers: { name: string; deletedAt: string | null; ptr: string | null }[];
  sshKeys: { name: string }[];
}

describe.each(Object.keys(VENDORS) as VendorName[])('%s', (vendor) => {
  const { orders, lookUp, hint, unknownId, spec } = VENDORS[vendor];
  let vps: VpsProvider;
  beforeAll(() => {
    vps = adapterOf(vendor);
  });

  const fault = (operation: string, kind: string, times = 1) =>
    world.control('POST', '/faults', { vendor, operation, kind, times });
  const books = async (): Promise<Books> => (await world.control('GET', '/books')).body.vps[vendor];
  const named = async (name: string) => (await books()).servers.filter((s) => s.name === name);
  const keysNamed = async (name: string) => (await books()).sshKeys.filter((k) => k.name === name);

  describe('create', () => {
    it('makes a server that starts, gets an address and runs', async () => {
      const made = await vps.create(order('outreach-made'));
      expect(made).toMatchObject({ name: 'outreach-made' });
      expect(['starting', 'running']).toContain(made.state);
      await until(async () => (await vps.get(made.id))?.state === 'running');
      expect(await vps.get(made.id)).toMatchObject({
        ipv4: expect.stringMatching(/^198\.1[89]\./),
      });
    });

    it('repeated with one name answers the first server', async () => {
      const wanted = order('outreach-twice');
      const first = await vps.create(wanted);
      expect((await vps.create(wanted)).id).toBe(first.id);
      expect(await named('outreach-twice')).toHaveLength(1);
      expect(await keysNamed('outreach-twice')).toHaveLength(1);
    });

    // Elsewhere the caller waits until an earlier order has surely ended.
    it.runIf(vendor === 'hetzner')(
      'twice at the same time makes one server: uniqueness_error is adopted',
      async () => {
        const wanted = order('outreach-race');
        const outcomes = await Promise.allSettled([vps.create(wanted), vps.create(wanted)]);
        const made = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value.id] : []));
        expect(new Set(made).size).toBe(1);
        expect(await named('outreach-race')).toHaveLength(1);
      },
    );

    it('with a lost answer is `outcome_unknown`; looking finds it and a repeat adopts it', async () => {
      const wanted = order('outreach-lost');
      await fault(orders, 'timeout_after_effect');
      const hasty = adapterOf(vendor, { timeoutMs: LOST_AFTER_MS });
      expect((await providerError(hasty.create(wanted))).kind).toBe('outcome_unknown');
      const found = await vps.findByName('outreach-lost');
      expect((await vps.create(wanted)).id).toBe(found?.id);
      expect(await named('outreach-lost')).toHaveLength(1);
    });

    it('without a free machine is `quota`, with what an operator can do', async () => {
      await world.control('PUT', '/capacity', { available: false });
      const error = await providerError(vps.create(order('outreach-full')));
      await world.control('DELETE', '/capacity');
      expect(error.kind).toBe('quota');
      expect(error.facts.operatorHint).toMatch(hint);
      expect(await vps.findByName('outreach-full')).toBeNull();
    });

    it.runIf(vendor === 'hetzner')('that fails after its answer is told by `get`', async () => {
      await fault(orders, 'fails_later');
      const made = await vps.create(order('outreach-failed'));
      await until(async () => (await vps.get(made.id))?.failure !== undefined);
      expect(await vps.get(made.id)).toMatchObject({
        state: 'off',
        failure: 'resource_unavailable: error during placement',
      });
      await vps.destroy('outreach-failed');
    });

    it('is not misled by a stale key of the same name, whose private half is lost', async () => {
      await vps.create(order('outreach-stale'));
      await vps.destroy('outreach-stale');
      await until(async () => (await vps.findByName('outreach-stale')) === null);
      await fault(orders, 'rejected');
      await providerError(vps.create(order('outreach-stale')));
      const wanted = order('outreach-stale');
      // Where names are unique the first try makes room.
      const made = await vps.create(wanted).catch(() => vps.create(wanted));
      expect(made.name).toBe('outreach-stale');
      await vps.destroy('outreach-stale');
      expect(await keysNamed('outreach-stale')).toEqual([]);
    });

    it('with a wrong token is `auth`, and the token is not repeated', async () => {
      const error = await providerError(
        adapterOf(vendor, { key: 'wrong-token' }).create(order('outreach-auth')),
      );
      expect(error.kind).toBe('auth');
      expect(JSON.stringify(error) + error.message).not.toContain('wrong-token');
    });
  });

  describe('orderProblems', () => {
    it.each(VENDORS[vendor].catalogue)('$set', async ({ set, problem: found }) => {
      const problems = await adapterOf(vendor, { set }).orderProblems();
      expect(problems).toEqual(found === undefined ? [] : [found]);
    });

    it.each(VENDORS[vendor].catalogue.filter(({ problem: found }) => found?.prevents))(
      'nor does the vendor take the order: $set',
      async ({ set }) => {
        const made = adapterOf(vendor, { set }).create(order('outreach-catalogue'));
        const { kind, facts } = await providerError(made);
        expect([kind, facts.clientCode]).toEqual(['quota', 'NO_CAPACITY']);
        await vps.destroy('outreach-catalogue');
      },
    );

    it('with a wrong token is `auth`', async () => {
      const asked = adapterOf(vendor, { key: 'wrong-token' }).orderProblems();
      expect((await providerError(asked)).kind).toBe('auth');
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
      await fault(orders, 'error_500');
      expect((await providerError(vps.create(order('outreach-half')))).kind).toBe(
        'outcome_unknown',
      );
      expect(await keysNamed('outreach-half')).toHaveLength(1);
      await vps.destroy('outreach-half');
      expect(await keysNamed('outreach-half')).toEqual([]);
    });

    // Elsewhere the answer comes when the work is done.
    it.runIf(vendor === 'hetzner')('has not ended where the vendor fails afterwards', async () => {
      const made = await vps.create(order('outreach-kept'));
      await fault('DELETE /servers/{id}', 'fails_later');
      const error = await providerError(vps.destroy('outreach-kept'));
      expect(error).toMatchObject({
        kind: 'unavailable',
        facts: { providerCode: 'action_failed' },
      });
      expect(await vps.get(made.id)).not.toBeNull();
      expect(await keysNamed('outreach-kept')).toHaveLength(1);
      await vps.destroy('outreach-kept');
      expect(await vps.get(made.id)).toBeNull();
      expect(await keysNamed('outreach-kept')).toEqual([]);
    });

    it('leaves other servers alone', async () => {
      await vps.create(order('outreach-stays'));
      await vps.destroy('outreach-nothing');
      expect(await vps.findByName('outreach-stays')).not.toBeNull();
    });
  });

  describe('get', () => {
    it('answers null for a server that never was, and passes on what is not a 404', async () => {
      expect(await vps.get(unknownId)).toBeNull();
      await fault(lookUp, 'error_500');
      expect((await providerError(vps.get(unknownId))).kind).toBe('unavailable');
    });
  });

  describe('the wire', () => {
    const missing = specMissing(spec.file);
    it.skipIf(missing)(
      `fits the vendor's spec both ways${missing ? ` (${missing})` : ''}`,
      async () => {
        const checked = await checkCalls(world, vendor, spec);
        expect(checked?.calls).toBeGreaterThan(30);
        expect(checked?.problems).toEqual([]);
      },
    );
  });
});
