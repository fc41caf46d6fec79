/** Servers that may not send: campaigns and warm-up wait for them, and go on by themselves. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runSendingSession } from '../../activities/campaigns/sending-session.ts';
import { recordListings, recordOutgoingRoute } from '../../src/db/clusters/sending-holds.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';

let world: SessionWorld;
let users: CampaignUsers;
let ann: CampaignUser;
beforeAll(async () => {
  world = await startSessionWorld([
    'held.test',
    'listed.test',
    'free-port-25-closed.test',
    'free-blocklisted.test',
  ]);
  users = await startCampaignUsers();
  ann = await users.newUser();
});
afterAll(async () => {
  await users?.close();
  await world?.close();
});
beforeEach(() => {
  world.smtp.taken.length = 0;
});

const db = () => users.database.db;
const serverOf = async (domain: string) =>
  (
    await db()
      .selectFrom('servers')
      .select('id')
      .where('host_name', '=', `mail.${domain}`)
      .executeTakeFirstOrThrow()
  ).id;
const boxes = (domain: string) => addMailboxes(users.api.context, ann.userId, { count: 1, domain });

/** A session over the users' database, which ends where it would wait. */
function run(campaignId: number) {
  const { cipher, clock } = users.api.context;
  const stop = new AbortController();
  const sleep = async () => stop.abort();
  const tools = world.tools({ db: db(), cipher, clock, signal: stop.signal, sleep });
  return runSendingSession(tools, campaignId).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
}

const started = async (assignedMailboxes: number[], leads: number) => {
  const { id } = await ann.campaign({ assignedMailboxes }, leads);
  await ann.ok('POST', `/v1/campaigns/${id}/start`);
  return id as number;
};
const read = (id: number) => ann.ok('GET', `/v1/campaigns/${id}`);
const at = new Date();

describe.each([
  [
    'port_25_closed',
    'held.test',
    (id: number) =>
      recordOutgoingRoute(db(), id, { outbound25: 'blocked', usesSmarthost: false }, at),
    (id: number) => recordOutgoingRoute(db(), id, { outbound25: 'open', usesSmarthost: false }, at),
  ],
  [
    'blocklisted',
    'listed.test',
    (id: number) => recordListings(db(), id, [{ list: 'bl.test', codes: ['127.0.0.2'] }], at),
    (id: number) => recordListings(db(), id, [], at),
  ],
] as const)('a campaign on a server that is held: %s', (reason, domain, hold, free) => {
  it('waits, says why, and goes on once it is free', async () => {
    const mailboxIds = await boxes(domain);
    const serverId = await serverOf(domain);
    await hold(serverId);
    const id = await started(mailboxIds, 2);
    const { warnings } = await ann.ok('GET', `/v1/campaigns/${id}/preflight`);
    expect(warnings).toContainEqual({
      field: 'assignedMailboxes',
      message: `m1@${domain} fails: ${reason}`,
    });
    await run(id);
    expect(world.smtp.taken).toHaveLength(0);
    // Nobody has to resume it.
    expect(await read(id)).toMatchObject({ status: 'active', pauseReason: null });
    await free(serverId);
    await run(id);
    expect(world.smtp.taken).toHaveLength(2);
  });

  it('is written from another server meanwhile', async () => {
    const serverId = await serverOf(domain);
    await hold(serverId);
    const [held] = await db()
      .selectFrom('mailboxes')
      .select('id')
      .where('email', '=', `m1@${domain}`)
      .execute();
    const [other] = await boxes(`free-${reason.replaceAll('_', '-')}.test`);
    const id = await started([held!.id, other!], 2);
    await run(id);
    expect(new Set(world.smtp.taken.map(({ user }) => user))).toEqual(
      new Set([`m1@free-${reason.replaceAll('_', '-')}.test`]),
    );
    await free(serverId);
  });
});

describe('warm-up', () => {
  let warmup: WarmupWorld;
  beforeAll(async () => {
    warmup = await startWarmupWorld();
    await warmup.database.db.updateTable('users').set({ timezone: 'UTC' }).execute();
    warmup.wakeUp();
  });
  afterAll(() => warmup?.close());

  it('rests while port 25 of the server is closed, and begins its day once it is open', async () => {
    const { db: rows } = warmup.database;
    const mailboxId = warmup.tenants[0]!.mailboxIds[0]!;
    const { server_id } = await rows
      .selectFrom('clusters')
      .innerJoin('mailboxes', 'mailboxes.cluster_id', 'clusters.id')
      .select('clusters.server_id')
      .where('mailboxes.id', '=', mailboxId)
      .executeTakeFirstOrThrow();
    const route = (outbound25: 'open' | 'blocked') =>
      recordOutgoingRoute(rows, server_id!, { outbound25, usesSmarthost: false }, at);
    await warmup.enrol(warmup.tenants[1]!.mailboxIds[0]!);
    const enrolled = await warmup.enrol(mailboxId);
    await route('blocked');
    expect(await warmup.run(enrolled).ended).toMatchObject({
      state: 'active',
      progress: 'Outgoing port 25 of the server is closed',
    });
    expect(await warmup.messages()).toEqual([]);
    await route('open');
    const running = warmup.run(enrolled);
    await warmup.until(async () => (await warmup.messages()).length > 0);
    await running.stop();
  });
});
