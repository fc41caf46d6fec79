/** The routes of tracking domains, and campaigns that have one, without the workflow behind them. Choice 131. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteVerdict } from '../../src/db/domains/tracking-domains.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';

let users: CampaignUsers;
let ann: CampaignUser;
let bob: CampaignUser;
beforeAll(async () => {
  users = await startCampaignUsers();
  [ann, bob] = [await users.newUser(), await users.newUser()];
});
afterAll(() => users?.close());

let names = 0;
const nextName = () => `links.own${(names += 1)}.example`;
const add = (user: CampaignUser, name = nextName()) =>
  user.ok('POST', '/v1/tracking-domains', { name });
const codeOf = async (user: CampaignUser, method: string, path: string, body?: object) => {
  const { status, body: answer } = await user.call(method, path, body);
  return [status, answer.code];
};
const activate = async (id: number) => {
  await users.database.db
    .updateTable('tracking_domains')
    .set({ certificate_expires_at: new Date(Date.now() + 86_400_000) })
    .where('id', '=', id)
    .execute();
  await users.database.db
    .transaction()
    .execute((trx) =>
      noteVerdict(trx, id, { status: 'active', trouble: null, at: new Date(), isProven: true }),
    );
};

describe('/v1/tracking-domains', () => {
  it('adds a name, says which record it needs, and starts its workflow', async () => {
    const name = nextName();
    const { body } = await ann.call('POST', '/v1/tracking-domains', { name: name.toUpperCase() });
    const made = body.data;
    expect(made).toEqual({
      id: expect.any(Number),
      name,
      status: 'pending',
      record: {
        type: 'CNAME',
        name,
        value: expect.stringMatching(/^[0-9a-f]{20}\.links\.outreach\.test$/),
      },
      error: null,
      checkedAt: null,
      certificateExpiresAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(body.message).toBe(`Set the record ${name} CNAME ${made.record.value}`);
    expect(await ann.ok('GET', `/v1/tracking-domains/${made.id}`)).toEqual(made);
    const operations = await users.database.db
      .selectFrom('operations')
      .select(['kind', 'workflow_id', 'finished_at'])
      .where('resource_type', '=', 'tracking_domain')
      .where('resource_id', '=', made.id)
      .execute();
    expect(operations).toMatchObject([{ kind: 'tendTrackingDomain', finished_at: null }]);
  });

  it('has each name once for an account, and any name for several: the record decides', async () => {
    const { name } = await add(ann);
    const again = await codeOf(ann, 'POST', '/v1/tracking-domains', { name });
    expect(again).toEqual([400, 'TRACKING_DOMAIN_EXISTS']);
    const others = await add(bob, name);
    expect(others.name).toBe(name);
  });

  it.each([
    ['acme.com', 'below a domain of yours'],
    ['not a name', 'below a domain of yours'],
    ['links.outreach.test', 'of the installation itself'],
    ['x.links.outreach.test', 'of the installation itself'],
  ])('refuses %s', async (name, words) => {
    const { status, body } = await ann.call('POST', '/v1/tracking-domains', { name });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details).toEqual([{ field: 'name', message: expect.stringContaining(words) }]);
  });

  it('lists an account’s own, a page at a time', async () => {
    const carl = await users.newUser();
    const [one, two] = [await add(carl), await add(carl)];
    const first = await carl.call('GET', '/v1/tracking-domains?limit=1');
    expect(first.body.data).toEqual([one]);
    expect(first.body.meta.pagination ?? first.body.pagination).toMatchObject({ total: 2 });
    expect(await carl.ok('GET', '/v1/tracking-domains?limit=1&page=2')).toEqual([two]);
  });

  it('lets an account have so many and no more', async () => {
    const dora = await users.newUser();
    for (let n = 0; n < 100; n += 1) await add(dora);
    expect(await codeOf(dora, 'POST', '/v1/tracking-domains', { name: nextName() })).toEqual([
      400,
      'TOO_MANY_TRACKING_DOMAINS',
    ]);
  });

  it('is nobody else’s', async () => {
    const { id } = await add(ann);
    for (const [method, path] of [
      ['GET', `/v1/tracking-domains/${id}`],
      ['POST', `/v1/tracking-domains/${id}/check`],
      ['DELETE', `/v1/tracking-domains/${id}`],
    ] as const) {
      expect(await codeOf(bob, method, path)).toEqual([404, 'TRACKING_DOMAIN_NOT_FOUND']);
    }
  });

  it('starts its work again by a check where that has ended', async () => {
    const { id } = await add(ann);
    const { db } = users.database;
    await db
      .updateTable('operations')
      .set({ finished_at: new Date(), state: 'failed' })
      .where('resource_type', '=', 'tracking_domain')
      .where('resource_id', '=', id)
      .execute();
    await ann.ok('POST', `/v1/tracking-domains/${id}/check`);
    const operations = await db
      .selectFrom('operations')
      .select(['workflow_id', 'finished_at'])
      .where('resource_type', '=', 'tracking_domain')
      .where('resource_id', '=', id)
      .orderBy('id')
      .execute();
    expect(operations).toHaveLength(2);
    expect(operations[1]).toMatchObject({ finished_at: null });
    // The second check finds it at work.
    await ann.ok('POST', `/v1/tracking-domains/${id}/check`);
    const { run } = await db
      .selectFrom('tracking_domains')
      .select('run')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(run).toBe(2);
  });
});

describe('trackingDomainId of a campaign', () => {
  it('is null at first, is set and taken back, and copied with the campaign', async () => {
    const { id } = await add(ann);
    const plain = await ann.ok('POST', '/v1/campaigns', MESSAGE);
    expect(plain.trackingDomainId).toBeNull();
    const path = `/v1/campaigns/${plain.id}`;
    expect(await ann.ok('PATCH', path, { trackingDomainId: id })).toMatchObject({
      trackingDomainId: id,
    });
    expect(await ann.ok('POST', `${path}/duplicate`)).toMatchObject({ trackingDomainId: id });
    expect(await ann.ok('PATCH', path, { name: 'Other' })).toMatchObject({ trackingDomainId: id });
    expect(await ann.ok('PATCH', path, { trackingDomainId: null })).toMatchObject({
      trackingDomainId: null,
    });
  });

  it('is the account’s own', async () => {
    const { id } = await add(bob);
    const { status, body } = await ann.call('POST', '/v1/campaigns', {
      ...MESSAGE,
      trackingDomainId: id,
    });
    expect([status, body.code]).toEqual([400, 'TRACKING_DOMAIN_NOT_FOUND']);
    expect(body.details).toMatchObject([{ field: 'trackingDomainId' }]);
  });

  it('puts the links of previews on the name while that is active', async () => {
    const { id, name } = await add(ann);
    const campaign = await ann.campaign({ trackingDomainId: id }, 1);
    const path = `/v1/campaigns/${campaign.id}/preview`;
    const linkOf = async () =>
      /https?:\/\/\S+\/u\/preview/.exec((await ann.ok('POST', path)).text)![0];
    expect(await linkOf()).toBe(`${users.api.context.config.PUBLIC_URL}/u/preview`);
    await activate(id);
    expect(await linkOf()).toBe(`https://${name}/u/preview`);
    // Nobody listens any more, whatever the last look has shown.
    const { context } = users.api;
    const { config } = context;
    context.config = { ...config, LINKS_HOST: undefined };
    const isOff = await linkOf();
    context.config = config;
    expect(isOff).toBe(`${config.PUBLIC_URL}/u/preview`);
  });

  it('keeps a name from being deleted while the campaign is active, and is forgotten after', async () => {
    const { id } = await add(ann);
    const campaign = await ann.campaign({ trackingDomainId: id }, 1);
    const { db } = users.database;
    const setStatus = (status: 'active' | 'paused') =>
      db.updateTable('campaigns').set({ status }).where('id', '=', campaign.id).execute();
    await setStatus('active');
    expect(await codeOf(ann, 'DELETE', `/v1/tracking-domains/${id}`)).toEqual([
      400,
      'TRACKING_DOMAIN_IN_USE',
    ]);
    await setStatus('paused');
    expect(await ann.ok('DELETE', `/v1/tracking-domains/${id}`)).toEqual({ id });
    expect(await ann.ok('GET', `/v1/campaigns/${campaign.id}`)).toMatchObject({
      trackingDomainId: null,
    });
    expect(await codeOf(ann, 'GET', `/v1/tracking-domains/${id}`)).toEqual([
      404,
      'TRACKING_DOMAIN_NOT_FOUND',
    ]);
  });
});
