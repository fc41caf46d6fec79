/** The routes of files of mailboxes, without the workflow behind them. Choice 120. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowPasswordBinding } from '../../src/db/mailboxes/mailbox-imports.ts';
import type { Context } from '../../src/context.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { tablesWith } from '../support/database/database-search.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const { api, database } = describeApi(() => ({
  context: { temporal, startOperation: async () => true } as unknown as Partial<Context>,
}));
const signals: string[] = [];

const temporal = {
  withDeadline: (_deadline: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (id: string) => ({
      signal: async (signal: { name: string }) =>
        signals.push(`${signal.name} ${withoutRunKey(id)}`),
    }),
  },
};

const PASSWORD = 'canary, of a "file" 8Wq';
let token: string;

beforeAll(async () => {
  token = await api.jwt('ann');
});

const upload = (body: string | Uint8Array, { type = 'text/csv', query = '', key = '' } = {}) =>
  api.call('POST', `/v1/mailboxes/import${query}`, {
    token,
    body,
    headers: { 'content-type': type, ...(key && { 'idempotency-key': key }) },
  });
const json = (body: object) => api.call('POST', '/v1/mailboxes/import', { token, body });
const rowsOf = async (id: number, query = '') =>
  (await api.call('GET', `/v1/mailboxes/import/${id}/rows${query}`, { token })).body;

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('POST /v1/mailboxes/import', () => {
  it('reads a file by the charset of its Content-Type, and refuses one that it does not know', async () => {
    const rows = 'email,password,preset,senderName\ncyr@own.test,pw,google,\xcf\xf0\xe8\n';
    const file = (type: string) => upload(Buffer.from(rows, 'latin1'), { type });
    expect((await file('text/csv; charset=windows-1251')).status).toBe(201);
    const stored = database.db.selectFrom('mailbox_import_rows').select('sender_name');
    const named = stored.where('email', '=', 'cyr@own.test');
    expect(await named.execute()).toEqual([{ sender_name: 'При' }]);
    const refused = await file('text/csv; charset=klingon');
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });

  it('takes a file, and finds its columns in any order and case', async () => {
    const csv = [
      'Notes of the team;;;;;;',
      'DISPLAY NAME;E-Mail;App_Password;SMTP Host;smtp-port;ImapHost;Daily limit',
      `Ann King;Ann@Own.test;${quoted(PASSWORD)};smtp.own.test;587;imap.own.test;25`,
      '',
      'Bea;bea@own.test;abcd efgh;smtp.own.test;;imap.own.test;',
    ].join('\r\n');
    const { status, body } = await upload(csv, { query: '?fileName=team.csv' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'processing',
      fileName: 'team.csv',
      totalRows: 2,
      processedRows: 0,
      progressPercent: 0,
      counts: { waiting: 2, invalid: 0 },
      error: null,
    });
    const stored = await database.db
      .selectFrom('mailbox_import_rows')
      .selectAll()
      .where('import_id', '=', body.data.id)
      .orderBy('row_number')
      .execute();
    expect(stored).toMatchObject([
      {
        row_number: 3,
        email: 'ann@own.test',
        sender_name: 'Ann King',
        daily_limit: 25,
        servers: {
          username: 'ann@own.test',
          smtp: { host: 'smtp.own.test', port: 587, tls: 'starttls' },
          imap: { host: 'imap.own.test', port: 993, tls: 'tls' },
        },
      },
      { row_number: 5, email: 'bea@own.test', servers: { smtp: { port: 465, tls: 'tls' } } },
    ]);
    const id = { importId: body.data.id as number, row: 3 };
    const opened = api.context.cipher.open(stored[0]!.password!, rowPasswordBinding(id));
    expect(opened).toBe(PASSWORD);
    expect(await tablesWith(database, PASSWORD)).toEqual([]);
  });

  it('names bad rows by row and field, tells duplicates apart, and repeats no password', async () => {
    const secret = 'canary-of-a-bad-row-2Jd';
    const csv = [
      'email,password,preset,smtpHost,smtpPort,imapHost,imapPort,dailyLimit',
      `ok@bad.test,${secret},google,,,,,`,
      `no-preset@bad.test,${secret},,,,,,`,
      `${secret},${secret},google,,,,,`,
      `none@bad.test,,google,,,,,`,
      `port@bad.test,${secret},,smtp.bad.test,25,imap.bad.test,,`,
      `host@bad.test,${secret},,${secret}!,,imap.bad.test,,`,
      `limit@bad.test,${secret},google,,,,,${secret}`,
      `vendor@bad.test,${secret},${secret},,,,,`,
      `OK@bad.test,${secret},Yahoo,,,,,`,
    ].join('\n');
    const { body } = await json({ csv });
    expect(body.data.counts).toMatchObject({ waiting: 1, invalid: 7, duplicate: 1 });
    const { data } = await rowsOf(body.data.id);
    const told = data.map((row: Record<string, unknown>) => [
      row['row'],
      row['state'],
      row['field'],
    ]);
    expect(told).toEqual([
      [2, 'waiting', null],
      [3, 'invalid', 'smtpHost'],
      [4, 'invalid', 'email'],
      [5, 'invalid', 'password'],
      [6, 'invalid', 'smtpPort'],
      [7, 'invalid', 'smtpHost'],
      [8, 'invalid', 'dailyLimit'],
      [9, 'invalid', 'preset'],
      [10, 'duplicate', null],
    ]);
    expect(data[1].error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'smtpHost is required without a preset; imapHost is required without a preset',
    });
    expect(data[4].error.message).toBe('smtpPort must be one of 465, 587, 2525');
    expect([data[2].email, data[3].email]).toEqual([null, 'none@bad.test']);
    expect(data[8].error.message).toBe('row 2 has the same address');
    expect(JSON.stringify(data)).not.toContain(secret);
    expect(await tablesWith(database, secret)).toEqual([]);
  });

  it.each([
    ['an empty file', '', 'csv is empty'],
    ['a header alone', 'email,password\n', 'csv has no rows'],
    ['no column of passwords', 'email,name\na@b.test,Ann\n', 'csv has no column "password"'],
    ['no header', 'a@b.test,secret-in-the-first-row\n', 'csv has no header'],
    ['a workbook', 'PK\u0003\u0004', 'csv is a workbook'],
  ])('refuses %s, and shows nothing of it', async (_what, csv, words) => {
    const { status, body } = await json({ csv });
    expect([status, body.code, body.details[0].field]).toEqual([400, 'VALIDATION_ERROR', 'csv']);
    expect(body.details[0].message).toContain(words);
    expect(JSON.stringify(body)).not.toContain('secret-in-the-first-row');
  });

  it('begins one import for a request that is repeated', async () => {
    const csv = 'email,password,preset\nonce@own.test,p,google\n';
    const [first, again] = [
      await upload(csv, { key: 'file-1' }),
      await upload(csv, { key: 'file-1' }),
    ];
    expect(again.body.data).toEqual(first.body.data);
    const listed = await api.call('GET', '/v1/operations?resourceType=mailbox_import', { token });
    const ids = listed.body.data.map((one: { resource: { id: number } }) => one.resource.id);
    expect(ids.filter((id: number) => id === first.body.data.id)).toHaveLength(1);
  });
});

describe('GET /v1/mailboxes/import', () => {
  it('lists imports, newest first, and rows page by page and by state', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => `p${n}@pages.test,p,google`);
    const file = ['email,password,preset', ...rows, 'x,y,z'].join('\n');
    const { id } = (await json({ csv: file })).body.data as { id: number };
    const listed = await api.call('GET', '/v1/mailboxes/import?status=processing', { token });
    expect(listed.body.data[0]).toMatchObject({ id, totalRows: 31 });
    const second = await rowsOf(id, '?page=2&limit=20');
    expect(second.meta.pagination.total).toBe(31);
    expect(second.data.map(({ row }: { row: number }) => row)).toEqual(
      Array.from({ length: 11 }, (_, n) => 22 + n),
    );
    expect((await rowsOf(id, '?state=invalid')).data).toMatchObject([{ row: 32 }]);
  });

  it('is 404 for another user', async () => {
    const { id } = (await json({ csv: 'email,password,preset\nq@own.test,p,google\n' })).body.data;
    const stranger = await api.jwt('stranger');
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['POST', '/cancel'],
    ] as const) {
      const answer = await api.call(method, `/v1/mailboxes/import/${id}${path}`, {
        token: stranger,
      });
      expect([answer.status, answer.body.code]).toEqual([404, 'MAILBOX_IMPORT_NOT_FOUND']);
    }
  });
});

describe('POST /v1/mailboxes/import/:id/cancel', () => {
  it('ends rows that wait, forgets their passwords, and may be repeated', async () => {
    const { id } = (await json({ csv: 'email,password,preset\nc@own.test,p,google\n' })).body.data;
    const cancel = () => api.call('POST', `/v1/mailboxes/import/${id}/cancel`, { token });
    const first = await cancel();
    expect(first).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    expect(first.body.data.counts).toMatchObject({ waiting: 0, cancelled: 1 });
    expect((await cancel()).body.data).toEqual(first.body.data);
    expect(signals).toEqual([`cancel mailbox-import/${id}`]);
    const { rows } = await sql<{ kept: boolean }>`select password is not null as kept
      from mailbox_import_rows where import_id = ${id}`.execute(database.db);
    expect(rows).toEqual([{ kept: false }]);
  });

  it('is INVALID_STATE for one that has ended, and the way of its operation', async () => {
    const { id } = (await json({ csv: 'email,password,preset\ne@own.test,p,google\n' })).body.data;
    const found = await api.call(
      'GET',
      `/v1/operations?resourceType=mailbox_import&resourceId=${id}`,
      { token },
    );
    const [operation] = found.body.data;
    expect(operation).toMatchObject({ kind: 'importMailboxes', actions: ['cancel'] });
    const answer = await api.call('POST', `/v1/operations/${operation.id}/cancel`, { token });
    expect(answer.status).toBe(200);
    await sql`update mailbox_imports set status = 'completed' where id = ${id}`.execute(
      database.db,
    );
    const late = await api.call('POST', `/v1/mailboxes/import/${id}/cancel`, { token });
    expect([late.status, late.body.code]).toEqual([400, 'INVALID_STATE']);
  });
});
