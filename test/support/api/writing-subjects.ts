/** What requests of an account need: rows of all kinds, made for one test. */
import { randomUUID } from 'node:crypto';
import { insertConnection } from '../../../src/db/mailboxes/connected-mailboxes.ts';
import { sql } from 'kysely';
import { insertOperationEvent } from '../../../src/db/operations/operations.ts';
import { addMessage } from '../inbox/inbox-messages.ts';
import { MESSAGE } from '../campaigns/campaign-users.ts';
import { addLeads, addMailboxes } from '../campaigns/campaign-world.ts';
import { happen } from '../webhooks/events.ts';
import type { AuditedWorld } from './audited-world.ts';

export type Asked = [path: string, body?: unknown];
export type Requests = Record<string, (world: AuditedWorld) => Promise<Asked>>;

export const LEAD = { personFirstName: 'Ada', personLastName: 'Lovelace' };
export const HOOK = { url: 'https://hooks.example.com/secret-path', events: ['*'] };
export const SEARCH = { searchStringsArray: ['florist'] };
export const name = () => `n${randomUUID().slice(0, 8)}`;
export const email = () => `${name()}@client.test`;

export const mailbox = async ({ users, userId }: AuditedWorld) =>
  (await addMailboxes(users.api.context, userId, { count: 1 }))[0]!;
/** One that lives elsewhere and is in use. */
export const connectedMailbox = async (world: AuditedWorld) => {
  const { db, userId } = world;
  const mailboxId = await mailbox(world);
  await db.updateTable('mailboxes').set({ cluster_id: null }).where('id', '=', mailboxId).execute();
  const server = (port: number) => ({ host: 'mail.elsewhere.test', port, tls: 'tls' as const });
  const servers = { username: 'own', smtp: server(465), imap: server(993) };
  const of = { mailboxId, userId, preset: null };
  await db
    .transaction()
    .execute((trx) => insertConnection(trx, of, { servers, proofId: randomUUID() }));
  return mailboxId;
};
export const lead = async ({ db, userId }: AuditedWorld) => (await addLeads(db, userId, 1))[0]!;
export const made = async (world: AuditedWorld, path: string, body: object) =>
  (await world.ok('POST', path, body)).id as number;
export const list = (world: AuditedWorld) => made(world, '/v1/lead-lists', { name: 'L' });
export const company = async (world: AuditedWorld) => {
  const people = [{ firstName: 'Ada', lastName: 'King', email: email() }];
  const order = { company_name: name(), leadListId: await list(world), people };
  await world.ok('POST', '/v1/leads', order);
  const [found] = await world.ok('GET', `/v1/companies?leadListId=${order.leadListId}`);
  return found.id as number;
};
export const clusterOf = async (world: AuditedWorld) => {
  const { db } = world;
  const id = await mailbox(world);
  const row = await db
    .selectFrom('mailboxes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const found = await db
    .selectFrom('clusters')
    .selectAll()
    .where('id', '=', row.cluster_id)
    .executeTakeFirstOrThrow();
  return { id: found.id, domainId: found.domain_id, domain: found.name, mailboxId: id };
};
export const ordered = async (world: AuditedWorld, state: 'failed' | 'blocked' | 'running') => {
  const id = await made(world, '/v1/clusters/create', { domain: `${name()}.com` });
  const status = state === 'failed' ? 'failed' : 'provisioning';
  await world.db.updateTable('clusters').set({ status }).where('id', '=', id).execute();
  const { rows } = await sql<{ id: number }>`
    update operations set started_at = now(), state = ${state}, step = 'server_create',
      blocked_at = ${state === 'blocked' ? new Date() : null},
      finished_at = ${state === 'failed' ? new Date() : null}
    where resource_type = 'cluster' and resource_id = ${id} returning id`.execute(world.db);
  if (state === 'blocked') {
    const event = { operationId: rows[0]!.id, kind: 'blocked', step: 'server_create' } as const;
    const words = { actor: 'system', reason: 'no capacity', detail: { actions: ['retry'] } };
    await insertOperationEvent(world.db, { ...event, ...words });
  }
  if (state === 'failed') {
    await sql`update domains set status = 'failed' where id = (
      select domain_id from clusters where id = ${id})`.execute(world.db);
  }
  return { id, operationId: rows[0]!.id };
};
export const domain = async (world: AuditedWorld) => {
  const { domainId: id } = await clusterOf(world);
  await sql`delete from mailboxes where cluster_id in (select id from clusters where domain_id = ${id})`.execute(
    world.db,
  );
  await sql`delete from clusters where domain_id = ${id}`.execute(world.db);
  return id;
};
export const campaign = async (world: AuditedWorld, ...requests: string[]) => {
  const assignedMailboxes = [await mailbox(world)];
  const id = await made(world, '/v1/campaigns', { ...MESSAGE, assignedMailboxes });
  const leadIds = [await lead(world)];
  await world.ok('POST', `/v1/campaigns/${id}/leads`, { leadIds });
  for (const request of requests) await world.ok('POST', `/v1/campaigns/${id}/${request}`);
  return { id, leadIds, path: `/v1/campaigns/${id}` };
};
export const process = async (world: AuditedWorld, ...requests: string[]) => {
  const id = await made(world, '/v1/leads/process', { searchTerm: name() });
  for (const request of requests) await world.ok('POST', `/v1/leads/process/${id}/${request}`);
  return `/v1/leads/process/${id}`;
};
export const run = async (world: AuditedWorld, status?: 'completed') => {
  const id = await made(world, '/v1/maps-scraper/runs', {
    ...SEARCH,
    leadListId: await list(world),
  });
  if (status)
    await world.db.updateTable('maps_runs').set({ status }).where('id', '=', id).execute();
  return `/v1/maps-scraper/runs/${id}`;
};
export const schedule = async (world: AuditedWorld) => {
  const order = { name: 'Weekly', mapsRun: SEARCH, times: { time: '09:30' } };
  return `/v1/schedules/${await made(world, '/v1/schedules', order)}`;
};
export const message = async (world: AuditedWorld) => {
  const { id } = await addMessage(world.db, {
    userId: world.userId,
    mailboxId: await mailbox(world),
  });
  return id;
};
export const warmup = async (world: AuditedWorld, ...actions: string[]) => {
  const path = `/v1/warmup/mailboxes/${await mailbox(world)}`;
  for (const action of actions) await world.ok('POST', `${path}/${action}`);
  return path;
};
export const webhook = async (world: AuditedWorld) => {
  const { rows } = await sql<{
    id: number;
  }>`select id from webhooks order by id desc limit 15`.execute(world.db);
  return rows[0] && rows.length > 10 ? rows[0].id : made(world, '/v1/webhooks', HOOK);
};
export const delivery = async (world: AuditedWorld) => {
  const { db, userId } = world;
  const id = await made(world, '/v1/webhooks', HOOK);
  await happen(db, [{ userId, type: 'email.sent', resource: `lead/${id}`, payload: {} }]);
  const [one] = await world.ok('GET', `/v1/webhooks/${id}/deliveries`);
  return { webhookId: id, id: one.id as number };
};
