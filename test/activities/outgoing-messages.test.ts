/**
 * Messages that people write are sent once, whatever happens on the way. docs/sending-rules.md#send-once;
 * choice 34.
 */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { outgoingMessageActivities } from '../../activities/sending/outgoing-messages.ts';
import { outgoingMessageRows } from '../../src/db/sending/outgoing-messages.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { OperationEnd } from '../../src/domain/operations/objectives.ts';
import { compose } from '../../src/providers/mail-transport/mime.ts';
import type {
  ImapSession,
  MailTransport,
  SubmissionSession,
} from '../../src/providers/mail-transport/port.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMessage, openMailbox, readCounts } from '../support/inbox/inbox-messages.ts';
import { sql } from 'kysely';

let database: TestDatabase;
let api: TestApi;
const userId = 'writer';
let token: string;
let mailboxId: number;
let email: string;

/** What the mail host got, and how it behaves. */
const host = {
  sent: [] as { to: readonly string[]; raw: string }[],
  folder: [] as string[],
  next: undefined as ProviderError | undefined,
  isTextTaken: true,
  refused: [] as string[],
  areFilesGone: false,
  login: undefined as ProviderError | undefined,
};

const session: SubmissionSession = {
  async send({ to, raw }, beforeText) {
    await (host.isTextTaken && beforeText());
    if (host.next) throw host.next;
    host.sent.push({ to: [to].flat(), raw: raw.toString() });
    return { reply: '250 ok', refused: host.refused };
  },
  isUsable: () => true,
  close: () => undefined,
};

const mailTransport = {
  compose,
  openSubmission: async () => {
    if (host.login) throw host.login;
    return session;
  },
  openImap: async () =>
    ({
      folders: async () => [{ path: 'Sent', role: 'sent' }],
      search: async (_path, { value }) =>
        host.folder.flatMap((raw, n) => (raw.includes(value) ? [n + 1] : [])),
      append: async (_path, raw) => void host.folder.push(raw.toString()),
      download: async () => {
        if (host.areFilesGone) throw fail('rejected');
        return Readable.from([Buffer.from('the file')]);
      },
      close: async () => undefined,
    }) as Partial<ImapSession> as ImapSession,
} as Partial<MailTransport> as MailTransport;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    database,
    context: { mailTransport, startOperation: async () => false },
  });
  token = await api.jwt(userId);
  await api.call('GET', '/v1/inbox', { token });
  ({ mailboxId, email } = await openMailbox(api.context, userId));
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

const fail = (kind: ProviderError['kind'], reply?: string) =>
  new ProviderError(kind, kind, { provider: 'mail', ...(reply && { reply }) });

/** A reply to a new message, as the API stores it, and its activities. */
async function written(body: object = { body: 'Yes, gladly.' }) {
  Object.assign(host, { sent: [], folder: [], next: undefined, isTextTaken: true, refused: [] });
  const message = await addMessage(database.db, {
    userId,
    mailboxId,
    from: 'ada@client.test',
    subject: 'Your offer',
  });
  const path = `/v1/inbox/${message.id}/reply`;
  const { status, body: answer } = await api.call('POST', path, { token, body });
  expect([status, answer.data.delivery.state]).toEqual([201, 'queued']);
  const { id: outgoingId } = await database.db
    .selectFrom('outgoing_letters')
    .select('id')
    .where('message_id', '=', answer.data.id)
    .executeTakeFirstOrThrow();
  const activities = outgoingMessageActivities(api.context);
  return {
    message,
    answer: answer.data,
    outgoingId,
    send: () => activities.sendOutgoingLetter({ outgoingId }),
    file: () => activities.fileOutgoingLetter({ outgoingId }),
    delivery: async () =>
      (await api.call('GET', `/v1/inbox/${answer.data.id}`, { token })).body.data.delivery,
  };
}

