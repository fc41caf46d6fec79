/** The inbox over HTTP: pages, filters, whole messages, read state. Spec: Inbox; choices 34, 46, 47. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { returnSnoozed } from '../../src/db/inbox/snoozed-messages.ts';
import {
  addMessage,
  addMailbox,
  readCounts,
  type MessageOptions,
} from '../support/inbox/inbox-messages.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi();
let users = 0;

const AT = new Date('2026-05-01T10:00:00.000Z').getTime();
const minute = (n: number) => new Date(AT + n * 60_000);

/** A user with a mailbox, and calls in their name. */
async function newReader() {
  const userId = `reader-${++users}`;
  const token = await api.jwt(userId);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token, ...(body && { body }) });
  await call('GET', '/v1/inbox');
  const { mailboxId, email } = await addMailbox(database.db, userId);
  const add = (options: Partial<MessageOptions> = {}) =>
    addMessage(database.db, { userId, mailboxId, ...options });
  const list = async (query = '') => (await call('GET', `/v1/inbox${query}`)).body.data;
  const ids = async (query = '') =>
    (await list(query)).items.map(({ id }: { id: number }) => id) as number[];
  return { userId, mailboxId, email, call, add, list, ids };
}

describe('GET /v1/inbox', () => {
  it('answers items and pagination inside data, newest first, 20 by default (Spec: Inbox)', async () => {
    const reader = await newReader();
    for (let n = 0; n < 23; n += 1) await reader.add({ subject: `s${n}`, sentAt: minute(n) });
    const data = await reader.list();
    expect(data.items).toHaveLength(20);
    expect(data.items[0]).toMatchObject({
      id: expect.any(Number),
      from: 'ada@client.test',
      to: 'ann@host.test',
      subject: 's22',
      snippet: 'Hi there',
      sent_at: minute(22).toISOString(),
      is_read: false,
      direction: 'inbound',
      has_attachments: false,
    });
    const { nextCursor, ...pagination } = data.pagination;
    expect(pagination).toEqual({ page: 1, limit: 20, total: 23, totalPages: 2, hasNext: true });
    const last = await reader.list('?page=2');
    expect(last.items.map(({ subject }: { subject: string }) => subject)).toEqual([
      's2',
      's1',
      's0',
    ]);
    expect(last.pagination).toMatchObject({ hasNext: false, nextCursor: null });
    expect(await reader.list(`?cursor=${nextCursor}`)).toEqual({
      items: last.items,
      pagination: { limit: 20, hasNext: false, nextCursor: null },
    });
  });

  it('goes by arrival, whatever a message says of its own date', async () => {
    const reader = await newReader();
    const add = (subject: string, sent: number, received: number) =>
      reader.add({ subject, sentAt: minute(sent), receivedAt: minute(received) });
    await add('written last year', -500_000, 2);
    await add('of an erring clock', 9, 1);
    await add('as it came', 3, 3);
    const all = await reader.list();
    const subjects = all.items.map(({ subject }: { subject: string }) => subject);
    expect(subjects).toEqual(['as it came', 'written last year', 'of an erring clock']);
    const since = await reader.list(`?since=${minute(2).toISOString()}`);
    expect(since.items).toHaveLength(2);
    const page = await reader.list('?limit=1');
    const next = await reader.list(`?limit=1&cursor=${page.pagination.nextCursor}`);
    expect(next.items[0]).toMatchObject({
      subject: 'written last year',
      sent_at: minute(-500_000).toISOString(),
    });
  });

  it('visits every message once by cursor, also where times are equal (Choice 47)', async () => {
    const reader = await newReader();
    const all = [];
    for (let n = 0; n < 9; n += 1) all.push((await reader.add({ sentAt: minute(n >> 2) })).id);
    const seen: number[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { items, pagination } = await reader.list(query);
      seen.push(...items.map(({ id }: { id: number }) => id));
      query = pagination.nextCursor ? `?limit=2&cursor=${pagination.nextCursor}` : '';
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(all);
  });

  it.each(['page=0', 'page=x', 'limit=0', 'limit=1.5', 'cursor=x', 'direction=up', 'isRead=maybe'])(
    '400 for %s (Choices 46, 47)',
    async (query) => {
      const reader = await newReader();
      const { status, body } = await reader.call('GET', `/v1/inbox?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: query.split('=')[0] }],
      });
    },
  );

  it('clamps a limit over 100 and says so (Choice 47)', async () => {
    const reader = await newReader();
    expect((await reader.list('?limit=500')).pagination.limit).toBe(100);
  });

  it('shows nobody the messages of somebody else', async () => {
    const [one, other] = [await newReader(), await newReader()];
    const { id, threadId } = await one.add();
    expect(await other.list('?view=all')).toMatchObject({ items: [], pagination: { total: 0 } });
    for (const [method, path, body] of [
      ['GET', `/v1/inbox/${id}`],
      ['PATCH', `/v1/inbox/${id}`, { is_read: true }],
      ['GET', `/v1/inbox/threads/${threadId}`],
    ] as const) {
      const foreign = await other.call(method, path, body);
      const missing = await other.call(method, path.replace(/\d+$/, '999999'), body);
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    const marked = await other.call('POST', '/v1/inbox/mark-read', { ids: [id] });
    expect(marked.body.data.ids).toEqual([]);
    expect((await one.list()).items[0].is_read).toBe(false);
  });

  it('filters as Choice 34 lists, alone and together', async () => {
    const reader = await newReader();
    const second = await addMailbox(database.db, reader.userId);
    const plain = await reader.add({ sentAt: minute(0), from: 'Bo@Acme.test', text: 'the offer' });
    const read = await reader.add({ sentAt: minute(1), isRead: true, subject: 'Invoice attached' });
    const sent = await reader.add({
      sentAt: minute(2),
      direction: 'outbound',
      isRead: true,
      to: ['cy@x.test'],
    });
    const reply = await reader.add({ sentAt: minute(3), kind: 'reply', labels: ['hot', 'demo'] });
    const there = await reader.add({ sentAt: minute(4), mailboxId: second.mailboxId });
    const away = await reader.add({ sentAt: minute(5), archived: true });
    const cases: [string, number[]][] = [
      ['?direction=outbound', [sent.id]],
      ['?isRead=true', [sent.id, read.id]],
      ['?isRead=false', [there.id, reply.id, plain.id]],
      [`?mailboxId=${second.mailboxId}`, [there.id]],
      ['?kind=reply', [reply.id]],
      ['?kind=message&isRead=false', [there.id, plain.id]],
      ['?label=hot', [reply.id]],
      ['?label=cold', []],
      ['?from=bo@acme.TEST', [plain.id]],
      ['?from=@acme.test', [plain.id]],
      ['?to=cy@x.test', [sent.id]],
      [`?since=${minute(3).toISOString()}`, [there.id, reply.id]],
      ['?view=archived', [away.id]],
      ['?view=snoozed', []],
      ['?view=all&direction=inbound&isRead=false', [away.id, there.id, reply.id, plain.id]],
      ['?search=offer', [plain.id]],
      ['?search=inv', [read.id]],
      ['?search=%22the+offer%22', [plain.id]],
      ['?search=invoice+or+offer', [read.id, plain.id]],
      ['?search=hi+-invoice&isRead=true', [sent.id]],
      ['?search=bo@acme.test', [plain.id]],
      ['?search=acm', [plain.id]],
      ["?search=o'b:*&direction=inbound", []],
      [`?threadId=${sent.threadId}`, [sent.id]],
    ];
    for (const [query, expected] of cases) {
      const { items, pagination } = await reader.list(query);
      expect([query, items.map(({ id }: { id: number }) => id)]).toEqual([query, expected]);
      expect(pagination.total).toBe(expected.length);
    }
  });

  it('reads no more rows for a page however many messages there are', async () => {
    const reader = await newReader();
    const { threadId } = await reader.add();
    await sql`insert into messages (user_id, mailbox_id, thread_id, direction, message_id,
        from_address, sent_at)
      select ${reader.userId}, ${reader.mailboxId}, ${threadId}, 'inbound', '<' || n || '@x.test>',
        'a@x.test', now() - n * interval '1 minute'
      from generate_series(1, 11000) as n`.execute(database.db);
    await database.analyze('messages');
    const { pagination } = await reader.list('?direction=inbound');
    expect(pagination).toMatchObject({ total: 10_000, totalIsCapped: true, hasNext: true });
    // Inserted past the counters: the total is read, not counted.
    expect((await reader.list()).pagination.total).toBe(1);
    const deep = await reader.list('?page=550');
    expect(deep.items).toHaveLength(20);
  });
});

describe('GET /v1/inbox/:id', () => {
  it('answers the whole message, and does not mark it as read (Choice 34)', async () => {
    const reader = await newReader();
    const { id } = await reader.add({
      fromName: 'Ada',
      text: 'Long text',
      html: '<p>Long text</p>',
      facts: { statusCode: '5.1.1' },
    });
    await sql`insert into attachments (message_id, part, filename, content_type, size_bytes)
      values (${id}, '2', 'offer.pdf', 'application/pdf', 1234)`.execute(database.db);
    const { status, body } = await reader.call('GET', `/v1/inbox/${id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      mailbox: reader.email,
      from_name: 'Ada',
      text: 'Long text',
      html: '<p>Long text</p>',
      facts: { statusCode: '5.1.1' },
      attachments: [{ filename: 'offer.pdf', content_type: 'application/pdf', size_bytes: 1234 }],
      campaign: null,
      lead: null,
      delivery: null,
      is_read: false,
    });
  });

  it('400 INVALID_INPUT for an id that is no number (Choice 46)', async () => {
    const reader = await newReader();
    const { status, body } = await reader.call('GET', '/v1/inbox/abc');
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('GET /v1/inbox/:id/attachments/:attachmentId', () => {
  it('404 ATTACHMENT_NOT_FOUND for what is of another message, of somebody else, or of none', async () => {
    const reader = await newReader();
    const [one, other] = [await reader.add(), await reader.add()];
    const stranger = await newReader();
    const theirs = await stranger.add();
    const attach = async (id: number) => {
      const { rows } = await sql<{ id: number }>`
        insert into attachments (message_id, part, filename, content_type, size_bytes)
        values (${id}, '2', 'offer.pdf', 'application/pdf', 1234) returning id`.execute(
        database.db,
      );
      return rows[0]!.id;
    };
    const ids = { own: await attach(one.id), theirs: await attach(theirs.id) };
    const answers = new Set<string>();
    for (const path of [
      `${one.id}/attachments/999999`,
      `${one.id}/attachments/${ids.theirs}`,
      `${other.id}/attachments/${ids.own}`,
      `${theirs.id}/attachments/${ids.theirs}`,
      // Its message is in no folder any more.
      `${one.id}/attachments/${ids.own}`,
    ]) {
      const { status, body } = await reader.call('GET', `/v1/inbox/${path}`);
      answers.add(`${status} ${body.code} ${body.error}`);
    }
    expect([...answers]).toEqual(['404 ATTACHMENT_NOT_FOUND Attachment not found']);
  });
});

describe('PATCH /v1/inbox/:id', () => {
  it('marks, labels and archives; what is left out stays; counters follow (Choice 34)', async () => {
    const reader = await newReader();
    const { id } = await reader.add({ labels: ['old'] });
    const path = `/v1/inbox/${id}`;
    const unread = async () =>
      (await reader.call('GET', '/v1/inbox/unread-count')).body.data.unread;
    expect(await unread()).toBe(1);
    const read = await reader.call('PATCH', path, { is_read: true });
    expect(read.body.data).toMatchObject({ is_read: true, labels: ['old'] });
    expect(await unread()).toBe(0);
    await reader.call('PATCH', path, { is_read: false, labels: ['a', 'b', 'a'] });
    expect((await reader.call('GET', '/v1/inbox/labels')).body.data).toEqual([
      { label: 'a', letters: 1 },
      { label: 'b', letters: 1 },
    ]);
    await reader.call('PATCH', path, { archived: true });
    expect(await unread()).toBe(0);
    expect(await reader.ids()).toEqual([]);
    expect(await reader.ids('?view=archived')).toEqual([id]);
    await reader.call('PATCH', path, { archived: false });
    expect(await unread()).toBe(1);
    const row = await database.db
      .selectFrom('messages')
      .select('seen_unpushed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.seen_unpushed).toBe(true);
  });

  it('snoozes until a time, after which the message is back', async () => {
    const reader = await newReader();
    const { id } = await reader.add();
    const until = new Date(Date.now() + 60_000);
    const { body } = await reader.call('PATCH', `/v1/inbox/${id}`, {
      snoozedUntil: until.toISOString(),
    });
    expect(body.data.snoozed_until).toBe(until.toISOString());
    expect([await reader.ids(), await reader.ids('?view=snoozed')]).toEqual([[], [id]]);
    const wake = (now: Date) =>
      database.db.transaction().execute((trx) => returnSnoozed(trx, reader.userId, now));
    await wake(new Date());
    expect(await reader.ids()).toEqual([]);
    await wake(until);
    expect(await reader.ids()).toEqual([id]);
    const past = await reader.call('PATCH', `/v1/inbox/${id}`, {
      snoozedUntil: '2020-01-01T00:00:00Z',
    });
    expect([past.status, past.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /v1/inbox/mark-read', () => {
  it('200 with the messages that it marked (Choices 57, 58)', async () => {
    const reader = await newReader();
    const ids = [(await reader.add()).id, (await reader.add()).id];
    const { status, body } = await reader.call('POST', '/v1/inbox/mark-read', {
      ids: [...ids, 999_999],
    });
    expect([status, body.data]).toEqual([200, { ids, is_read: true }]);
    await reader.call('POST', '/v1/inbox/mark-read', { ids: [ids[0]!], is_read: false });
    const { kept, counted, wrong } = await readCounts(database.db, reader.userId);
    expect([kept, wrong]).toEqual([{ messages: 2, unread: 1 }, 0]);
    expect(counted).toEqual(kept);
  });
});

describe('GET /v1/inbox/threads', () => {
  it('lists threads with their last message, and a thread with its messages (Choice 34)', async () => {
    const reader = await newReader();
    const { threadId } = await reader.add({ subject: 'Offer', sentAt: minute(0), isRead: true });
    await reader.add({ threadId, sentAt: minute(9), text: 'last words', from: 'bo@x.test' });
    await reader.add({ subject: 'Other', sentAt: minute(5), isRead: true });
    const { body } = await reader.call('GET', '/v1/inbox/threads');
    expect(body.data.pagination).toMatchObject({ page: 1, total: 2, hasNext: false });
    expect(body.data.items).toMatchObject([
      {
        id: threadId,
        subject: 'Offer',
        messages_count: 2,
        unread_count: 1,
        last_message: { from: 'bo@x.test', direction: 'inbound', snippet: 'last words' },
      },
      { subject: 'Other', messages_count: 1, unread_count: 0 },
    ]);
    const unread = await reader.call('GET', '/v1/inbox/threads?isRead=false');
    expect(unread.body.data.items).toHaveLength(1);
    const first = await reader.call('GET', '/v1/inbox/threads?limit=1');
    const { nextCursor } = first.body.data.pagination;
    const next = await reader.call('GET', `/v1/inbox/threads?limit=1&cursor=${nextCursor}`);
    expect(next.body.data.items).toMatchObject([{ subject: 'Other' }]);
    const whole = await reader.call('GET', `/v1/inbox/threads/${threadId}`);
    expect(whole.body.data.items.map(({ text }: { text: string }) => text)).toEqual([
      'Hi there',
      'last words',
    ]);
  });
});
