/** Placement tests as a client sees them: by the API alone, with real workflows and mail. Choices 123, 124. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SEED_ADDRESSES, SEED_HOST, SEED_PASSWORD } from '../../src/sandbox/warmup-seeds.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

const DOMAIN = 'elsewhere.test';
const HOST = `mail.${DOMAIN}`;
const PASSWORD = 'canary-of-a-sender-3Hd';
const TIME_LIMIT = 240_000;

let world: ProvisioningWorld;
let api: TestApi;
let token: string;
let campaignId: number;

beforeAll(async () => {
  world = await startProvisioningWorld({
    environment: { CRAWLER_ALLOW_BENCHMARK_RANGE: 'true', MAILBOX_PROOF_SECONDS: '60' },
  });
  const { httpStores: _strict, ...context } = world.context;
  api = await startTestApi({ database: world.database, context });
  token = await api.jwt('ann');
  const email = `ann@${DOMAIN}`;
  const mailboxes = [{ address: email, password: PASSWORD }];
  await world.sandbox.control('PUT', `/mail/elsewhere/${HOST}`, { domain: DOMAIN, mailboxes });
  const [smtp, imap] = [465, 993].map((port) => ({ host: HOST, port }));
  const order = { email, password: PASSWORD, smtp, imap };
  const { id: mailboxId } = await ok('POST', '/v1/mailboxes/connect', order);
  await until(`/v1/mailboxes/${mailboxId}`, ({ status }) => status === 'active');
  const sender = { senderName: 'Ann King', postalAddress: '1 Test Street, Springfield' };
  await ok('PATCH', '/v1/account', sender);
  const { id: leadListId } = await ok('POST', '/v1/lead-lists', { name: 'Spring' });
  const people = [{ firstName: 'Ada', lastName: 'King', email: 'ada@client.test' }];
  await ok('POST', '/v1/leads', { company_name: 'Client', leadListId, people });
  ({ id: campaignId } = await ok('POST', '/v1/campaigns', {
    name: 'Spring',
    subjectTemplate: 'A word, {{firstName}}?',
    bodyTemplate: 'Hello {{firstName}}, see https://example.com/offer.',
    trackClicks: true,
    assignedMailboxes: [String(mailboxId)],
    leadListIds: [leadListId],
  }));
  await ok('POST', `/v1/campaigns/${campaignId}/start`);
  const providers = ['google', 'google', 'yahoo', 'other'];
  for (const [n, provider] of providers.entries()) {
    const password = n === 3 ? 'not-the-password' : SEED_PASSWORD;
    const seed = { address: SEED_ADDRESSES[n]!, provider, password };
    await ok('POST', '/v1/placement/seeds', { ...seed, imap: { host: SEED_HOST, port: 993 } });
  }
}, TIME_LIMIT);

afterAll(async () => {
  await api?.close();
  await world?.close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer
async function ok(method: string, path: string, body?: object): Promise<any> {
  const answer = await api.call(method, path, { token, ...(body && { body }) });
  if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer
async function until(path: string, isSo: (data: any) => boolean): Promise<any> {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any answer
  let data: any;
  const look = async () => isSo((data = await ok('GET', path)));
  await vi.waitUntil(look, { timeout: 60_000, interval: 200 });
  return data;
}

async function tested(more: object) {
  const { id } = await ok('POST', '/v1/placement/tests', { campaignId, ...more });
  return until(`/v1/placement/tests/${id}`, ({ status }) => status !== 'processing');
}

describe('a placement test', { timeout: TIME_LIMIT }, () => {
  it('is answered by provider, with what failed and why', async () => {
    const done = await tested({});
    expect(done).toMatchObject({
      status: 'completed',
      verdict: 'good',
      inboxPercent: 100,
      inbox: 3,
      failed: 1,
      campaignHeld: false,
      providers: [
        { provider: 'google', inbox: 2, verdict: 'good' },
        { provider: 'other', failed: 1, inboxPercent: null, verdict: 'unknown' },
        { provider: 'yahoo', inbox: 1, verdict: 'good' },
      ],
    });
    expect(done.seeds[3]).toMatchObject({ outcome: 'failed', error: { code: 'LOGIN_REFUSED' } });
    expect(JSON.stringify(done)).not.toContain('not-the-password');
    const seeds = await ok('GET', '/v1/placement/seeds');
    expect(seeds.map(({ status }: { status: string }) => status)).toEqual([
      ...Array(3).fill('working'),
      'failing',
    ]);
    const [operation] = await ok('GET', '/v1/operations?resourceType=placement_test');
    expect(operation).toMatchObject({ kind: 'testPlacement', state: 'completed' });
  });

  it('that is bad holds its campaign, which can be resumed', async () => {
    await world.sandbox.control('PUT', '/seeds/junk', { percent: 100 });
    const done = await tested({ holdOnBadPlacement: true });
    expect(done).toMatchObject({ verdict: 'bad', spam: 3, inboxPercent: 0, campaignHeld: true });
    const path = `/v1/campaigns/${campaignId}`;
    expect(await ok('GET', path)).toMatchObject({ status: 'paused', pauseReason: 'bad_placement' });
    type Told = { type: string; data: object };
    const toldOf = (all: Told[]) => all.filter(({ type }) => type.startsWith('placement_test.'));
    // An event is listed when no transaction that began before it is open.
    const listed = (all: Told[]) => toldOf(all).length >= 2;
    const events: Told[] = await until('/v1/events?limit=100', listed);
    const told = toldOf(events);
    expect(told).toHaveLength(2);
    expect(told[1]!.data).toMatchObject({ testId: done.id, verdict: 'bad', campaignHeld: true });
    expect(events.map(({ type }) => type)).toContain('campaign.paused');
    await ok('POST', `${path}/resume`);
    expect(await ok('GET', path)).toMatchObject({ status: 'active', pauseReason: null });
    expect((await ok('GET', path)).stats).toMatchObject({ leads: 1, sent: 0 });
  });
});