describe('sendOutgoingLetter', () => {
  it('sends from the mailbox, in the thread, with copies and files (Choice 34)', async () => {
    const { message, answer, send, delivery } = await written({
      body: 'Yes, gladly.',
      bodyHtml: '<p>Yes, <img src="https://t.test/p.gif" alt="gladly">.</p>',
      cc: ['bo@client.test'],
      attachments: [{ filename: 'offer.txt', content: Buffer.from('cheap').toString('base64') }],
    });
    expect(answer).toMatchObject({
      from: email,
      to: 'ada@client.test',
      subject: 'Re: Your offer',
      direction: 'outbound',
      thread_id: message.threadId,
      in_reply_to: message.messageId,
      html: '<p>Yes, gladly.</p>',
      has_attachments: true,
      attachments: [{ filename: 'offer.txt', size_bytes: 5 }],
    });
    expect(await send()).toMatchObject({ isSent: true });
    expect(host.sent).toHaveLength(1);
    const [{ to, raw }] = host.sent as [(typeof host.sent)[0]];
    expect(to).toEqual(['ada@client.test', 'bo@client.test']);
    expect(raw).toContain(`In-Reply-To: ${message.messageId}\r\n`);
    expect(raw).toContain(`References: ${message.messageId}\r\n`);
    expect(raw).toContain(`Message-ID: ${answer.message_id}\r\n`);
    expect(raw).toContain('Cc: bo@client.test');
    expect(raw).toContain(Buffer.from('cheap').toString('base64'));
    expect(await delivery()).toEqual({ state: 'sent', failure: null });
  });

  it('has the signature of its mailbox under it, in both parts, and a forward above what it forwards', async () => {
    const sign = (signature: string | null) =>
      database.db.updateTable('mailboxes').set({ signature }).where('id', '=', mailboxId).execute();
    await sign('<p>Ann Lee<br><b>A &amp; B</b></p>');
    const body = { body: 'Yes.', bodyHtml: '<p>Yes.</p>' };
    const { message, answer, send } = await written(body);
    expect(answer.text).toBe('Yes.\n\nAnn Lee\nA & B');
    expect(answer.html).toContain('<p>Yes.</p>\n<p>Ann Lee<br /><b>A &amp; B</b></p>');
    await send();
    expect(host.sent[0]!.raw).toContain('<p>Ann Lee<br><b>A &amp; B</b></p>');
    // Without HTML of its own it stays text.
    const { answer: plain } = await written({ body: 'No.' });
    expect([plain.text, plain.html]).toEqual(['No.\n\nAnn Lee\nA & B', null]);
    const path = `/v1/inbox/${message.id}/forward`;
    const forwarded = await api.call('POST', path, { token, body: { to: 'bo@client.test' } });
    expect(forwarded.body.data.text).toMatch(/^Ann Lee\nA & B\n\n---------- Forwarded message/);
    await sign(null);
    expect((await written({ body: 'No.' })).answer.text).toBe('No.');
  });

  it('never sends twice, however often it is run', async () => {
    const { send, file } = await written();
    await send();
    await send();
    await file();
    await file();
    expect([host.sent.length, host.folder.length]).toEqual([1, 1]);
  });

  it('leaves a message alone whose process died after the text had begun', async () => {
    const { outgoingId, send, delivery } = await written();
    await sql`update outgoing_letters set state = 'sending', claimed_by = gen_random_uuid() where id = ${outgoingId}`.execute(
      database.db,
    );
    expect(await send()).toMatchObject({ isSent: false });
    expect(host.sent).toEqual([]);
    expect((await delivery()).state).toBe('uncertain');
  });

  it('is uncertain when the last answer was lost', async () => {
    const { send, delivery } = await written();
    host.next = fail('outcome_unknown');
    await send();
    host.next = undefined;
    await send();
    expect(host.sent).toEqual([]);
    expect((await delivery()).state).toBe('uncertain');
  });

  it.each([
    ['deferred after the text', 'rate_limited', true],
    ['not taken', 'unavailable', false],
  ] as const)('is tried again when %s', async (_when, kind, isTextTaken) => {
    const { send, delivery } = await written();
    Object.assign(host, { next: fail(kind), isTextTaken });
    await expect(send()).rejects.toThrow(kind);
    expect((await delivery()).state).toBe('queued');
    Object.assign(host, { next: undefined, isTextTaken: true });
    expect(await send()).toMatchObject({ isSent: true });
  });

  it('tells why a server refuses it, and for whom', async () => {
    const refused = await written();
    host.next = fail('rejected', '550 5.1.1 no such user');
    await refused.send();
    expect(await refused.delivery()).toEqual({
      state: 'failed',
      failure: '550 5.1.1 no such user',
    });
    const partly = await written({ body: 'x', cc: ['bo@client.test'] });
    host.refused = ['bo@client.test'];
    await partly.send();
    expect(await partly.delivery()).toEqual({
      state: 'sent',
      failure: 'Refused for bo@client.test',
    });
  });

  it('ends as its row says when the workflow gives up', async () => {
    const waiting = await written();
    const end = { outcome: 'failed', error: { code: 'X', message: 'The host is down' } } as const;
    await database.db
      .transaction()
      .execute((trx) => outgoingMessageRows.settle(trx, waiting.outgoingId, end));
    expect(await waiting.delivery()).toEqual({ state: 'failed', failure: 'The host is down' });
    expect(await waiting.send()).toMatchObject({ isSent: false });
    expect(host.sent).toEqual([]);
  });
});

