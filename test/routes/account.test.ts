/** The account: made by the first JWT, changed by its user. */
import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/tables.ts';
import {
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { signTestJwt } from '../support/api/api.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

const { api } = describeApi();

describe('GET /v1/account', () => {
  it('makes a user at first sight, the sender named as in the JWT', async () => {
    const token = await signTestJwt({ userId: 'new', email: 'new@example.test', name: 'Ada' });
    const { status, body } = await api.call('GET', '/v1/account', { token });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ userId: 'new', senderName: 'Ada', postalAddress: null });
  });

  it('makes one user when twenty first requests meet', async () => {
    const token = await api.jwt('crowd');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('GET', '/v1/account', { token })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  });

  it('follows a changed e-mail address, and keeps the sender that was chosen', async () => {
    const first = await signTestJwt({ userId: 'mover', email: 'a@example.test', name: 'A' });
    await api.call('PATCH', '/v1/account', { token: first, body: { senderName: 'Chosen' } });
    const second = await signTestJwt({ userId: 'mover', email: 'b@example.test', name: 'B' });
    const { body } = await api.call('GET', '/v1/account', { token: second });
    expect(body.data).toMatchObject({ email: 'b@example.test', senderName: 'Chosen' });
  });
});

describe('PATCH /v1/account', () => {
  it('changes what is given, in the canonical spelling, and empties with null', async () => {
    const token = await api.jwt('patcher');
    const body = { postalAddress: '1 Main St', timezone: 'europe/berlin' };
    const changed = await api.call('PATCH', '/v1/account', { token, body });
    expect(changed.body.data).toMatchObject({
      senderName: 'Test User',
      postalAddress: '1 Main St',
      timezone: 'Europe/Berlin',
    });
    const emptied = await api.call('PATCH', '/v1/account', {
      token,
      body: { postalAddress: null },
    });
    expect(emptied.body.data).toMatchObject({ postalAddress: null, timezone: 'Europe/Berlin' });
  });

  it.each([
    { timezone: 'Mars/Olympus' },
    { timezone: '+02:00' },
    { timezone: 7 },
    { senderName: '' },
    { senderName: 'X\r\nBcc: y@z.test' },
    { senderName: 'nul \u0000' },
    { postalAddress: 'x'.repeat(1_001) },
  ])('400 for %j', async (body) => {
    const { status } = await api.call('PATCH', '/v1/account', { token: await api.jwt(), body });
    expect(status).toBe(400);
  });
});

describe('PATCH /v1/account while a campaign is active (Choice 56)', () => {
  let users: CampaignUsers;
  let ann: CampaignUser;

  beforeAll(async () => {
    users = await startCampaignUsers();
  });
  afterAll(() => users.close());
  beforeEach(async () => {
    ann = await users.newUser();
  });

  const start = async () => {
    const { id } = await ann.campaign();
    return { id, path: `/v1/campaigns/${id}` };
  };

  it.each([
    [{ senderName: null }, /^senderName cannot/],
    [{ postalAddress: null }, /^postalAddress cannot/],
    [{ senderName: null, postalAddress: null, timezone: 'UTC' }, /^senderName and postalAddress/],
  ])('400 INVALID_STATE for %j, and nothing has changed', async (body, words) => {
    const { path } = await start();
    await ann.ok('POST', `${path}/start`);
    const before = await ann.ok('GET', '/v1/account');
    const refused = await ann.call('PATCH', '/v1/account', body);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'INVALID_STATE', error: expect.stringMatching(words) },
    });
    expect(await ann.ok('GET', '/v1/account')).toEqual(before);
  });

  it('takes other values, and null once it is paused; then it is not resumed', async () => {
    const { path } = await start();
    await ann.ok('POST', `${path}/start`);
    await ann.ok('PATCH', '/v1/account', { senderName: 'Anna', postalAddress: '2 Main Street' });
    await ann.ok('POST', `${path}/pause`);
    await ann.ok('PATCH', '/v1/account', { postalAddress: null });
    const resumed = await ann.call('POST', `${path}/resume`);
    expect(resumed).toMatchObject({ status: 400, body: { code: 'CAMPAIGN_NOT_READY' } });
  });

  it('the campaign of somebody else is none of it', async () => {
    const { path } = await start();
    await ann.ok('POST', `${path}/start`);
    const bob = await users.newUser();
    expect(await bob.ok('PATCH', '/v1/account', { postalAddress: null })).toMatchObject({
      postalAddress: null,
    });
  });

  it('waits for a start that has read the account, and is refused', async () => {
    const { path } = await start();
    const { first, second } = await whileHeld(
      (trx) => sql`lock table operations in exclusive mode`.execute(trx),
      () => ann.call('POST', `${path}/start`),
      () => ann.call('PATCH', '/v1/account', { postalAddress: null }),
    );
    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } });
  });

  it('a start waits for it, and is refused', async () => {
    const { path } = await start();
    const { first } = await whileHeld(
      (trx) =>
        trx
          .updateTable('users')
          .set({ postal_address: null })
          .where('user_id', '=', ann.userId)
          .execute(),
      () => ann.call('POST', `${path}/start`),
    );
    expect(first).toMatchObject({ status: 400, body: { code: 'CAMPAIGN_NOT_READY' } });
  });

  /** Lets requests begin one after the other, each until it waits for a lock, and then go on. */
  async function whileHeld(
    hold: (trx: Transaction<Database>) => Promise<unknown>,
    ...requests: (() => ReturnType<CampaignUser['call']>)[]
  ) {
    const { db } = users.database;
    const answers = await db.transaction().execute(async (trx) => {
      await hold(trx);
      const begun = [];
      for (const request of requests) {
        begun.push(request());
        await untilWaiting(db, begun.length);
      }
      return begun;
    });
    const [first, second] = await Promise.all(answers);
    return { first: first!, second };
  }
});
