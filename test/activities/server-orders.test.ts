/** Fail-over between VPS vendors, against their stand-ins: never two servers for one cluster. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { findResource, listResources } from '../../src/db/operations/provider-resources.ts';
import { warnOfOrderProblems } from '../../src/services/clusters/server-catalogue.ts';
import { vpsProviders } from '../../src/providers/vps/index.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { SERVER_CENTS } from '../support/provisioning/cluster-forms.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';

let world: OrderWorld;
beforeAll(async () => {
  world = await startOrderWorld((url) => ({
    VPS_ALTERNATES: 'vultr',
    VULTR_API_KEY: 'vultr-sandbox-key',
    VULTR_BASE_URL: `${url}/vultr/v2`,
    DNSBL_ZONES: 'zen.spamhaus.org,bl.spamcop.net',
  }));
});
afterEach(() => world.sandbox.control('DELETE', '/faults'));
afterAll(() => world?.close());

let orders = 0;
/** A new cluster's operation, as the API writes it. */
async function order() {
  const { id, operation_id } = await world.order(`over-${(orders += 1)}.com`);
  return { operationId: operation_id!, clusterId: id };
}
type Step = Awaited<ReturnType<typeof order>>;

const call: OrderWorld['call'] = (name, input) => world.call(name, input);
const untilDone = (name: keyof Activities, input: object) =>
  world.callUntilDone(name, input, ['NotReadyYet', 'ProviderUnavailable']);
const choose = async ({ operationId }: Step, refused: string[] = []) =>
  (await call<{ vendor: string | null }>('chooseVps', { operationId, refused })).vendor;
const fault = (vendor: string, operation: string, kind: string, more: object = { times: 1 }) =>
  world.sandbox.control('POST', '/faults', { vendor, operation, kind, ...more });

/** Servers alive and keys left for an operation, by vendor. */
async function aliveOf({ operationId }: Step): Promise<string[]> {
  const { vps } = (await world.sandbox.control('GET', '/books')).body;
  const isOurs = ({ name }: { name: string }) => name.startsWith(`outreach-${operationId}-`);
  return ['hetzner', 'vultr'].flatMap((vendor) => [
    ...vps[vendor].servers
      .filter(isOurs)
      .filter((one: { deletedAt: string | null }) => one.deletedAt === null)
      .map(() => `${vendor} server`),
    ...vps[vendor].sshKeys.filter(isOurs).map(() => `${vendor} key`),
  ]);
}
const intentsOf = async ({ operationId }: Step) =>
  (await listResources(world.context.db, operationId, 'server_create')).map(
    ({ provider, generation, state }) => `${generation} ${provider} ${state}`,
  );

const wallet = () =>
  world.context.db
    .selectFrom('wallets')
    .select(['available_cents', 'held_cents'])
    .where('user_id', '=', 'ann')
    .executeTakeFirstOrThrow();

describe('the name of a server', () => {
  it('is that of no other installation, and stays the same for an order that is repeated', async () => {
    const step = await order();
    await call('orderServer', step);
    const first = await findResource(world.context.db, step.operationId, 'server_create');
    await call('orderServer', step);
    const again = await findResource(world.context.db, step.operationId, 'server_create');
    expect(first!.token).toMatch(new RegExp(`^outreach-${step.operationId}-1-[0-9a-f]{16}$`));
    expect(again!.token).toBe(first!.token);
    expect(await aliveOf(step)).toEqual(['hetzner server', 'hetzner key']);
  });
});