describe('the end of its operation', () => {
  /** What a worker notes for the objective of success, once the activity has said that it is done. */
  async function outcomeOf(outgoingId: number): Promise<OperationEnd['outcome'][]> {
    const { id: operationId } = await database.db
      .selectFrom('operations')
      .select('id')
      .where('resource_type', '=', 'outgoing_letter')
      .where('resource_id', '=', outgoingId)
      .executeTakeFirstOrThrow();
    const ends: OperationEnd[] = [];
    const operationEnds = { note: (end: OperationEnd) => void ends.push(end), register: () => {} };
    const activities = operationActivities({ ...api.context, operationEnds });
    await activities.finishOperation({ operationId, outcome: 'succeeded', steps: [] });
    return ends.map(({ outcome }) => outcome);
  }

  it.each([
    ['taken by a server', undefined, 'succeeded'],
    ['refused for the address', fail('rejected', '550 5.1.1 no such user'), 'declined'],
    ['refused for its sender', fail('rejected', '550 5.7.1 relaying denied'), 'failed'],
    ['refused without a reply', fail('rejected'), 'failed'],
    ['of unknown fate', fail('outcome_unknown'), 'failed'],
  ] as const)('counts a message that was %s by its row', async (_how, next, outcome) => {
    const { outgoingId, send } = await written();
    host.next = next;
    expect(await send()).toMatchObject({ isDone: true });
    expect(await outcomeOf(outgoingId)).toEqual([outcome]);
  });

  it('does not count what was cancelled, or is gone', async () => {
    const { outgoingId, send } = await written();
    await database.db
      .transaction()
      .execute((trx) => outgoingMessageRows.apply(trx, outgoingId, 'cancel'));
    expect(await send()).toMatchObject({ isSent: false });
    expect(await outcomeOf(outgoingId)).toEqual(['declined']);
    const other = await written();
    await sql`delete from outgoing_letters where id = ${other.outgoingId}`.execute(database.db);
    expect(await outcomeOf(other.outgoingId)).toEqual(['declined']);
  });

  it('names a login that the server of a connected mailbox refuses, which its owner cures', async () => {
    const { send } = await written();
    const servers = {
      smtp: { host: 'smtp.client.test', port: 465, tls: 'tls' },
      imap: { host: 'imap.client.test', port: 993, tls: 'tls' },
      username: 'ann',
    };
    host.login = fail('rejected');
    try {
      // A host of ours.
      await expect(send()).rejects.toMatchObject({ kind: 'rejected' });
      await sql`insert into connected_mailboxes (mailbox_id, servers)
        values (${mailboxId}, ${JSON.stringify(servers)}::jsonb)`.execute(database.db);
      await expect(send()).rejects.toMatchObject({
        code: 'LOGIN_REFUSED',
        message: 'SMTP at smtp.client.test refuses the user name or the password.',
      });
    } finally {
      host.login = undefined;
      await sql`delete from connected_mailboxes`.execute(database.db);
    }
  });
});

