/** The routes of mailboxes, without the workflows behind them. Spec: Mailboxes; choices 27, 43, 57, 58. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/db/operations/operations.ts';
import { apiKeyRoutes } from '../../src/routes/accounts/api-keys.ts';
import { mailboxRoutes } from '../../src/routes/mailboxes/mailboxes.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import { describeApi } from '../support/api/describe-api.ts';

const DOMAIN = 'acme.test';

const { api, database } = describeApi(() => ({
  routes: (context) => [...apiKeyRoutes(context), ...mailboxRoutes(context)],
  context: { startOperation },
}));
let token: string;
/** A key without scopes. */
let plainKey: string;
let scopedKey: string;
let clusterId: number;
let ids: number[];
let foreign: { id: number; clusterId: number };

beforeAll(async () => {
  token = await api.jwt('ann');
  const makeKey = async (scopes: string[]) =>
    (await call('POST', '/api/keys', { body: { name: 'k', scopes } })).body.data.key as string;
  plainKey = await makeKey([]);
  scopedKey = await makeKey(['credentials:read']);
  await api.call('GET', '/v1/mailboxes', { token: await api.jwt('other') });
  ids = await addMailboxes(api.context, 'ann', { count: 3, domain: DOMAIN });
  const [foreignId] = await addMailboxes(api.context, 'other', { count: 1 });
  foreign = { id: foreignId!, clusterId: await clusterOf(foreignId!) };
  clusterId = await clusterOf(ids[0]!);
});

/** In place of the workflow: what it was asked for is done at once. */
async function startOperation(operation: Operation): Promise<boolean> {
  const { db } = database;
  const isRemoval = operation.kind === 'deleteMailbox';
  await db
    .updateTable('mailboxes')
    .set(isRemoval ? { status: 'deleted', password: null } : { status: 'active' })
    .where('id', '=', operation.resource_id)
    .execute();
  await db
    .updateTable('operations')
    .set({ state: 'succeeded', started_at: new Date(), finished_at: new Date() })
    .where('id', '=', operation.id)
    .execute();
  return true;
}

const clusterOf = async (id: number) =>
  (
    await database.db
      .selectFrom('mailboxes')
      .select('cluster_id')
      .$narrowType<{ cluster_id: number }>()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).cluster_id;

const call = (
  method: string,
  path: string,
  {
    as = token,
    ...options
  }: { as?: string; body?: unknown; headers?: Record<string, string> } = {},
) => api.call(method, path, { token: as, ...options });

const setPassword = async (id: number, password: string) => {
  const sealed = api.context.cipher.seal(password, `mailbox:${id}:password`);
  await database.db
    .updateTable('mailboxes')
    .set({ password: sealed })
    .where('id', '=', id)
    .execute();
};