describe('where the first vendor refuses', () => {
  it.each([
    ['auth', 'ProviderAuth'],
    ['rejected', 'ProviderAuth'],
  ])(
    '(%s) the alternate gives the server, and nothing is left at the first',
    async (kind, type) => {
      const step = await order();
      await fault('hetzner', 'POST /servers', kind);
      expect(await choose(step)).toBe('hetzner');
      const first = call('orderServer', { ...step, vendor: 'hetzner' });
      await expect(first).rejects.toMatchObject({ type });
      expect(await choose(step, ['hetzner'])).toBe('vultr');
      await untilDone('orderServer', { ...step, vendor: 'vultr' });
      await untilDone('orderServer', { ...step, vendor: 'vultr' });
      await untilDone('awaitServer', step);
      expect(await intentsOf(step)).toEqual(['1 hetzner absent', '2 vultr created']);
      expect(await aliveOf(step)).toEqual(['vultr server', 'vultr key']);
      const { server_id } = await getCluster(world.context.db, step.clusterId);
      const servers = await world.context.db
        .selectFrom('servers')
        .select(['provider', 'status'])
        .where('id', '=', server_id!)
        .execute();
      expect(servers).toEqual([{ provider: 'vultr', status: 'active' }]);
      expect(await call('listAskedVps', step)).toEqual({ vendors: ['hetzner', 'vultr'] });
      for (const vendor of ['hetzner', 'vultr', 'vultr']) {
        await untilDone('destroyServer', { ...step, vendor });
      }
      expect(await aliveOf(step)).toEqual([]);
    },
  );

  it('the client reads that another one is asked, not which ones these are', async () => {
    const { operationId } = await order();
    const { db } = world.context;
    const row = db.updateTable('operations').where('id', '=', operationId);
    await row.set({ state: 'running', step: 'server_create' }).execute();
    const refused = { operationId, refused: ['hetzner'], told: 'hetzner refused (ProviderAuth)' };
    expect(await call('chooseVps', refused)).toEqual({ vendor: 'vultr' });
    const { message } = await getOperation(db, operationId);
    expect(message).toBe(
      'Renting the server: the first provider did not take the order, asking another one',
    );
  });

  it('and the alternate, too, nobody is left to ask; the next round begins anew', async () => {
    await world.sandbox.control('PUT', '/capacity', { available: false });
    const step = await order();
    for (const vendor of ['hetzner', 'vultr']) {
      const asked = call('orderServer', { ...step, vendor });
      await expect(asked).rejects.toMatchObject({ type: 'QuotaExceeded' });
    }
    expect(await choose(step, ['hetzner', 'vultr'])).toBeNull();
    await world.sandbox.control('DELETE', '/capacity');
    expect(await choose(step)).toBe('hetzner');
    await untilDone('orderServer', { ...step, vendor: 'hetzner' });
    expect(await aliveOf(step)).toEqual(['hetzner server', 'hetzner key']);
    expect((await intentsOf(step)).at(-1)).toBe('3 hetzner created');
    await untilDone('destroyServer', step);
  });
});

describe('an answer that was lost', () => {
  it('at the first vendor is settled before another is asked', async () => {
    const step = await order();
    await fault('hetzner', 'POST /servers', 'timeout_after_effect');
    const lost = call('orderServer', { ...step, vendor: 'hetzner' });
    await expect(lost).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    expect(await choose(step)).toBe('hetzner');
    expect(await choose(step, ['hetzner'])).toBeNull();
    // Whatever is asked for: the open order is the one that is looked at.
    await untilDone('orderServer', { ...step, vendor: 'vultr' });
    expect(await aliveOf(step)).toEqual(['hetzner server', 'hetzner key']);
    await untilDone('destroyServer', step);
  });

  it('keeps a refusal that follows from freeing the way to another vendor', async () => {
    const step = await order();
    await fault('hetzner', 'POST /servers', 'timeout_before_effect');
    await call('orderServer', { ...step, vendor: 'hetzner' }).catch(() => undefined);
    await world.sandbox.control('PUT', '/capacity', { available: false });
    const lagging = createActivities({
      ...world.context,
      config: { ...world.context.config, PROVIDER_LAG_SECONDS: 3_600 },
    });
    const wanted = { ...step, vendor: 'hetzner' };
    const asked = activityEnvironment().run(() => lagging.orderServer(wanted));
    await expect(asked).rejects.toMatchObject({ type: 'NotReadyYet' });
    expect(await choose(step, ['hetzner'])).toBeNull();
    await world.sandbox.control('DELETE', '/capacity');
    await untilDone('orderServer', { ...step, vendor: 'hetzner' });
    await untilDone('destroyServer', step);
    expect(await aliveOf(step)).toEqual([]);
  });

  it('at a vendor whose names are not unique makes no second server while it may still appear', async () => {
    const step = await order();
    await fault('hetzner', 'POST /servers', 'auth');
    await call('orderServer', { ...step, vendor: 'hetzner' }).catch(() => undefined);
    await fault('vultr', 'POST /instances', 'lag', { times: 1, delayMs: 5_000 });
    // Made, and the process dies before it is written down.
    const dying = createActivities({
      ...world.context,
      vps: {
        ...world.context.vps,
        vultr: {
          ...world.context.vps['vultr']!,
          create: async (wanted) => {
            await world.context.vps['vultr']!.create(wanted);
            throw new Error('killed');
          },
        },
      },
    });
    const wanted = { ...step, vendor: 'vultr' };
    const killed = activityEnvironment().run(() => dying.orderServer(wanted));
    await expect(killed).rejects.toThrow('killed');
    const early = call('orderServer', { ...step, vendor: 'vultr' });
    await expect(early).rejects.toMatchObject({ type: 'NotReadyYet' });
    await untilDone('orderServer', { ...step, vendor: 'vultr' });
    expect(await aliveOf(step)).toEqual(['vultr server', 'vultr key']);
    await untilDone('destroyServer', step);
    expect(await aliveOf(step)).toEqual([]);
  });
});