describe('fileOutgoingLetter', () => {
  it('puts one copy into the Sent folder, unless the server has done it', async () => {
    const { answer, send, file } = await written();
    await send();
    host.folder.push(`Message-ID: ${answer.message_id}\r\n\r\nby the server`);
    await file();
    expect(host.folder).toHaveLength(1);
  });
});

describe('POST /v1/inbox/:id/forward', () => {
  it('201: sends the message on with its files (Choices 34, 58)', async () => {
    const { message } = await written();
    await sql`insert into attachments (message_id, part, filename, content_type, size_bytes)
      values (${message.id}, '2', 'plan.pdf', 'application/pdf', 8)`.execute(database.db);
    await sql`insert into message_places (mailbox_id, path, uid, message_id)
      values (${mailboxId}, 'INBOX', ${message.id}, ${message.id})`.execute(database.db);
    const body = { to: 'Cy@Team.test', body: 'See below' };
    const path = `/v1/inbox/${message.id}/forward`;
    const { status, body: answer } = await api.call('POST', path, { token, body });
    expect([status, answer.data.to, answer.data.subject]).toEqual([
      201,
      'Cy@team.test',
      'Fwd: Your offer',
    ]);
    const { id: outgoingId } = await database.db
      .selectFrom('outgoing_letters')
      .select('id')
      .where('message_id', '=', answer.data.id)
      .executeTakeFirstOrThrow();
    await outgoingMessageActivities(api.context).sendOutgoingLetter({ outgoingId });
    expect(host.sent[0]!.raw).toContain('---------- Forwarded message ----------');
    expect(host.sent[0]!.raw).toContain(Buffer.from('the file').toString('base64'));
  });

  it.each([
    ['expunged', false],
    ['expunged a moment ago', true],
  ])('sends nothing when the files were %s at their host', async (_when, isPlaceKnown) => {
    const { message } = await written();
    await sql`insert into attachments (message_id, part, filename, content_type, size_bytes)
      values (${message.id}, '2', 'plan.pdf', 'application/pdf', 8)`.execute(database.db);
    if (isPlaceKnown) {
      await sql`insert into message_places (mailbox_id, path, uid, message_id)
        values (${mailboxId}, 'INBOX', ${message.id}, ${message.id})`.execute(database.db);
    }
    const path = `/v1/inbox/${message.id}/forward`;
    const body = { to: 'cy@team.test', body: 'See below' };
    const { body: answer } = await api.call('POST', path, { token, body });
    const { id: outgoingId } = await database.db
      .selectFrom('outgoing_letters')
      .select('id')
      .where('message_id', '=', answer.data.id)
      .executeTakeFirstOrThrow();
    host.areFilesGone = true;
    const sent = await outgoingMessageActivities(api.context).sendOutgoingLetter({ outgoingId });
    host.areFilesGone = false;
    expect(sent).toMatchObject({ isSent: false });
    expect(host.sent).toHaveLength(0);
    const after = await api.call('GET', `/v1/inbox/${answer.data.id}`, { token });
    expect(after.body.data.delivery).toEqual({
      state: 'failed',
      failure: 'Its files are gone from the mailbox',
    });
  });
});