describe('reading mailboxes (choice 27)', () => {
  it('shows one, and those of a cluster', async () => {
    const one = await call('GET', `/v1/mailboxes/${ids[0]}`);
    const shown = { id: ids[0], email: `m1@${DOMAIN}`, clusterId, isActive: true };
    expect(one.body.data).toMatchObject({ ...shown, status: 'active', senderName: null });
    const all = await call('GET', `/v1/mailboxes/cluster/${clusterId}?limit=2`);
    expect(all.body.data).toHaveLength(2);
    expect(all.body.meta.pagination).toMatchObject({ total: 3, hasNext: true });
  });

  it.each([
    ['GET', () => `/v1/mailboxes/${foreign.id}`, 'MAILBOX_NOT_FOUND'],
    ['PATCH', () => `/v1/mailboxes/${foreign.id}`, 'MAILBOX_NOT_FOUND'],
    ['DELETE', () => `/v1/mailboxes/${foreign.id}`, 'MAILBOX_NOT_FOUND'],
    ['GET', () => `/v1/mailboxes/${foreign.id}/credentials`, 'MAILBOX_NOT_FOUND'],
    ['POST', () => `/v1/mailboxes/${foreign.id}/rotate-password`, 'MAILBOX_NOT_FOUND'],
    ['GET', () => `/v1/mailboxes/cluster/${foreign.clusterId}`, 'CLUSTER_NOT_FOUND'],
    ['GET', () => `/v1/mailboxes/export?clusterId=${foreign.clusterId}`, 'CLUSTER_NOT_FOUND'],
  ])('a foreign one is missing: %s %s', async (method, path, code) => {
    const body = method === 'PATCH' ? { senderName: 'Mine' } : {};
    const answer = await call(method, path(), method === 'GET' ? {} : { body });
    expect([answer.status, answer.body.code]).toEqual([404, code]);
  });

  it('changes the name of the sender, and back', async () => {
    const path = `/v1/mailboxes/${ids[0]}`;
    const named = await call('PATCH', path, { body: { senderName: ' Ann Lee ' } });
    expect(named.body.data.senderName).toBe('Ann Lee');
    const twoLines = { senderName: 'X\r\nBcc: y@z.test' };
    const refused = await call('PATCH', path, { body: twoLines });
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    const back = await call('PATCH', path, { body: { senderName: null } });
    expect(back.body.data.senderName).toBeNull();
  });

  it('keeps a signature: text as it is, HTML without what acts', async () => {
    const path = `/v1/mailboxes/${ids[1]}`;
    const change = (signature: unknown) => call('PATCH', path, { body: { signature } });
    expect((await change('Ann Lee\nA < B')).body.data.signature).toBe('Ann Lee\nA < B');
    const html =
      '<p style="color:#777" onclick="x()">Ann<script>x()</script> <a href="javascript:x()">a</a> ' +
      '<a href="https://acme.test/">b</a><img src="https://acme.test/l.png" alt="Acme">' +
      '<b style="background:url(https://t.test/p)">c</b><iframe src="https://t.test"></iframe></p>';
    expect((await change(html)).body.data.signature).toBe(
      '<p style="color:#777">Ann <a>a</a> <a href="https://acme.test/">b</a>' +
        '<img src="https://acme.test/l.png" alt="Acme" /><b>c</b></p>',
    );
    const kept = await call('PATCH', path, { body: { senderName: 'Ann' } });
    expect(kept.body.data.signature).toContain('Ann <a>a</a>');
    const listed = await call('GET', '/v1/mailboxes');
    const row = listed.body.data.find(({ id }: { id: number }) => id === ids[1]);
    expect(row.signature).toBe(kept.body.data.signature);
    const long = await change('x'.repeat(10_001));
    expect([long.status, long.body.details[0].field]).toEqual([400, 'signature']);
    expect((await change(5)).body.code).toBe('VALIDATION_ERROR');
    // Nothing is left of it.
    expect((await change('<p><script>x()</script></p>')).body.data.signature).toBe('<p></p>');
    expect((await change('  ')).body.data.signature).toBeNull();
    expect((await change(null)).body.data.signature).toBeNull();
  });
});

describe('who may see passwords (choice 43)', () => {
  it.each(['/v1/mailboxes/export', '/v1/mailboxes/:id/credentials'])(
    '%s: a JWT, or a key with the scope',
    async (path) => {
      const at = path.replace(':id', String(ids[0]));
      const refused = await call('GET', at, { as: plainKey });
      expect([refused.status, refused.body.code]).toEqual([401, 'JWT_REQUIRED']);
      expect((await call('GET', at, { as: scopedKey })).status).toBe(200);
      expect((await call('GET', at)).status).toBe(200);
    },
  );

  it('shows the way in', async () => {
    const { body } = await call('GET', `/v1/mailboxes/${ids[0]}/credentials`);
    const at = (port: number) => ({ host: `mail.${DOMAIN}`, port, secure: true });
    const email = `m1@${DOMAIN}`;
    const login = { id: ids[0], email, username: email, password: 'pass' };
    expect(body.data).toEqual({ ...login, imap: at(993), smtp: at(465) });
  });
});

