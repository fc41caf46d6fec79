/** The routes of connected mailboxes, without the workflow behind them. Choice 105. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { mailboxRoutes } from '../../src/routes/mailboxes/mailboxes.ts';
import { noteUnproven } from '../../src/transactions/mailboxes/connections.ts';
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

/** As the workflow ends a proof that did not succeed. */
const fail = (id: number) =>
  database.db.transaction().execute(async (trx) => {
    await noteUnproven(trx, id, { code: 'LOGIN_REFUSED', message: 'no' });
    const finished = { state: 'failed' as const, finished_at: new Date() };
    await trx.updateTable('operations').set(finished).where('resource_id', '=', id).execute();
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

  it('knows the servers of Microsoft, and what its administrators have to allow', async () => {
    const order = { email: 'max@acme.test', password: PASSWORD, preset: 'microsoft' };
    const { status, body } = await connect(order);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      preset: 'microsoft',
      username: 'max@acme.test',
      smtp: { host: 'smtp.office365.com', port: 587, tls: 'starttls' },
      imap: { host: 'outlook.office365.com', port: 993, tls: 'tls' },
      guidance: expect.stringMatching(/basic authentication.*Authenticated SMTP and IMAP/),
    });
    expect(body.data.guidance).toContain('https://mysignins.microsoft.com/security-info');
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

  it('tries a failed one again at the servers that it shows', async () => {
    const { body } = await connect({ email: 'ian@acme.test', password: 'wrong', ...OWN });
    const { id } = body.data as { id: number };
    await fail(id);
    const path = `/v1/mailboxes/${id}/connection`;
    const imap = { host: 'imap2.acme.test', port: 993 };
    await api.call('PATCH', path, { token, body: { imap, password: 'wrong' } });
    await fail(id);
    expect((await api.call('GET', path, { token })).body.data.imap).toMatchObject(imap);
    for (const change of [{ password: 'right' }, { password: 'another' }]) {
      const again = await api.call('PATCH', path, { token, body: change });
      expect(again.body.data).toMatchObject({ state: 'proving', imap, smtp: OWN.smtp });
      await fail(id);
    }
  });

  it('keeps nothing of a change that failed where the mailbox is in use', async () => {
    const { body } = await connect({ email: 'jo@acme.test', password: PASSWORD, ...OWN });
    const { id } = body.data as { id: number };
    await end(id, 'active');
    const path = `/v1/mailboxes/${id}/connection`;
    const imap = { host: 'wrong.acme.test', port: 993 };
    await api.call('PATCH', path, { token, body: { imap, password: PASSWORD } });
    await fail(id);
    const again = await api.call('PATCH', path, { token, body: { password: 'new' } });
    expect(again.body.data).toMatchObject({ status: 'active', imap: OWN.imap });
  });

  it('goes to the servers of a new preset, unless others are named', async () => {
    const order = { email: 'kim@acme.test', password: PASSWORD, preset: 'yahoo' };
    const { id } = (await connect(order)).body.data as { id: number };
    await fail(id);
    const path = `/v1/mailboxes/${id}/connection`;
    const patch = (change: object) => api.call('PATCH', path, { token, body: change });
    const moved = await patch({ preset: 'google', password: 'new' });
    expect(moved.body.data).toMatchObject({
      preset: 'google',
      smtp: { host: 'smtp.gmail.com' },
      imap: { host: 'imap.gmail.com' },
    });
    await fail(id);
    const named = await patch({ preset: 'microsoft', imap: OWN.imap, password: 'new' });
    expect(named.body.data).toMatchObject({
      smtp: { host: 'smtp.office365.com' },
      imap: OWN.imap,
    });
    await fail(id);
    const own = await patch({ preset: null, password: 'new' });
    expect(own.body.data).toMatchObject({ preset: null, imap: OWN.imap });
  });

  it('names in the audit log what changed, without the password', async () => {
    const { body } = await connect({ email: 'lea@acme.test', password: PASSWORD, ...OWN });
    const { id } = body.data as { id: number };
    const path = `/v1/mailboxes/${id}/connection`;
    const smtp = { host: 'smtp2.acme.test', port: 465 };
    for (const change of [{ smtp, password: 'new' }, { password: 'newer' }]) {
      await fail(id);
      await api.call('PATCH', path, { token, body: change });
    }
    const { rows } = await sql<{
      before: object;
      after: object;
    }>`select before, after from audit_log
      where action = 'mailboxes.updateConnection' and resource_id = ${String(id)} order by id`.execute(
      database.db,
    );
    expect(rows).toEqual([
      {
        before: { smtp: { ...OWN.smtp, tls: 'starttls' } },
        after: { smtp: { ...smtp, tls: 'tls' }, leftOut: ['password'] },
      },
      { before: {}, after: { leftOut: ['password'] } },
    ]);
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