describe('two attempts at once', () => {
  // A worker that has lost Temporal works on, while Temporal begins the next attempt.
  it.each(['hetzner', 'vultr'])('make one server at %s, and one of them waits', async (vendor) => {
    const step = await order();
    const list = { hetzner: 'GET /servers', vultr: 'GET /instances' }[vendor]!;
    // All have read the intents before the first one writes.
    await fault(vendor, list, 'slow', { times: 3, delayMs: 1_000 });
    const attempts = [1, 2, 3].map(() => call('orderServer', { ...step, vendor }));
    const ends = await Promise.allSettled(attempts);
    expect(await aliveOf(step)).toEqual([`${vendor} server`, `${vendor} key`]);
    const refused = ends
      .filter((end) => end.status === 'rejected')
      .map(({ reason }) => reason.type ?? String(reason));
    expect(refused.filter((type) => type !== 'NotReadyYet')).toEqual([]);
    expect(refused.length).toBeLessThan(3);
    await untilDone('orderServer', { ...step, vendor });
    await untilDone('awaitServer', step);
    expect(await aliveOf(step)).toEqual([`${vendor} server`, `${vendor} key`]);
    expect(await intentsOf(step)).toEqual([`1 ${vendor} created`]);
  });

  it('take no server for lost that one of them has ordered while the other looked', async () => {
    const step = await order();
    const given = { ...step, vendor: 'hetzner' };
    // It waits until the fault is taken away.
    await fault('hetzner', 'GET /servers', 'slow', { times: 1, delayMs: 60_000 });
    const late = call('orderServer', given).then(
      () => 'ordered',
      (error: { type: string }) => error.type,
    );
    const hits = async () => (await world.sandbox.control('GET', '/faults')).body.faults[0].hit;
    await expect.poll(hits).toBe(1);
    await untilDone('orderServer', given);
    await world.sandbox.control('DELETE', '/faults');
    expect(await late).toBe('NotReadyYet');
    expect(await aliveOf(step)).toEqual(['hetzner server', 'hetzner key']);
  });

  it('after one whose outcome is unclear make no second server either', async () => {
    const step = await order();
    await fault('vultr', 'POST /instances', 'timeout_before_effect');
    await expect(call('orderServer', { ...step, vendor: 'vultr' })).rejects.toMatchObject({
      type: 'OutcomeUnknown',
    });
    const settled = async () => call('settleServerOrder', step).then(() => true);
    await expect.poll(() => settled().catch(() => false), { timeout: 60_000 }).toBe(true);
    const { db } = world.context;
    // All have read the intent before the first one writes.
    const attempts = await db.transaction().execute(async (trx) => {
      const { operationId } = step;
      await sql`select from provider_resources where operation_id = ${operationId} for update`.execute(
        trx,
      );
      const begun = [1, 2, 3].map(() => call('orderServer', { ...step, vendor: 'vultr' }));
      // One may be refused before the transaction has ended.
      const ended = Promise.allSettled(begun);
      await untilWaiting(db, 3);
      return { ended };
    });
    await attempts.ended;
    expect(await aliveOf(step)).toEqual(['vultr server', 'vultr key']);
  });
});

