/** Servers whose messages cannot leave, or are on a blocklist: nothing is sent until that is over. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { runCampaignFlow } from '../../src/domain/campaigns/flows.ts';
import type { HostSigns } from '../../src/domain/clusters/host-health.ts';
import { lookUpAddress } from '../../src/domain/clusters/blocklists.ts';
import type { MailHostStatus } from '../../src/providers/mail-hosts/port.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { addCampaign, addMailboxes } from '../support/campaigns/campaign-world.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { addOperation } from '../support/workflows/operations.ts';
import { triggerHostChecks } from '../../activities/clusters/troubled-hosts.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

let world: OrderWorld;
/** What the hosts say of themselves. */
let status: Pick<MailHostStatus, 'outbound25' | 'smarthost'> | 'silent';
/** Those of a host that is well, unless a test says otherwise. */
let signs: HostSigns | null;
/** Workflows that were told to look again. */
const woken: string[] = [];
let now = new Date('2026-11-24T08:00:00Z');
beforeAll(async () => {
  world = await startOrderWorld(() => ({ DNSBL_ZONES: 'zen.spamhaus.org,bl.spamcop.net' }));
});
afterEach(() => world.sandbox.control('DELETE', '/blocklists'));
afterAll(() => world?.close());

const WELL: HostSigns = {
  queued: 0,
  diskUsedPercent: 10,
  stoppedServices: [],
  closedPorts: [],
  needsReboot: false,
};

