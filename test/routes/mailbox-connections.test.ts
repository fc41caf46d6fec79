/** The routes of connected mailboxes, without the workflow behind them. Choice 105. */
import { beforeAll, describe, expect, it } from 'vitest';
import { mailboxRoutes } from '../../src/routes/mailboxes/mailboxes.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  routes: mailboxRoutes,
  context: { startOperation: async () => false },
}));

const PASSWORD = 'abcd efgh ijkl mnop';
const OWN = {
  smtp: { host: 'smtp.acme.test', port: 587 },
  imap: { host: 'imap.acme.test', port: 993 },
};
let token: string;

beforeAll(async () => {
  token = await api.jwt('ann');
});

const connect = (body: object, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/mailboxes/connect', { token, body, headers });

const end = (id: number, status: 'active' | 'failed') =>
  database.db.transaction().execute(async (trx) => {
    const finished = { state: 'succeeded' as const, finished_at: new Date() };
    await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
    await trx.updateTable('mailboxes').set({ status }).where('id', '=', id).execute();
  });

describe('POST /v1/mailboxes/connect', () => {
  it('begins a proof at the servers of the preset, and shows no password', async () => {
    const { status, body } = await connect({
      email: 'Ann@Acme.test',
      password: PASSWORD,
      preset: 'google',
      senderName: 'Ann King',
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      email: 'ann@acme.test',
      status: 'pending',
      isActive: false,
      preset: 'google',
      username: 'ann@acme.test',
      smtp: { host: 'smtp.gmail.com', port: 465, tls: 'tls' },
      imap: { host: 'imap.gmail.com', port: 993, tls: 'tls' },
      state: 'proving',
      error: null,
    });
    expect(body.data.guidance).toContain('app password');
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
    const listed = await api.call('GET', '/v1/mailboxes', { token });
    expect(listed.body.data).toMatchObject([{ email: 'ann@acme.test', clusterId: 0 }]);
  });

  it('takes servers that are named, with TLS by the port', async () => {
    const { body } = await connect({ email: 'bea@acme.test', password: PASSWORD, ...OWN });
    expect(body.data).toMatchObject({
      preset: null,
      smtp: { ...OWN.smtp, tls: 'starttls' },
      imap: { ...OWN.imap, tls: 'tls' },
    });
  });

  it('answers a repeat with the mailbox of the first, and 400 MAILBOX_EXISTS another time', async () => {
    const order = { email: 'cy@acme.test', password: PASSWORD, preset: 'microsoft' };
    const key = { 'idempotency-key': 'connect-cy' };
    const [first, again] = [await connect(order, key), await connect(order, key)];
    expect(again.body.data.id).toBe(first.body.data.id);
    const other = await connect(order);
    expect([other.status, other.body.code]).toEqual([400, 'MAILBOX_EXISTS']);
  });

  it.each([
    ['no servers', {}, 'smtp'],
    ['a port that is not for mail', { ...OWN, smtp: { ...OWN.smtp, port: 22 } }, 'smtp.port'],
    ['a host that is no name', { ...OWN, imap: { ...OWN.imap, host: 'a b' } }, 'imap.host'],
    ['a password of two lines', { preset: 'google', password: 'a\r\nb' }, 'password'],
    ['an unknown preset', { preset: 'nobody' }, 'preset'],
  ])('refuses %s', async (_what, wrong, field) => {
    const { status, body } = await connect({ email: 'd@acme.test', password: 'p', ...wrong });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details.map((each: { field: string }) => each.field)).toContain(field);
  });
});

describe('PATCH /v1/mailboxes/:id/connection', () => {
  it('waits for the proof that runs, then proves what changed beside what is in use', async () => {
    const { body } = await connect({ email: 'eve@acme.test', password: PASSWORD, ...OWN });
    const { id } = body.data as { id: number };
    const path = `/v1/mailboxes/${id}/connection`;
    const patch = (change: object) => api.call('PATCH', path, { token, body: change });
    expect((await patch({ password: 'another' })).body.code).toBe('INVALID_STATE');
    await end(id, 'active');
    const imap = { host: 'imap2.acme.test', port: 143 };
    const changed = await patch({ password: 'another', imap });
    expect(changed.body.data).toMatchObject({
      status: 'active',
      state: 'proving',
      smtp: OWN.smtp,
      imap: { ...imap, tls: 'starttls' },
    });
    const read = await api.call('GET', path, { token });
    expect(read.body.data).toEqual(changed.body.data);
    const row = await database.db
      .selectFrom('connected_mailboxes')
      .selectAll()
      .where('mailbox_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.servers.imap.host).toBe(OWN.imap.host);
  });

  it('claims the address of a failed one again, unless it is taken', async () => {
    const order = { email: 'fay@acme.test', password: PASSWORD, ...OWN };
    const { id } = (await connect(order)).body.data as { id: number };
    await end(id, 'failed');
    const path = `/v1/mailboxes/${id}/connection`;
    const second = (await connect(order)).body.data as { id: number };
    const taken = await api.call('PATCH', path, { token, body: { password: 'b' } });
    expect(taken.body.code).toBe('MAILBOX_EXISTS');
    await end(second.id, 'failed');
    const { body } = await api.call('PATCH', path, { token, body: { password: 'b' } });
    expect(body.data).toMatchObject({ status: 'pending', state: 'proving' });
  });

  it('is 400 NOT_CONNECTED for a mailbox on a cluster, and 404 for a foreign one', async () => {
    const [own] = await addMailboxes(api.context, 'ann', { count: 1, domain: 'ours.test' });
    const read = await api.call('GET', `/v1/mailboxes/${own}/connection`, { token });
    expect([read.status, read.body.code]).toEqual([400, 'NOT_CONNECTED']);
    const { id } = (await connect({ email: 'g@acme.test', password: 'p', ...OWN })).body.data;
    const stranger = await api.jwt('stranger');
    const foreign = await api.call('GET', `/v1/mailboxes/${id}/connection`, { token: stranger });
    expect(foreign.status).toBe(404);
  });

  it('has no credentials to show or to rotate', async () => {
    const { id } = (await connect({ email: 'h@acme.test', password: 'p', ...OWN })).body.data;
    await end(id, 'active');
    const shown = await api.call('GET', `/v1/mailboxes/${id}/credentials`, { token });
    expect([shown.status, shown.body.code]).toEqual([400, 'INVALID_STATE']);
    const rotated = await api.call('POST', `/v1/mailboxes/${id}/rotate-password`, {
      token,
      body: {},
    });
    expect([rotated.status, rotated.body.code]).toEqual([400, 'INVALID_STATE']);
  });
});