describe('a server that is ordered and cannot be made', () => {
  const failing = async () => {
    const step = await order();
    await fault('hetzner', 'POST /servers', 'fails_later');
    await untilDone('orderServer', { ...step, vendor: 'hetzner' });
    return step;
  };
  it('is deleted before the alternate is asked, which gives one for the same money', async () => {
    const step = await failing();
    const before = await wallet();
    await expect(untilDone('awaitServer', step)).rejects.toMatchObject({
      type: 'QuotaExceeded',
      message: expect.stringContaining('resource_unavailable'),
    });
    expect(await aliveOf(step)).toEqual([]);
    expect(await intentsOf(step)).toEqual(['1 hetzner deleted']);
    expect(await wallet()).toEqual(before);
    expect(await choose(step, ['hetzner'])).toBe('vultr');
    await untilDone('orderServer', { ...step, vendor: 'vultr' });
    await untilDone('awaitServer', step);
    expect(await aliveOf(step)).toEqual(['vultr server', 'vultr key']);
    await untilDone('destroyServer', step);
    expect(await aliveOf(step)).toEqual([]);
  });

  it('says so again where that answer was lost', async () => {
    const step = await failing();
    await untilDone('awaitServer', step).catch(() => undefined);
    await expect(call('awaitServer', step)).rejects.toMatchObject({ type: 'QuotaExceeded' });
    expect((await getCluster(world.context.db, step.clusterId)).server_id).toBeNull();
  });

  it('is deleted by a repeat where the vendor failed to delete it', async () => {
    const step = await failing();
    await fault('hetzner', 'DELETE /servers/{id}', 'fails_later');
    await expect(untilDone('awaitServer', step)).rejects.toMatchObject({ type: 'QuotaExceeded' });
    expect(await aliveOf(step)).toEqual([]);
  });
});

describe('a server whose address is on a blocklist', () => {
  const listNext = (next: number) =>
    world.sandbox.control('PUT', '/blocklists', { list: 'zen.spamhaus.org', next });
  const listed = {
    type: 'QuotaExceeded',
    message: expect.stringMatching(
      /its address 198\.\S+ is on zen\.spamhaus\.org \(127\.0\.0\.2\)/,
    ),
    details: [expect.objectContaining({ providerCode: 'address_listed' })],
  };

  it('is given back before it is paid for, and another one is ordered', async () => {
    const step = await order();
    await listNext(1);
    const before = await wallet();
    await untilDone('orderServer', { ...step, vendor: 'hetzner' });
    await expect(untilDone('awaitServer', step)).rejects.toMatchObject(listed);
    expect(await aliveOf(step)).toEqual([]);
    // The same where that answer was lost.
    await expect(call('awaitServer', step)).rejects.toMatchObject(listed);
    await untilDone('orderServer', { ...step, vendor: 'hetzner' });
    await untilDone('awaitServer', step);
    expect(await aliveOf(step)).toEqual(['hetzner server', 'hetzner key']);
    expect(await intentsOf(step)).toEqual(['1 hetzner deleted', '2 hetzner created']);
    const after = await wallet();
    expect(after.available_cents).toBe(before.available_cents);
    expect(after.held_cents).toBe(before.held_cents - SERVER_CENTS);
    await untilDone('destroyServer', step);
    expect(await aliveOf(step)).toEqual([]);
  });
});