describe('POST /v1/inbox/:id/reply', () => {
  it('answers a repeat with the first message (Choice 51)', async () => {
    const { message } = await written();
    const repeat = (key: string) =>
      api.call('POST', `/v1/inbox/${message.id}/reply`, {
        token,
        body: { body: 'Once' },
        headers: { 'idempotency-key': key },
      });
    const first = await repeat('k1');
    // The stored answer is lost, as by a process that died before it could be kept.
    await sql`delete from idempotency_keys`.execute(database.db);
    const second = await repeat('k1');
    const other = await repeat('k2');
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(other.body.data.id).not.toBe(first.body.data.id);
  });

  it.each([
    [{}, 'body'],
    [{ body: '' }, 'body'],
    [{ body: 'x', cc: ['nobody'] }, 'cc[0]'],
    [{ body: 'x', attachments: [{ filename: '../x', content: '' }] }, 'attachments[0].filename'],
    [{ body: 'x', attachments: [{ filename: 'x', content: '%' }] }, 'attachments[0].content'],
  ])('400 for %o', async (body, field) => {
    const { message } = await written();
    const path = `/v1/inbox/${message.id}/reply`;
    const answer = await api.call('POST', path, { token, body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
  });

  it('400 NO_RECIPIENT for a message without a sender, unless it says where to reply', async () => {
    const { message } = await written();
    const path = `/v1/inbox/${message.id}/reply`;
    const body = { body: 'Who are you?' };
    await sql`update messages set from_address = '' where id = ${message.id}`.execute(database.db);
    const refused = await api.call('POST', path, { token, body });
    expect([refused.status, refused.body.code]).toEqual([400, 'NO_RECIPIENT']);
    await sql`update messages set reply_to = 'desk@client.test' where id = ${message.id}`.execute(
      database.db,
    );
    const taken = await api.call('POST', path, { token, body });
    expect([taken.status, taken.body.data.to]).toEqual([201, 'desk@client.test']);
  });

  it('404 for the message of another user, 400 when the mailbox is gone', async () => {
    const { message } = await written();
    const path = `/v1/inbox/${message.id}/reply`;
    const stranger = await api.jwt('stranger');
    const foreign = await api.call('POST', path, { token: stranger, body: { body: 'x' } });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'MESSAGE_NOT_FOUND']);
    await sql`update mailboxes set status = 'deleted' where id = ${mailboxId}`.execute(database.db);
    const gone = await api.call('POST', path, { token, body: { body: 'x' } });
    expect([gone.status, gone.body.code]).toEqual([400, 'MAILBOX_NOT_ACTIVE']);
    await sql`update mailboxes set status = 'active' where id = ${mailboxId}`.execute(database.db);
  });
});

describe('GET /v1/inbox/:id/attachments/:attachmentId', () => {
  it('streams a file as a download under a harmless name (Choice 34)', async () => {
    const { message } = await written();
    const name = 'a"b\r\nX: y/ü.html';
    const { rows } = await sql<{ id: number }>`
      insert into attachments (message_id, part, filename, content_type, size_bytes)
      values (${message.id}, '2', ${name}, 'text/html', 8) returning id`.execute(database.db);
    const path = `/v1/inbox/${message.id}/attachments/${rows[0]!.id}`;
    expect((await api.call('GET', path, { token })).status).toBe(404);
    await sql`insert into message_places (mailbox_id, path, uid, message_id)
      values (${mailboxId}, 'INBOX', ${message.id}, ${message.id})`.execute(database.db);
    const { status, headers, body } = await api.call('GET', path, { token });
    expect([status, body]).toEqual([200, 'the file']);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="a_b__X_ y__.html"; filename*=UTF-8''a%22b__X%3A%20y_%C3%BC.html`,
    );
    const stranger = await api.jwt('stranger');
    expect((await api.call('GET', path, { token: stranger })).status).toBe(404);
  });

  it.each([
    [50_000_000, 200, undefined],
    [50_000_001, 400, 'ATTACHMENT_TOO_LARGE'],
  ])('of %i bytes: %i', async (size, status, code) => {
    const { message } = await written();
    const { rows } = await sql<{ id: number }>`
      insert into attachments (message_id, part, filename, content_type, size_bytes)
      values (${message.id}, '2', 'film.mp4', 'video/mp4', ${size}) returning id`.execute(
      database.db,
    );
    await sql`insert into message_places (mailbox_id, path, uid, message_id)
      values (${mailboxId}, 'INBOX', ${message.id}, ${message.id})`.execute(database.db);
    const path = `/v1/inbox/${message.id}/attachments/${rows[0]!.id}`;
    const answer = await api.call('GET', path, { token });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

it('keeps the counters exact', async () => {
  const { kept, counted, wrong } = await readCounts(database.db, userId);
  expect([kept, wrong]).toEqual([counted, 0]);
});
