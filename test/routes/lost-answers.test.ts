/**
 * A POST whose process dies after its commit and before its answer is kept: the repeat under the same
 * `Idempotency-Key` is answered as the first one was, and nothing is done twice. Choice 51.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpStores } from '../../src/domain/accounts/http-stores.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { startTestApi, type TestAnswer, type TestApi } from '../support/api/api.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { happen } from '../support/webhooks/events.ts';
import { addMessage, addMailbox, openMailbox } from '../support/inbox/inbox-messages.ts';

let users: CampaignUsers;
/** It commits, and is gone before it can keep an answer. */
let dying: TestApi;
let user: CampaignUser;
let token: string;

beforeAll(async () => {
  users = await startCampaignUsers({
    maps: { apify: {} as never },
    mailboxOauth: {
      google: { name: 'google', consentUrl: async () => `https://c.test/${randomUUID()}` } as never,
    },
  });
  const { context } = users.api;
  const lost = async () => {
    throw new Error('the process is gone');
  };
  const httpStores: HttpStores = {
    ...context.httpStores,
    idempotency: { ...context.httpStores.idempotency, keep: lost },
    close: async () => undefined,
  };
  const logger = pino({ level: 'silent' });
  dying = await startTestApi({
    database: users.database,
    context: { ...context, httpStores, logger },
  });
  user = await users.newUser();
  token = await users.api.jwt(user.userId);
});
afterAll(async () => {
  await dying?.close();
  await users?.close();
});

const post = (api: TestApi, path: string, key: string, body?: unknown): Promise<TestAnswer> =>
  api.call('POST', path, {
    token,
    headers: { 'idempotency-key': key },
    ...(body !== undefined && { body }),
  });

/** The lease of whoever died has ended. */
const passLease = (key: string) =>
  sql`update idempotency_keys set lease_until = now() where key = ${key}`.execute(
    users.database.db,
  );