describe('a deletion that fails at the vendor', () => {
  it('refunds nothing until the server is gone', async () => {
    const step = await order();
    await untilDone('orderServer', step);
    await untilDone('awaitServer', step);
    await fault('hetzner', 'DELETE /servers/{id}', 'fails_later');
    const undone = call('destroyServer', step);
    await expect(undone).rejects.toMatchObject({ type: 'ProviderUnavailable' });
    expect(await intentsOf(step)).toEqual(['1 hetzner created']);
    expect(await aliveOf(step)).toEqual(['hetzner server', 'hetzner key']);
    const { db } = world.context;
    const refunds = db
      .selectFrom('ledger_transactions')
      .select('amount_cents')
      .where('operation_key', '=', `operation:${step.operationId}:server:refund`);
    expect(await refunds.execute()).toEqual([]);
    await untilDone('destroyServer', step);
    expect(await aliveOf(step)).toEqual([]);
    expect(await refunds.execute()).toHaveLength(1);
  });
});

describe('the money for a server that the alternate gave', () => {
  const ordered = async () => {
    const step = await order();
    await fault('hetzner', 'POST /servers', 'auth');
    await call('orderServer', { ...step, vendor: 'hetzner' }).catch(() => undefined);
    await untilDone('orderServer', { ...step, vendor: 'vultr' });
    return step;
  };
  const refundsOf = async ({ operationId }: Step) => {
    const { db } = world.context;
    const rows = await db
      .selectFrom('ledger_transactions')
      .select('amount_cents')
      .where('operation_key', '=', `operation:${operationId}:server:refund`)
      .execute();
    return rows.map(({ amount_cents }) => amount_cents);
  };
  const serverIdOf = async ({ clusterId }: Step) =>
    (await getCluster(world.context.db, clusterId)).server_id;

  it('stays while that one stands, whatever is undone at the vendor that refused', async () => {
    const step = await ordered();
    await untilDone('awaitServer', step);
    const serverId = await serverIdOf(step);
    await untilDone('destroyServer', { ...step, vendor: 'hetzner' });
    expect(await intentsOf(step)).toEqual(['1 hetzner deleted', '2 vultr created']);
    expect([await refundsOf(step), await serverIdOf(step)]).toEqual([[], serverId]);
    await fault('vultr', 'DELETE /instances/{id}', 'error_500');
    const failed = call('destroyServer', { ...step, vendor: 'vultr' });
    await expect(failed).rejects.toMatchObject({ type: 'ProviderUnavailable' });
    expect(await aliveOf(step)).toContain('vultr server');
    expect([await refundsOf(step), await serverIdOf(step)]).toEqual([[], serverId]);
    await untilDone('destroyServer', { ...step, vendor: 'vultr' });
    await untilDone('destroyServer', step);
    expect(await aliveOf(step)).toEqual([]);
    expect([await refundsOf(step), await serverIdOf(step)]).toEqual([[SERVER_CENTS], null]);
  });

  it('comes back once where the vendors are undone in the other order, or all at once', async () => {
    for (const vendors of [['vultr', 'hetzner'], [undefined]]) {
      const step = await ordered();
      await untilDone('awaitServer', step);
      for (const vendor of vendors) await untilDone('destroyServer', { ...step, vendor });
      expect(await aliveOf(step)).toEqual([]);
      expect([await refundsOf(step), await serverIdOf(step)]).toEqual([[SERVER_CENTS], null]);
    }
  });

  it('comes back where an attempt that was given up takes it after the first vendor was undone', async () => {
    const step = await ordered();
    await untilDone('destroyServer', { ...step, vendor: 'hetzner' });
    await untilDone('awaitServer', step);
    await untilDone('destroyServer', { ...step, vendor: 'vultr' });
    expect([await refundsOf(step), await serverIdOf(step)]).toEqual([[SERVER_CENTS], null]);
    expect(await aliveOf(step)).toEqual([]);
  });

  it('stays held while an order whose answer was lost may still appear', async () => {
    const step = await order();
    await fault('hetzner', 'POST /servers', 'auth');
    await call('orderServer', { ...step, vendor: 'hetzner' }).catch(() => undefined);
    await fault('vultr', 'POST /instances', 'timeout_after_effect');
    const lost = call('orderServer', { ...step, vendor: 'vultr' });
    await expect(lost).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    const before = await wallet();
    const serverId = await serverIdOf(step);
    await untilDone('destroyServer', { ...step, vendor: 'hetzner' });
    expect(await serverIdOf(step)).toBe(serverId);
    // Found late, taken and paid for: then it is undone like any other.
    await untilDone('orderServer', { ...step, vendor: 'vultr' });
    await untilDone('awaitServer', step);
    await untilDone('destroyServer', { ...step, vendor: 'vultr' });
    expect([await refundsOf(step), await aliveOf(step)]).toEqual([[SERVER_CENTS], []]);
    const after = await wallet();
    expect(after.available_cents).toBe(before.available_cents + SERVER_CENTS);
  });
});