let hosts = 0;
/** A server with an active cluster, and an address of its own. */
async function host() {
  const { db } = world.context;
  const n = (hosts += 1);
  const name = `mail.host-${n}.com`;
  const owned = { user_id: 'ann', status: 'active' } as const;
  const serverId = await addServer(db, {
    ...owned,
    host_name: name,
    ipv4: `198.18.7.${n}`,
    external_id: String(n),
  });
  const domain = await db
    .insertInto('domains')
    .values({ ...owned, name: `host-${n}.com`, provider: 'namecom' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: clusterId } = await db
    .insertInto('clusters')
    .values({
      ...owned,
      name,
      domain_id: domain.id,
      server_id: serverId,
      use_existing_vps: false,
      operation_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  status = { outbound25: 'open', smarthost: null };
  signs = WELL;
  return { serverId, clusterId, ipv4: `198.18.7.${n}` };
}

/** One run of the Schedule, some minutes after the last one. */
async function check(minutesLater = 1_441): Promise<{ nextId: number | null; found: number }> {
  now = new Date(now.getTime() + minutesLater * 60_000);
  const { mailHost, cipher } = world.context;
  const activities = createActivities({
    ...world.context,
    clock: { now: () => now },
    cipher: { ...cipher, open: () => 'key' },
    temporal: ears,
    mailHost: {
      ...mailHost,
      status: async () => {
        if (status === 'silent')
          throw new ProviderError('unavailable', 'no answer', { provider: 'ssh' });
        const certificate = { hostName: 'x', expiresAt: '2099-01-01T00:00:00Z' };
        const program = 'digest-of-program';
        return {
          hostName: 'x',
          domains: [],
          mailboxes: [],
          certificate,
          program,
          signs,
          ...status,
        };
      },
    },
  });
  return activityEnvironment().run(() => activities.checkMailHosts({ afterId: 0 }));
}

/** Temporal as far as signals and Schedules go. */
const newEars = () =>
  ({
    schedule: {
      getHandle: (id: string) => ({ trigger: async () => void woken.push(`triggered ${id}`) }),
    },
    workflow: {
      getHandle: (workflowId: string) => ({
        signal: async (name: string) => void woken.push(`${workflowId} ${name}`),
      }),
    },
  }) as unknown as Context['temporal'];
const ears = newEars();

const holdOf = async (serverId: number) =>
  (await getServer(world.context.db, serverId)).sending_hold;

const eventsOf = async (clusterId: number) =>
  (
    await world.context.db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('resource', '=', `cluster/${clusterId}`)
      .orderBy('id')
      .execute()
  ).map(({ type, payload }) => {
    const { reason, lists } = payload as { reason?: string; lists?: string[] };
    return [type, reason, lists];
  });

it('triggers the hourly Schedule while a server is held, once in some minutes', async () => {
  await host();
  status = { outbound25: 'blocked', smarthost: null };
  await check();
  const at = (minutesLater: number) => ({
    db: world.context.db,
    clock: { now: () => new Date(now.getTime() + minutesLater * 60_000) },
    // Another client of Temporal has not triggered it yet.
    temporal: newEars(),
  });
  woken.length = 0;
  await triggerHostChecks(at(5));
  expect(woken).toEqual([]);
  const due = at(10);
  await triggerHostChecks(due);
  await triggerHostChecks(due);
  expect(woken).toEqual(['triggered check-mail-hosts']);
  status = { outbound25: 'open', smarthost: null };
  await check(10);
  woken.length = 0;
  await triggerHostChecks(at(10));
  expect(woken).toEqual([]);
});

describe('a server whose vendor drops outgoing port 25', () => {
  it('is held, told once, and free again at the next probe that gets through', async () => {
    const { serverId, clusterId } = await host();
    await check();
    expect(await holdOf(serverId)).toBeNull();
    status = { outbound25: 'blocked', smarthost: null };
    expect((await check()).found).toBeGreaterThan(0);
    await check();
    expect(await holdOf(serverId)).toBe('port_25_closed');
    expect((await getServer(world.context.db, serverId)).sending_held_since).not.toBeNull();
    expect(await eventsOf(clusterId)).toEqual([['cluster.sending_held', 'port_25_closed', []]]);
    status = { outbound25: 'open', smarthost: null };
    // A held server is asked at every run.
    await check(10);
    expect(await holdOf(serverId)).toBeNull();
    expect((await getServer(world.context.db, serverId)).sending_held_since).toBeNull();
    expect((await eventsOf(clusterId)).at(-1)?.[0]).toBe('cluster.sending_resumed');
  });

  it('wakes the campaigns that wait for it when it may send again, and no others', async () => {
    const { db } = world.context;
    for (const domain of ['waits.com', 'sends.com']) {
      const mailboxIds = await addMailboxes(world.context, 'ann', { count: 1, domain });
      const { campaignId } = await addCampaign(db, 'ann', { leads: 1, mailboxIds });
      const workflowId = `campaign of ${domain}`;
      await addOperation(db, runCampaignFlow, {
        userId: 'ann',
        workflowId,
        resourceId: campaignId,
      });
    }
    status = { outbound25: 'open', smarthost: null };
    await check();
    await db
      .updateTable('servers')
      .set({ outbound25: 'blocked' })
      .where('intent_name', '=', 'waits.com')
      .execute();
    woken.length = 0;
    // Blocked as before: nothing has changed.
    status = { outbound25: 'blocked', smarthost: null };
    await check(10);
    expect(woken).toEqual([]);
    status = { outbound25: 'open', smarthost: null };
    await check(10);
    expect(woken).toEqual(['campaign of waits.com settingsChanged']);
  });

  it('is not held behind a smarthost, nor for an answer that does not come', async () => {
    const { serverId } = await host();
    const smarthost = { host: 'relay.test', port: 587, state: 'open' } as const;
    status = { outbound25: 'blocked', smarthost };
    await check();
    expect(await holdOf(serverId)).toBeNull();
    status = { outbound25: 'blocked', smarthost: null };
    await check();
    expect(await holdOf(serverId)).toBe('port_25_closed');
    status = 'silent';
    await check();
    expect(await holdOf(serverId)).toBe('port_25_closed');
  });
});

describe('a server whose address is on a blocklist', () => {
  const list = (body: object) => world.sandbox.control('PUT', '/blocklists', body);

  it('is held until the list lets it go; no answer of the list lets nothing go', async () => {
    const { serverId, clusterId, ipv4 } = await host();
    await list({ list: 'zen.spamhaus.org', address: ipv4, codes: ['127.0.0.3'] });
    await check();
    expect(await holdOf(serverId)).toBe('blocklisted');
    expect(await eventsOf(clusterId)).toEqual([
      ['cluster.sending_held', 'blocklisted', ['zen.spamhaus.org']],
    ]);
    await list({ list: 'zen.spamhaus.org', answersAll: '127.255.255.254' });
    await check();
    expect(await holdOf(serverId)).toBe('blocklisted');
    await world.sandbox.control('DELETE', '/blocklists');
    await check();
    expect(await holdOf(serverId)).toBeNull();
    expect((await eventsOf(clusterId)).map(([type]) => type)).toEqual([
      'cluster.sending_held',
      'cluster.sending_resumed',
    ]);
  });

  it.each([
    ['refuses a public resolver', '127.255.255.254'],
    ['lists the whole world', '127.0.0.2'],
    ['is switched off', 'nothing'],
    ['is a dealer’s page', '203.0.113.7'],
  ])('is not believed to be there by a list that %s', async (_what, answersAll) => {
    const { serverId, ipv4 } = await host();
    await list({ list: 'bl.spamcop.net', answersAll });
    await check();
    expect(await holdOf(serverId)).toBeNull();
    expect(await lookUpAddress(world.context.dns, world.context.config.DNSBL_ZONES, ipv4)).toEqual({
      listings: [],
      unanswered: ['bl.spamcop.net'],
    });
  });
});

describe('how a host is', () => {
  const troublesOf = async (serverId: number) =>
    (await getServer(world.context.db, serverId)).troubles.map(({ kind }) => kind);

  it('is kept in its row, with its program, and asked again after an hour', async () => {
    const { serverId } = await host();
    await check();
    expect(await getServer(world.context.db, serverId)).toMatchObject({
      host_signs: WELL,
      troubles: [],
      troubled_since: null,
      program: 'digest-of-program',
    });
    signs = { ...WELL, queued: 700 };
    await check(30);
    expect(await troublesOf(serverId)).toEqual([]);
    await check(31);
    expect(await troublesOf(serverId)).toEqual(['queue']);
  });

  it('is trouble when it does not answer, over at the next run in which it does, and counted', async () => {
    const { serverId } = await host();
    status = 'silent';
    await check();
    expect(await troublesOf(serverId)).toEqual(['unreachable']);
    expect((await getServer(world.context.db, serverId)).program).toBeNull();
    const { hostsTroubled } = await readOperatorNumbers(world.context.db);
    expect(hostsTroubled.unreachable).toBeGreaterThan(0);
    status = { outbound25: 'open', smarthost: null };
    await check(10);
    expect(await troublesOf(serverId)).toEqual([]);
    expect(await readOperatorNumbers(world.context.db)).toMatchObject({ hostsTroubled: {} });
  });

  it('is told to its clients once when the disk fills up, and again after it had room', async () => {
    const { clusterId, serverId } = await host();
    const told = async () => (await eventsOf(clusterId)).map(([type]) => type);
    signs = { ...WELL, diskUsedPercent: 91 };
    await check();
    const { troubled_since: since } = await getServer(world.context.db, serverId);
    await check();
    expect(await told()).toEqual(['cluster.disk_filling']);
    expect((await getServer(world.context.db, serverId)).troubled_since).toEqual(since);
    signs = WELL;
    await check();
    signs = { ...WELL, diskUsedPercent: 96 };
    await check();
    expect(await told()).toEqual(['cluster.disk_filling', 'cluster.disk_filling']);
  });

  it('is not known of a host whose program does not tell, which is no trouble', async () => {
    const { serverId } = await host();
    signs = null;
    await check();
    expect(await getServer(world.context.db, serverId)).toMatchObject({
      host_signs: null,
      troubles: [],
    });
  });
});