describe('GET /v1/mailboxes/export', () => {
  const first = `m1@${DOMAIN}`;
  const host = `mail.${DOMAIN}`;

  it.each([
    [
      'csv',
      'id,email,senderName,username,password,imapHost,imapPort,smtpHost,smtpPort,dailyLimit,signature',
    ],
    [
      'instantly',
      'Email,First Name,Last Name,IMAP Username,IMAP Password,IMAP Host,IMAP Port,' +
        'SMTP Username,SMTP Password,SMTP Host,SMTP Port,Daily Limit',
    ],
    [
      'smartlead',
      'from_name,from_email,user_name,password,smtp_host,smtp_port,imap_host,imap_port,' +
        'max_email_per_day',
    ],
  ])('%s: the columns that its reader asks for, passwords as they are', async (format, columns) => {
    // A spreadsheet's guard in front of these would make them wrong.
    await setPassword(ids[0]!, '=1+2,"quoted"');
    await setPassword(ids[1]!, '-begins-with-dash');
    const body = { senderName: 'Ann van Lee', signature: 'Ann at Acme' };
    await call('PATCH', `/v1/mailboxes/${ids[0]}`, { body });
    const answer = await call('GET', `/v1/mailboxes/export?format=${format}`);
    const [header, one, two] = (answer.body as string).split('\r\n');
    expect(header).toBe(columns);
    const rows: Record<string, string> = {
      csv: `${ids[0]},${first},Ann van Lee,${first},"=1+2,""quoted""",${host},993,${host},465,30,Ann at Acme`,
      instantly: `${first},Ann,van Lee,${first},"=1+2,""quoted""",${host},993,${first},"=1+2,""quoted""",${host},465,30`,
      smartlead: `Ann van Lee,${first},${first},"=1+2,""quoted""",${host},465,${host},993,30`,
    };
    expect(one).toBe(rows[format]);
    expect(two).toContain(',-begins-with-dash,');
    expect(answer.body).not.toContain('\uFEFF');
  });

  it('is a header where there is none, and knows no other format', async () => {
    const none = await call('GET', '/v1/mailboxes/export', { as: await api.jwt('nobody') });
    expect(none.body).toMatch(/^id,email,.*\r\n$/);
    expect((await call('GET', '/v1/mailboxes/export?format=xml')).status).toBe(400);
  });
});

describe('POST /v1/mailboxes/cluster/:clusterId/bulk (choice 58)', () => {
  const bulk = (mailboxes: object[], headers: Record<string, string> = {}) =>
    call('POST', `/v1/mailboxes/cluster/${clusterId}/bulk`, { body: { mailboxes }, headers });

  it('makes each by itself and tells of each what was wrong', async () => {
    const { status, body } = await bulk([
      { email: `Bulk1@${DOMAIN}`, password: 'a-good-password' },
      { email: `bulk2@${DOMAIN}` },
      { email: `bulk2@${DOMAIN}` },
      { email: 'bulk3@elsewhere.test' },
      { email: `m1@${DOMAIN}` },
      { email: 'nonsense' },
      { email: `bulk4@${DOMAIN}`, password: 'short' },
    ]);
    expect(status).toBe(201);
    const { created, failed } = body.data;
    expect(created.map(({ email }: { email: string }) => email)).toEqual([
      `bulk1@${DOMAIN}`,
      `bulk2@${DOMAIN}`,
    ]);
    expect(created[0].password).toBe('a-good-password');
    expect(created[1].password).toMatch(/^[\w][\w-]{23}$/);
    const codes = failed.map(({ email, code }: Record<string, string>) => `${code} ${email}`);
    expect(codes).toEqual([
      'VALIDATION_ERROR nonsense',
      `VALIDATION_ERROR bulk4@${DOMAIN}`,
      `MAILBOX_EXISTS bulk2@${DOMAIN}`,
      'EMAIL_DOMAIN_MISMATCH bulk3@elsewhere.test',
      `MAILBOX_EXISTS m1@${DOMAIN}`,
    ]);
  });

  it('takes 1 to 100', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ email: `x${n}@${DOMAIN}` }));
    expect((await bulk(many)).status).toBe(400);
    expect((await bulk([])).status).toBe(400);
    const { body } = await bulk(many.slice(0, 100));
    expect([body.data.created.length, body.data.failed]).toEqual([100, []]);
  });

  it('repeated after its answer was lost, meets what it made; nothing is readable at rest', async () => {
    const entries = [{ email: `again@${DOMAIN}`, password: 'canary-in-the-mine' }];
    const headers = { 'Idempotency-Key': 'bulk-again' };
    const one = await bulk(entries, headers);
    const rows = await database.db.selectFrom('idempotency_keys').selectAll().execute();
    const operations = await database.db.selectFrom('operations').selectAll().execute();
    expect(JSON.stringify([rows, operations])).not.toContain('canary-in-the-mine');
    expect(rows.map((row) => JSON.stringify(row)).join('')).not.toContain(
      JSON.stringify(Buffer.from('canary-in-the-mine')),
    );
    // The process died before it could store its answer.
    await database.db.deleteFrom('idempotency_keys').execute();
    const two = await bulk(entries, headers);
    expect(two.body.data).toEqual(one.body.data);
  });

  it('tells of one that was deleted meanwhile, and shows the passwords of the others', async () => {
    const entries = [{ email: `gone@${DOMAIN}` }, { email: `stays@${DOMAIN}` }];
    const headers = { 'Idempotency-Key': 'bulk-gone' };
    const one = await bulk(entries, headers);
    const [gone, stays] = one.body.data.created;
    expect((await call('DELETE', `/v1/mailboxes/${gone.id}`)).status).toBe(200);
    await database.db.deleteFrom('idempotency_keys').execute();
    const two = await bulk(entries, headers);
    expect([two.status, two.body.data.created]).toEqual([201, [stays]]);
    expect(two.body.data.failed).toMatchObject([
      { email: `gone@${DOMAIN}`, code: 'MAILBOX_NOT_FOUND' },
    ]);
  });
});

