/** The routes of seed mailboxes and placement tests, without the workflow behind them. Choices 123, 124. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPasswordBinding } from '../../src/db/placement/placement-seeds.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { tablesWith } from '../support/database/database-search.ts';

const PASSWORD = 'canary, of a "seed" 8Wq';

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;
beforeAll(async () => {
  users = await startCampaignUsers({
    maps: {},
    keepSchedule: async () => 'kept',
    nextRunsOf: async () => null,
  });
  [ann, bob] = [await users.newUser(), await users.newUser()];
});
afterAll(() => users?.close());

const SEED = { address: 'Seed.One@Gmail.test', provider: 'google', password: PASSWORD };
let seeds = 0;
const addSeed = async (user = ann, more: object = {}): Promise<number> => {
  seeds += 1;
  const order = { ...SEED, address: `s${seeds}@gmail.test`, ...more };
  return (await user.ok('POST', '/v1/placement/seeds', order)).id;
};
const codeOf = async (user: CampaignUser, method: string, path: string, body?: object) => {
  const { status, body: answer } = await user.call(method, path, body);
  return [status, answer.code];
};

describe('/v1/placement/seeds', () => {
  it('keeps a seed, whose password no answer and no table tells', async () => {
    const made = await ann.ok('POST', '/v1/placement/seeds', SEED);
    expect(made).toMatchObject({
      address: 'seed.one@gmail.test',
      provider: 'google',
      username: 'seed.one@gmail.test',
      imap: { host: 'imap.gmail.com', port: 993, tls: 'tls' },
      status: 'unproven',
      error: null,
    });
    expect(await ann.ok('GET', `/v1/placement/seeds/${made.id}`)).toEqual(made);
    expect(JSON.stringify(made)).not.toContain('canary');
    const { password } = await users.database.db
      .selectFrom('placement_seeds')
      .select('password')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    const { cipher } = users.api.context;
    expect(cipher.open(password, seedPasswordBinding(made.id))).toBe(PASSWORD);
    expect(await tablesWith(users.database, PASSWORD)).toEqual([]);
    expect(await codeOf(ann, 'POST', '/v1/placement/seeds', SEED)).toEqual([400, 'SEED_EXISTS']);
    await bob.ok('POST', '/v1/placement/seeds', SEED);
  });

  it('asks for a server where the provider does not tell it, and calls no other ports', async () => {
    const other = { ...SEED, address: 'x@own.test', provider: 'other' };
    const path = '/v1/placement/seeds';
    expect((await ann.call('POST', path, other)).body.details).toMatchObject([{ field: 'imap' }]);
    const imap = { host: 'imap.own.test', port: 25 };
    const { body } = await ann.call('POST', path, { ...other, imap });
    expect(body.details).toMatchObject([{ field: 'imap.port' }]);
    const made = await ann.ok('POST', path, { ...other, imap: { ...imap, port: 143 } });
    expect(made.imap).toEqual({ host: 'imap.own.test', port: 143, tls: 'starttls' });
  });

  it('changes a login, and forgets what the one of before has shown', async () => {
    const id = await addSeed();
    await users.database.db
      .updateTable('placement_seeds')
      .set({ checked_at: new Date(), error_code: 'LOGIN_REFUSED', error_message: 'no' })
      .where('id', '=', id)
      .execute();
    const path = `/v1/placement/seeds/${id}`;
    expect(await ann.ok('GET', path)).toMatchObject({
      status: 'failing',
      error: { code: 'LOGIN_REFUSED' },
    });
    const changed = await ann.ok('PATCH', path, { password: 'other', username: 'me' });
    expect(changed).toMatchObject({ status: 'unproven', error: null, username: 'me' });
    expect((await ann.call('PATCH', path, {})).status).toBe(400);
  });

  it('is the account’s alone', async () => {
    const id = await addSeed();
    const path = `/v1/placement/seeds/${id}`;
    const missing = [404, 'PLACEMENT_SEED_NOT_FOUND'];
    expect(await codeOf(bob, 'GET', path)).toEqual(missing);
    expect(await codeOf(bob, 'PATCH', path, { password: 'x' })).toEqual(missing);
    expect(await codeOf(bob, 'DELETE', path)).toEqual(missing);
    expect(await ann.ok('DELETE', path)).toEqual({ id });
    expect(await codeOf(ann, 'GET', path)).toEqual(missing);
  });

  it('has at most 30 of them, in pages', async () => {
    const cy = await users.newUser();
    for (let n = 0; n < 30; n += 1) await addSeed(cy);
    const more = { ...SEED, address: 'more@gmail.test' };
    expect(await codeOf(cy, 'POST', '/v1/placement/seeds', more)).toEqual([400, 'TOO_MANY_SEEDS']);
    const { body } = await cy.call('GET', '/v1/placement/seeds?page=2&limit=20');
    expect(body.data).toHaveLength(10);
    expect(body.meta.pagination).toMatchObject({ total: 30, totalPages: 2 });
  });
});

describe('/v1/placement/tests', () => {
  it('orders a test of the campaign’s first message in all seeds, which is shown at once', async () => {
    const dee = await users.newUser();
    const seedIds = [await addSeed(dee), await addSeed(dee, { provider: 'yahoo' })];
    const { id: campaignId, assignedMailboxes } = await dee.campaign();
    const made = await dee.ok('POST', '/v1/placement/tests', { campaignId });
    expect(made).toMatchObject({
      campaignId,
      mailboxId: Number(assignedMailboxes[0]),
      step: 0,
      variant: null,
      leadId: expect.any(Number),
      minInboxPercent: 80,
      holdOnBadPlacement: false,
      status: 'processing',
      verdict: null,
      waiting: 2,
      inboxPercent: null,
      campaignHeld: false,
    });
    expect(made.seeds.map(({ seedId, state }: never) => [seedId, state])).toEqual(
      seedIds.map((id) => [id, 'waiting']),
    );
    expect(made.providers).toMatchObject([{ provider: 'google' }, { provider: 'yahoo' }]);
    expect(await dee.ok('GET', `/v1/placement/tests/${made.id}`)).toEqual(made);
    expect(users.started.at(-1)).toMatchObject({ kind: 'testPlacement', resource_id: made.id });
    const { body } = await dee.call('GET', '/v1/placement/tests?status=processing');
    expect(body.data).toEqual([made]);
    const [operation] = await dee.ok('GET', '/v1/operations?resourceType=placement_test');
    expect(operation).toMatchObject({ kind: 'testPlacement', actions: ['cancel'] });
    // The campaign's other mailboxes come next.
    const next = (await dee.mailboxes(1))[0]!;
    const both = [...assignedMailboxes, String(next)];
    await dee.ok('PATCH', `/v1/campaigns/${campaignId}`, { assignedMailboxes: both });
    const second = await dee.ok('POST', '/v1/placement/tests', {
      campaignId,
      seedIds: [seedIds[1]],
    });
    expect(second).toMatchObject({ mailboxId: next, seeds: [{ seedId: seedIds[1] }] });
  });

  it('refuses what is not the account’s, and what cannot be sent', async () => {
    const { id: campaignId } = await ann.campaign();
    const path = '/v1/placement/tests';
    const eve = await users.newUser();
    const { id: hers } = await eve.campaign();
    expect(await codeOf(eve, 'POST', path, { campaignId: hers })).toEqual([400, 'NO_SEEDS']);
    const seedId = await addSeed();
    expect(await codeOf(eve, 'POST', path, { campaignId: hers, seedIds: [seedId] })).toEqual([
      404,
      'PLACEMENT_SEED_NOT_FOUND',
    ]);
    const own = await addSeed(eve);
    const seedIds = [seedId, own, 999_999, seedId];
    const several = await eve.call('POST', path, { campaignId: hers, seedIds });
    expect(several.body).toMatchObject({
      error: `Placement seed not found: ${seedId}, 999999`,
      details: [seedId, 999_999].map((id) => ({
        field: 'seedIds',
        message: `seedIds: placement seed ${id} not found`,
      })),
    });
    expect(await codeOf(eve, 'POST', path, { campaignId })).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
    const [mailboxId] = await ann.mailboxes(1);
    expect(await codeOf(eve, 'POST', path, { campaignId: hers, mailboxId })).toEqual([
      404,
      'MAILBOX_NOT_FOUND',
    ]);
    const [leadId] = await ann.leads(1);
    expect(await codeOf(eve, 'POST', path, { campaignId: hers, leadId })).toEqual([
      404,
      'LEAD_NOT_FOUND',
    ]);
    const { body } = await eve.call('POST', path, { campaignId: hers, step: 3 });
    expect(body.details).toMatchObject([{ field: 'step' }]);
    const { id: idle } = await eve.campaign({ assignedMailboxes: [] }, 0);
    expect(await codeOf(eve, 'POST', path, { campaignId: idle })).toEqual([
      400,
      'CAMPAIGN_NOT_READY',
    ]);
    await eve.ok('PATCH', '/v1/account', { postalAddress: null });
    expect(await codeOf(eve, 'POST', path, { campaignId: hers })).toEqual([
      400,
      'CAMPAIGN_NOT_READY',
    ]);
  });

  it('is cancelled once, also by its operation, and is the account’s alone', async () => {
    const { id: campaignId } = await ann.campaign();
    const seedIds = [await addSeed()];
    const { id } = await ann.ok('POST', '/v1/placement/tests', { campaignId, seedIds });
    const path = `/v1/placement/tests/${id}`;
    expect(await codeOf(bob, 'GET', path)).toEqual([404, 'PLACEMENT_TEST_NOT_FOUND']);
    expect(await codeOf(bob, 'POST', `${path}/cancel`)).toEqual([404, 'PLACEMENT_TEST_NOT_FOUND']);
    expect(await ann.ok('POST', `${path}/cancel`)).toMatchObject({
      status: 'cancelled',
      verdict: null,
      seeds: [{ state: 'cancelled' }],
    });
    expect(users.signals.at(-1)).toContain(`placement-test/${id} `);
    expect(await ann.ok('POST', `${path}/cancel`)).toMatchObject({ status: 'cancelled' });
    await users.database.db
      .updateTable('placement_tests')
      .set({ status: 'completed' })
      .where('id', '=', id)
      .execute();
    expect(await codeOf(ann, 'POST', `${path}/cancel`)).toEqual([400, 'INVALID_STATE']);
  });

  it('is one of five at once, and of twenty an hour', async () => {
    const fay = await users.newUser();
    const { id: campaignId } = await fay.campaign();
    const seedIds = [await addSeed(fay)];
    const path = '/v1/placement/tests';
    const orders = [];
    for (let n = 0; n < 5; n += 1) orders.push(await fay.ok('POST', path, { campaignId, seedIds }));
    const tooMany = [429, 'RATE_LIMITED'];
    expect(await codeOf(fay, 'POST', path, { campaignId, seedIds })).toEqual(tooMany);
    for (let n = 5; n < 20; n += 1) {
      await fay.ok('POST', `${path}/${orders.pop().id}/cancel`);
      orders.push(await fay.ok('POST', path, { campaignId, seedIds }));
    }
    await fay.ok('POST', `${path}/${orders.pop().id}/cancel`);
    expect(await codeOf(fay, 'POST', path, { campaignId, seedIds })).toEqual(tooMany);
  });

  it('stays readable when its campaign is deleted', async () => {
    const { id: campaignId } = await ann.campaign();
    const seedIds = [await addSeed()];
    const { id } = await ann.ok('POST', '/v1/placement/tests', { campaignId, seedIds });
    await ann.ok('DELETE', `/v1/campaigns/${campaignId}`);
    expect(await ann.ok('GET', `/v1/placement/tests/${id}`)).toMatchObject({ campaignId: null });
  });
});

describe('a schedule of placement tests', () => {
  it('orders one each time that it runs', async () => {
    const { id: campaignId } = await ann.campaign();
    const seedIds = [await addSeed()];
    const placementTest = { campaignId, seedIds, holdOnBadPlacement: true };
    const order = { name: 'Placement', placementTest, times: { time: '07:30' } };
    const { id, kind, mapsRun } = await ann.ok('POST', '/v1/schedules', order);
    expect([kind, mapsRun]).toEqual(['placement_test', null]);
    const run = await ann.ok('POST', `/v1/schedules/${id}/run`);
    expect(run).toMatchObject({ outcome: 'started', status: 'processing', verdict: null });
    const test = await ann.ok('GET', `/v1/placement/tests/${run.placementTestId}`);
    expect(test).toMatchObject({ campaignId, holdOnBadPlacement: true, minInboxPercent: 80 });
    expect(await codeOf(ann, 'POST', `/v1/schedules/${id}/run`)).toEqual([400, 'INVALID_STATE']);
    await ann.ok('POST', `/v1/placement/tests/${run.placementTestId}/cancel`);
    expect(await ann.ok('POST', `/v1/schedules/${id}/run`)).toMatchObject({ outcome: 'started' });
  });

  it('is of a campaign of the account, and of one kind', async () => {
    const { id: campaignId } = await bob.campaign();
    const order = { name: 'P', placementTest: { campaignId }, times: { time: '07:30' } };
    expect(await codeOf(ann, 'POST', '/v1/schedules', order)).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
    const two = { ...order, leadProcess: { searchTerm: 'x' } };
    expect((await bob.call('POST', '/v1/schedules', two)).status).toBe(400);
  });
});