describe('the check before the domain is bought', () => {
  it('names the setting of a server that is no longer sold, to an operator', async () => {
    const step = await order();
    const { context, sandbox } = world;
    const state = vpsProviders.hetzner.configure({
      HETZNER_TOKEN: 'hetzner-sandbox-token',
      HETZNER_URL: `${sandbox.url}/hetzner/v1`,
      HETZNER_SERVER_TYPE: 'cx22',
    });
    if (state.state !== 'on') throw new Error('not configured');
    const hetzner = state.create({ timeoutMs: 3_000, outboundProxy: undefined });
    const old = createActivities({ ...context, vps: { ...context.vps, hetzner } });
    const asked = { ...step, vendor: 'hetzner' };
    const checked = activityEnvironment().run(() => old.checkServerOrder(asked));
    await expect(checked).rejects.toMatchObject({
      type: 'QuotaExceeded',
      details: [
        expect.objectContaining({ operatorHint: expect.stringContaining('HETZNER_SERVER_TYPE') }),
      ],
    });
    expect(await call('checkServerOrder', asked)).toBeUndefined();
  });

  it('names a firewall that would close the ports of the server, and the start of a worker too', async () => {
    const asked = { ...(await order()), vendor: 'hetzner' };
    const { context, sandbox } = world;
    const firewalls = (method: string, path: string, body?: object) =>
      sandbox.ask(method, `/hetzner/v1/firewalls${path}`, body, {
        authorization: 'Bearer hetzner-sandbox-token',
      });
    const selector = (of: string) => [{ type: 'label_selector', label_selector: { selector: of } }];
    const inward = (port: string) => ({
      direction: 'in',
      protocol: 'tcp',
      port,
      source_ips: ['0.0.0.0/0'],
    });
    // Somebody else's covers no server of ours.
    await firewalls('POST', '', { name: 'database', apply_to: selector('role=db') });
    expect(await call('checkServerOrder', asked)).toBeUndefined();
    const { body } = await firewalls('POST', '', {
      name: 'office',
      rules: [inward('22'), inward('465'), inward('993')],
      apply_to: selector('managed-by=outreach'),
    });
    const path = `/${body.firewall.id}/actions`;
    const cure = 'Allow TCP 25, 80 inwards in office, or take our servers out of it.';
    await expect(call('checkServerOrder', asked)).rejects.toMatchObject({
      type: 'QuotaExceeded',
      message: expect.stringContaining('the firewall office would close TCP 25, 80'),
      details: [expect.objectContaining({ operatorHint: cure })],
    });
    const warned: string[] = [];
    const warn = (_facts: object, text: string) => void warned.push(text);
    const logger = Object.assign(Object.create(context.logger), { warn });
    await warnOfOrderProblems({ ...context, logger });
    expect(warned).toEqual([
      `hetzner: the firewall office would close TCP 25, 80 of a new server; ${cure}`,
    ]);
    await firewalls('POST', `${path}/set_rules`, { rules: [inward('20-80'), inward('any')] });
    expect(await call('checkServerOrder', asked)).toBeUndefined();
    await firewalls('POST', `${path}/remove_from_resources`, {
      remove_from: selector('managed-by=outreach'),
    });
  });
});