/** The text of all rows that a request could change; an update that changes nothing shows as well. */
async function everything(): Promise<Record<string, string>> {
  const { db } = users.database;
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('idempotency_keys', 'rate_counters')
      and has_table_privilege(oid, 'select')`.execute(db);
  const texts: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ text: string | null }>`
      select string_agg(t.xmin::text || t::text, E'\n' order by t::text) as text
      from ${sql.table(name)} t`.execute(db);
    texts[name] = found.rows[0]!.text ?? '';
  }
  return texts;
}

const LEAD = { personFirstName: 'Ada', personLastName: 'Lovelace' };
const HOOK = { url: 'https://hooks.example.com/x', events: ['*'] };
const email = () => `${randomUUID()}@client.test`;

const newLead = async () => {
  const { leads } = await user.ok('POST', '/v1/leads', { ...LEAD, personEmail: email() });
  return leads[0].id as number;
};
const newList = async () => (await user.ok('POST', '/v1/lead-lists', { name: 'L' })).id as number;
const newDelivery = async () => {
  const { id } = await user.ok('POST', '/v1/webhooks', HOOK);
  const { db } = users.database;
  const { userId } = user;
  await happen(db, [{ userId, type: 'email.sent', resource: `lead/${id}`, payload: {} }]);
  const [delivery] = await user.ok('GET', `/v1/webhooks/${id}/deliveries`);
  return { webhookId: id as number, id: delivery.id as number };
};
const campaignAfter = async (...requests: string[]) => {
  const { id } = await user.campaign();
  for (const request of requests) await user.ok('POST', `/v1/campaigns/${id}/${request}`);
  return id as number;
};
const campaignLead = async (...requests: string[]) => {
  const path = `/v1/campaigns/${await campaignAfter()}/leads`;
  const [{ leadId }] = await user.ok('GET', path);
  for (const request of requests) await user.ok('POST', `${path}/${leadId}/${request}`);
  return `${path}/${leadId}`;
};
const manyLeads = async (request: string): Promise<Asked> => {
  const path = `/v1/campaigns/${await campaignAfter()}/leads`;
  const rows = await user.ok('GET', path);
  return [`${path}/${request}`, { leadIds: rows.map(({ leadId }: { leadId: number }) => leadId) }];
};
const processAfter = async (...requests: string[]) => {
  const { id } = await user.ok('POST', '/v1/leads/process', { searchTerm: randomUUID() });
  for (const request of requests) await user.ok('POST', `/v1/leads/process/${id}/${request}`);
  return id as number;
};
const mailboxAfter = async (...actions: string[]) => {
  const [id] = await user.mailboxes(1);
  for (const action of actions) await user.ok('POST', `/v1/warmup/mailboxes/${id}/${action}`);
  return id!;
};

type Asked = [path: string, body?: unknown];

/** What each route is asked, after what it needs was made. */
const requests: Record<string, () => Promise<Asked>> = {
  '/api/keys': async () => ['/api/keys', { name: 'k' }],
  '/api/keys/:id/rotate': async () => {
    const { id } = await user.ok('POST', '/api/keys', { name: 'k' });
    return [`/api/keys/${id}/rotate`, {}];
  },
  '/v1/campaigns': async () => ['/v1/campaigns', MESSAGE],
  '/v1/campaigns/:id/duplicate': async () => [`/v1/campaigns/${await campaignAfter()}/duplicate`],
  '/v1/campaigns/:id/leads': async () => [
    `/v1/campaigns/${await campaignAfter()}/leads`,
    { leadIds: await user.leads(2) },
  ],
  '/v1/campaigns/:id/leads/:leadId/pause': async () => [`${await campaignLead()}/pause`],
  '/v1/campaigns/:id/leads/:leadId/resume': async () => [`${await campaignLead('pause')}/resume`],
  '/v1/campaigns/:id/leads/bulk-pause': () => manyLeads('bulk-pause'),
  '/v1/campaigns/:id/leads/bulk-resume': () => manyLeads('bulk-resume'),
  '/v1/campaigns/:id/leads/bulk-remove': () => manyLeads('bulk-remove'),
  '/v1/campaigns/:id/start': async () => [`/v1/campaigns/${await campaignAfter()}/start`],
  '/v1/campaigns/:id/pause': async () => [`/v1/campaigns/${await campaignAfter('start')}/pause`],
  '/v1/campaigns/:id/resume': async () => [
    `/v1/campaigns/${await campaignAfter('start', 'pause')}/resume`,
  ],
  '/v1/campaigns/:id/cancel': async () => [`/v1/campaigns/${await campaignAfter('start')}/cancel`],
  '/v1/leads/:id/erase': async () => [`/v1/leads/${await newLead()}/erase`],
  '/v1/erasures': async () => ['/v1/erasures', { email: email() }],
  '/v1/inbox/mark-read': async () => {
    const { db } = users.database;
    const { mailboxId } = await addMailbox(db, user.userId);
    const { id } = await addMessage(db, { userId: user.userId, mailboxId });
    return ['/v1/inbox/mark-read', { ids: [id] }];
  },
  '/v1/inbox/:id/cancel': async () => {
    const { db } = users.database;
    const { mailboxId } = await openMailbox(users.api.context, user.userId);
    const { id } = await addMessage(db, { userId: user.userId, mailboxId });
    const inAnHour = new Date(users.clock.at.getTime() + 3_600_000).toISOString();
    const body = { body: 'Later', sendAt: inAnHour };
    const reply = await user.ok('POST', `/v1/inbox/${id}/reply`, body);
    return [`/v1/inbox/${reply.id}/cancel`];
  },
  '/v1/custom-fields': async () => ['/v1/custom-fields', { name: 'industry', type: 'text' }],
  '/v1/lead-lists': async () => ['/v1/lead-lists', { name: 'List' }],
  '/v1/mailboxes/connect/oauth': async () => [
    '/v1/mailboxes/connect/oauth',
    { provider: 'google' },
  ],
  '/v1/leads/process/:id/pause': async () => [`/v1/leads/process/${await processAfter()}/pause`],
  '/v1/leads/process/:id/resume': async () => [
    `/v1/leads/process/${await processAfter('pause')}/resume`,
  ],
  '/v1/leads/process/:id/cancel': async () => [`/v1/leads/process/${await processAfter()}/cancel`],
  '/v1/leads/bulk-delete': async () => ['/v1/leads/bulk-delete', { ids: [await newLead()] }],
  '/v1/leads/move': async () => [
    '/v1/leads/move',
    { ids: await user.leads(1), leadListId: await newList() },
  ],
  '/v1/maps-scraper/runs/:id/enrich': async () => {
    const { db } = users.database;
    const order = { searchStringsArray: ['bakery'] };
    const { id } = await user.ok('POST', '/v1/maps-scraper/runs', order);
    await db.updateTable('maps_runs').set({ status: 'completed' }).where('id', '=', id).execute();
    return [`/v1/maps-scraper/runs/${id}/enrich`, {}];
  },
  '/v1/leads': async () => ['/v1/leads', { ...LEAD, personEmail: email() }],
  '/v1/placement/seeds': async () => [
    '/v1/placement/seeds',
    { address: email(), provider: 'google', password: 'a password' },
  ],
  '/v1/tracking-domains': async () => [
    '/v1/tracking-domains',
    { name: `links.${randomUUID()}.test` },
  ],
  '/v1/tracking-domains/:id/check': async () => {
    const order = { name: `links.${randomUUID()}.test` };
    const { id } = await user.ok('POST', '/v1/tracking-domains', order);
    return [`/v1/tracking-domains/${id}/check`];
  },
  '/v1/suppressions': async () => ['/v1/suppressions', { email: email() }],
  '/v1/warmup/mailboxes/:id/start': async () => [
    `/v1/warmup/mailboxes/${await mailboxAfter()}/start`,
  ],
  '/v1/warmup/mailboxes/:id/pause': async () => [
    `/v1/warmup/mailboxes/${await mailboxAfter('start')}/pause`,
  ],
  '/v1/warmup/mailboxes/:id/resume': async () => [
    `/v1/warmup/mailboxes/${await mailboxAfter('start', 'pause')}/resume`,
  ],
  '/v1/warmup/mailboxes/:id/stop': async () => [
    `/v1/warmup/mailboxes/${await mailboxAfter('start')}/stop`,
  ],
  '/v1/webhooks': async () => ['/v1/webhooks', HOOK],
  '/v1/webhooks/:id/rotate-secret': async () => {
    const { id } = await user.ok('POST', '/v1/webhooks', HOOK);
    return [`/v1/webhooks/${id}/rotate-secret`];
  },
  '/v1/webhooks/deliveries/:id/redeliver': async () => [
    `/v1/webhooks/deliveries/${(await newDelivery()).id}/redeliver`,
  ],
  '/v1/webhooks/:id/deliveries/:deliveryId/redeliver': async () => {
    const { webhookId, id } = await newDelivery();
    return [`/v1/webhooks/${webhookId}/deliveries/${id}/redeliver`];
  },
};

it('every POST that is not repeatable by itself is tried here', () => {
  const routes = createRoutes(users.api.context).filter(
    (route) => route.method === 'post' && !route.public && !route.repeatable,
  );
  expect(Object.keys(requests).toSorted()).toEqual(routes.map(({ path }) => path).toSorted());
});

it.each(Object.keys(requests))('POST %s', async (route) => {
  const [path, body] = await requests[route]!();
  const key = randomUUID();
  const first = await post(dying, path, key, body);
  expect(first).toMatchObject({ body: { success: true } });
  const before = await everything();
  await passLease(key);
  const again = await post(users.api, path, key, body);
  expect(again.status).toBe(first.status);
  // Each request has an id of its own.
  expect(again.body).toEqual({ ...first.body, meta: { requestId: expect.any(String) } });
  expect(await everything()).toEqual(before);
  // From now on the answer itself is there.
  const third = await post(users.api, path, key, body);
  expect(third.headers.get('idempotent-replayed')).toBe('true');
  expect(third.body).toEqual(again.body);
});