describe('DELETE /v1/mailboxes/:id (choice 27)', () => {
  it('is gone afterwards, and its address is free', async () => {
    const path = `/v1/mailboxes/cluster/${clusterId}`;
    const body = { email: `short-lived@${DOMAIN}` };
    const { id } = (await call('POST', path, { body })).body.data;
    const removed = await call('DELETE', `/v1/mailboxes/${id}`);
    expect(removed.body.data).toMatchObject({ id, isActive: false, status: 'deleted' });
    expect((await call('GET', `/v1/mailboxes/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/mailboxes/${id}`)).status).toBe(404);
    const again = await call('POST', path, { body });
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(id);
  });

  it('keeps the address until the host has let it go', async () => {
    const [, id] = ids;
    await database.db
      .updateTable('mailboxes')
      .set({ status: 'deleting' })
      .where('id', '=', id!)
      .execute();
    const repeated = await call('DELETE', `/v1/mailboxes/${id}`);
    expect(repeated.body.data).toMatchObject({ status: 'deleting', isActive: false });
    const body = { email: `m2@${DOMAIN}` };
    const answer = await call('POST', `/v1/mailboxes/cluster/${clusterId}`, { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'MAILBOX_EXISTS']);
    const rotated = await call('POST', `/v1/mailboxes/${id}/rotate-password`, { body: {} });
    expect([rotated.status, rotated.body.code]).toEqual([400, 'INVALID_STATE']);
  });

  it('takes no other password while one is being changed, and goes all the same', async () => {
    const [, , id] = ids;
    const { context } = api;
    const start = context.startOperation;
    context.startOperation = async () => false;
    const rotated = await call('POST', `/v1/mailboxes/${id}/rotate-password`, { body: {} });
    context.startOperation = start;
    expect(rotated.body.data).toMatchObject({ isInForce: false, isActive: true });
    const { body } = await call('GET', `/v1/mailboxes/${id}/credentials`);
    expect(body.data.password).toBe('pass');
    const another = await call('POST', `/v1/mailboxes/${id}/rotate-password`, { body: {} });
    expect([another.status, another.body.code]).toEqual([400, 'INVALID_STATE']);
    const deleted = await call('DELETE', `/v1/mailboxes/${id}`);
    expect([deleted.status, deleted.body.data.status]).toEqual([200, 'deleted']);
  });
});
