/** Replies that wait for their time: changed, taken back, and sent once when it comes. Choice 126. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { outgoingMessageActivities } from '../../activities/sending/outgoing-messages.ts';
import type { Context } from '../../src/context.ts';
import { insertSuppressions } from '../../src/db/suppressions/suppressions.ts';
import { outgoingMessageRows } from '../../src/db/sending/outgoing-messages.ts';
import { releaseScheduled } from '../../src/db/inbox/scheduled-messages.ts';
import { MAX_SCHEDULED_MESSAGES } from '../../src/domain/inbox/inbox.ts';
import { erasedPerson } from '../../src/domain/suppressions/erased-person.ts';
import { eraseMessages } from '../../src/transactions/erasures/erase-messages.ts';
import { compose } from '../../src/providers/mail-transport/mime.ts';
import type { MailTransport } from '../../src/providers/mail-transport/port.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addMessage, openMailbox, readCounts } from '../support/inbox/inbox-messages.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const DAY_MS = 86_400_000;
const userId = 'writer';
let database: TestDatabase;
let api: TestApi;
let token: string;
let mailboxId: number;

/** How long ago the test began, on the clock of API and activities. */
let passedMs = 0;
const clock = { now: () => new Date(Date.now() + passedMs) };
const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString();

const sent: string[] = [];
const mailTransport = {
  compose,
  openSubmission: async () => ({
    async send({ raw }, beforeText) {
      await beforeText();
      sent.push(raw.toString());
      return { reply: '250 ok', refused: [] };
    },
    isUsable: () => true,
    close: () => undefined,
  }),
} as Partial<MailTransport> as MailTransport;

/** Workflows that were woken; undefined: Temporal cannot be reached. */
let woken: string[] | undefined;
const temporal = {
  withDeadline: (_at: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (id: string) => ({
      async signal() {
        if (!woken) throw new Error('unreachable');
        woken.push(withoutRunKey(id));
      },
    }),
  },
} as unknown as Context['temporal'];

beforeAll(async () => {
  database = await createTestDatabase();
  const startOperation = async () => true;
  api = await startTestApi({
    database,
    context: { mailTransport, startOperation, clock, temporal },
  });
  token = await api.jwt(userId);
  await api.call('GET', '/v1/inbox', { token });
  ({ mailboxId } = await openMailbox(api.context, userId));
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});
beforeEach(() => {
  woken = [];
  sent.length = 0;
});

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token, ...(body && { body }) });

/** A reply to a new message that is to leave in three days, unless `body` says otherwise. */
async function scheduled(body: object = {}, from = 'ada@client.test') {
  const message = await addMessage(database.db, { userId, mailboxId, from, sentAt: clock.now() });
  const written = { body: 'Yes, gladly.', sendAt: inDays(3), ...body };
  const { status, body: answer } = await call('POST', `/v1/inbox/${message.id}/reply`, written);
  expect(status).toBe(201);
  const { id } = await database.db
    .selectFrom('outgoing_letters')
    .select('id')
    .where('message_id', '=', answer.data.id)
    .executeTakeFirstOrThrow();
  const path = `/v1/inbox/${answer.data.id}`;
  return {
    message,
    written,
    answer,
    path,
    id,
    send: () => outgoingMessageActivities(api.context).sendOutgoingLetter({ outgoingId: id }),
    read: async () => (await call('GET', path)).body.data,
    delivery: async () => (await call('GET', path)).body.data.delivery,
  };
}

describe('POST /v1/inbox/:id/reply {sendAt}', () => {
  it('201 at once: it is stored, shown as scheduled, and waits', async () => {
    const { answer, written, send, path } = await scheduled();
    expect(answer).toMatchObject({
      message: 'The message waits for its time',
      data: {
        sent_at: written.sendAt,
        delivery: {
          state: 'scheduled',
          failure: null,
          send_at: written.sendAt,
          cancel_on_reply: false,
        },
      },
    });
    const listed = await call('GET', '/v1/inbox?view=scheduled');
    expect(listed.body.data.items.map(({ id }: { id: number }) => id)).toContain(answer.data.id);
    const waiting = await send();
    expect(waiting).toMatchObject({ isDone: false, isSent: false });
    expect(waiting.progress).toBe(`Waits until ${written.sendAt} to be sent`);
    expect(waiting.waitMs).toBeLessThanOrEqual(3 * DAY_MS);
    expect(sent).toEqual([]);
    await call('POST', `${path}/cancel`);
  });

  it('takes a time with an offset', async () => {
    const day = inDays(2).slice(0, 10);
    const { delivery, path } = await scheduled({ sendAt: `${day}T09:00:00+02:00` });
    expect((await delivery()).send_at).toBe(`${day}T07:00:00.000Z`);
    await call('POST', `${path}/cancel`);
  });

  it.each([
    ['in the past', { sendAt: '2020-01-01T00:00:00Z' }, 'sendAt'],
    ['too far away', { sendAt: new Date(Date.now() + 61 * DAY_MS).toISOString() }, 'sendAt'],
    ['without an offset', { sendAt: '2099-01-01T00:00:00' }, 'sendAt'],
    ['a date', { sendAt: '2099-01-01' }, 'sendAt'],
    ['nothing to cancel', { cancelOnReply: true }, 'cancelOnReply'],
  ])('400: %s', async (_what, body, field) => {
    const { id } = await addMessage(database.db, { userId, mailboxId });
    const answer = await call('POST', `/v1/inbox/${id}/reply`, { body: 'x', ...body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
  });

  it('400 TOO_MANY_SCHEDULED when as many wait as may', async () => {
    const { id, path } = await scheduled();
    const copies = MAX_SCHEDULED_MESSAGES - 1;
    await sql`with copied as (
        insert into messages (user_id, mailbox_id, thread_id, direction, message_id, from_address, sent_at)
        select user_id, mailbox_id, thread_id, direction, 'copy-' || n, from_address, sent_at
        from messages, generate_series(1, ${copies}::integer) as n
        where id = (select message_id from outgoing_letters where id = ${id}) returning id
      ) insert into outgoing_letters (message_id, user_id, mailbox_id, state, send_at)
      select id, ${userId}, ${mailboxId}, 'scheduled', now() from copied`.execute(database.db);
    const other = await addMessage(database.db, { userId, mailboxId });
    const one = await call('POST', `/v1/inbox/${other.id}/reply`, {
      body: 'x',
      sendAt: inDays(1),
    });
    expect([one.status, one.body.code]).toEqual([400, 'TOO_MANY_SCHEDULED']);
    await sql`delete from messages where message_id like 'copy-%'`.execute(database.db);
    await call('POST', `${path}/cancel`);
  });

  it('is sent once when its time has come, dated then, and tops its thread', async () => {
    const { message, send, read } = await scheduled();
    passedMs += 3 * DAY_MS;
    expect(await send()).toMatchObject({ isSent: true });
    await send();
    expect(sent).toHaveLength(1);
    const { delivery, sent_at } = await read();
    expect(delivery).toMatchObject({ state: 'sent', failure: null });
    expect(Math.abs(new Date(sent_at).getTime() - clock.now().getTime())).toBeLessThan(60_000);
    expect(sent[0]).toContain(`Date: ${new Date(sent_at).toUTCString().replace('GMT', '+0000')}`);
    const thread = await call('GET', `/v1/inbox/threads/${message.threadId}`);
    expect(thread.body.data.last_message_at).toBe(sent_at);
  });

  it('is in time by the time that was chosen, not by the order', async () => {
    const { id } = await scheduled();
    const { rows } = await sql<{ id: number }>`
      update operations set created_at = now() - interval '3 days'
      where resource_type = 'outgoing_letter' and resource_id = ${id} returning id`.execute(
      database.db,
    );
    const operationId = rows[0]!.id;
    await sql`update outgoing_letters set send_at = now() where id = ${id}`.execute(database.db);
    const ends: number[] = [];
    const operationEnds = { note: ({ seconds }: { seconds: number }) => void ends.push(seconds) };
    const activities = operationActivities({ ...api.context, operationEnds } as unknown as Context);
    await activities.finishOperation({ operationId, outcome: 'succeeded', steps: [] });
    expect(ends).toHaveLength(1);
    expect(ends[0]).toBeLessThan(15 * 60);
  });

  it('is sent once though its process dies between its time and the text, and not after the text', async () => {
    const early = await scheduled();
    const late = await scheduled();
    passedMs += 3 * DAY_MS;
    for (const { id } of [early, late]) {
      expect(await releaseScheduled(database.db, { id, now: clock.now() })).toBe(0);
    }
    expect((await early.delivery()).state).toBe('queued');
    await early.send();
    await early.send();
    expect(sent).toHaveLength(1);
    await sql`update outgoing_letters set state = 'sending', claimed_by = gen_random_uuid()
      where id = ${late.id}`.execute(database.db);
    expect(await late.send()).toMatchObject({ isSent: false });
    expect([sent.length, (await late.delivery()).state]).toEqual([1, 'uncertain']);
  });

  it('is not sent to somebody who was suppressed after it was written, but to whom was before', async () => {
    const suppress = (value: string) =>
      database.db.transaction().execute((trx) =>
        insertSuppressions(trx, userId, [
          {
            kind: value.includes('@') ? 'email' : 'domain',
            value,
            reason: 'unsubscribe',
            note: null,
          },
        ]),
      );
    await suppress('before@client.test');
    const before = await scheduled({}, 'before@client.test');
    const after = await scheduled({}, 'After@client.test');
    const domain = await scheduled({ cc: ['cy@mail.corp.test'] }, 'di@client.test');
    await suppress('after@client.test');
    await suppress('corp.test');
    passedMs += 3 * DAY_MS;
    expect(await before.send()).toMatchObject({ isSent: true });
    expect(await after.send()).toMatchObject({ isSent: false });
    expect(await domain.send()).toMatchObject({ isSent: false });
    expect(sent).toHaveLength(1);
    expect(await after.delivery()).toMatchObject({
      state: 'cancelled',
      failure: 'A recipient was suppressed after it was written',
    });
  });

  it.each([
    ['manual', 'unsubscribe', 'cancelled'],
    ['bounce', 'complaint', 'cancelled'],
    ['complaint', 'bounce', 'sent'],
    ['unsubscribe', 'unsubscribe', 'sent'],
  ] as const)(
    'to somebody suppressed before as %s, and after it was written as %s, it is %s',
    async (before, after, state) => {
      const value = `${before}-${after}@client.test`;
      const suppress = (reason: typeof before | typeof after) =>
        database.db
          .transaction()
          .execute((trx) =>
            insertSuppressions(trx, userId, [{ kind: 'email', value, reason, note: null }]),
          );
      await suppress(before);
      const one = await scheduled({}, value);
      await suppress(after);
      passedMs += 3 * DAY_MS;
      expect(await one.send()).toMatchObject({ isSent: state === 'sent' });
      expect((await one.delivery()).state).toBe(state);
      const later = await scheduled({}, value);
      passedMs += 3 * DAY_MS;
      expect(await later.send()).toMatchObject({ isSent: true });
    },
  );

  it.each([
    ['an answer', true, 'reply', 'cancelled'],
    ['a message', true, 'message', 'cancelled'],
    ['an absence', true, 'auto_reply', 'sent'],
    ['an answer, where nobody asked', false, 'reply', 'sent'],
  ])('%s comes first', async (_what, cancelOnReply, kind, state) => {
    const { message, send, delivery } = await scheduled({ cancelOnReply });
    const { threadId } = message;
    await addMessage(database.db, { userId, mailboxId, threadId, kind, sentAt: clock.now() });
    passedMs += 3 * DAY_MS;
    await send();
    expect(await delivery()).toMatchObject({
      state,
      failure: state === 'sent' ? null : 'An answer came first',
      cancel_on_reply: cancelOnReply,
    });
    expect(sent).toHaveLength(state === 'sent' ? 1 : 0);
  });

  it('fails at its time when its mailbox is gone, as its workflow says', async () => {
    const { id, send, delivery } = await scheduled();
    passedMs += 3 * DAY_MS;
    const status = (value: 'active' | 'deleted') =>
      database.db
        .updateTable('mailboxes')
        .set({ status: value })
        .where('id', '=', mailboxId)
        .execute();
    await status('deleted');
    const message = 'The mailbox is not active any more';
    await expect(send()).rejects.toThrow(message);
    const end = { outcome: 'failed', error: { code: 'NOT_FOUND', message } } as const;
    await database.db.transaction().execute((trx) => outgoingMessageRows.settle(trx, id, end));
    expect(await delivery()).toMatchObject({ state: 'failed', failure: message });
    await status('active');
  });
});

describe('PATCH /v1/inbox/:id {sendAt}', () => {
  it('200: later, sooner and now, and wakes its workflow each time', async () => {
    const { path, id, send, delivery } = await scheduled();
    for (const sendAt of [inDays(9), inDays(1)]) {
      const moved = await call('PATCH', path, { sendAt });
      expect([moved.status, moved.body.data.delivery.send_at]).toEqual([200, sendAt]);
    }
    expect(await send()).toMatchObject({ isDone: false });
    expect((await call('PATCH', path, { sendAt: null })).status).toBe(200);
    expect(woken).toEqual(Array.from({ length: 3 }, () => `outgoing-letter/${id}`));
    passedMs += 1_000;
    expect(await send()).toMatchObject({ isSent: true });
    expect((await delivery()).state).toBe('sent');
  });

  it('400 for a wrong time, and for what does not wait; 404 for the message of another user', async () => {
    const { message, path } = await scheduled();
    const wrong = await call('PATCH', path, { sendAt: inDays(61) });
    expect([wrong.status, wrong.body.details[0].field]).toEqual([400, 'sendAt']);
    const received = await call('PATCH', `/v1/inbox/${message.id}`, { sendAt: inDays(1) });
    expect([received.status, received.body.code]).toEqual([400, 'INVALID_STATE']);
    const stranger = await api.jwt('stranger');
    const body = { sendAt: inDays(1) };
    expect((await api.call('PATCH', path, { token: stranger, body })).status).toBe(404);
    await call('POST', `${path}/cancel`);
    const over = await call('PATCH', path, body);
    expect([over.status, over.body.code]).toEqual([400, 'INVALID_STATE']);
  });

  it('502, and nothing has changed, where its workflow cannot be told', async () => {
    const { path, written, delivery } = await scheduled();
    woken = undefined;
    expect((await call('PATCH', path, { sendAt: null })).status).toBe(502);
    expect((await delivery()).send_at).toBe(written.sendAt);
    await call('POST', `${path}/cancel`);
  });
});

describe('POST /v1/inbox/:id/cancel', () => {
  it('200: it is never sent, nor are its files kept, though its workflow cannot be told', async () => {
    const { path, id, send, delivery } = await scheduled({
      attachments: [{ filename: 'a.txt', content: 'YQ==' }],
    });
    woken = undefined;
    const cancelled = await call('POST', `${path}/cancel`);
    expect([cancelled.status, cancelled.body.data.delivery.state]).toEqual([200, 'cancelled']);
    expect((await call('POST', `${path}/cancel`)).status).toBe(200);
    passedMs += 3 * DAY_MS;
    expect(await send()).toMatchObject({ isDone: true, isSent: false });
    expect(sent).toEqual([]);
    expect(await delivery()).toMatchObject({ state: 'cancelled', failure: 'Cancelled' });
    const row = await database.db
      .selectFrom('outgoing_letters')
      .select('attachments')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ attachments: null });
  });

  it('400 INVALID_STATE once it leaves, and for what was received; 404 for another user', async () => {
    const { message, path, send } = await scheduled();
    const stranger = await api.jwt('stranger');
    expect((await api.call('POST', `${path}/cancel`, { token: stranger })).status).toBe(404);
    passedMs += 3 * DAY_MS;
    await send();
    for (const one of [path, `/v1/inbox/${message.id}`]) {
      const { status, body } = await call('POST', `${one}/cancel`);
      expect([status, body.code]).toEqual([400, 'INVALID_STATE']);
    }
  });
});

describe('the erasure of a person', () => {
  const gone = { profileKey: null, phoneKey: null };
  it.each([
    ['deletes what waits for them', 'zelda@quix.test', 'Yes, gladly.', [404, undefined]],
    ['cancels what names them', 'bo@quix.test', 'Ask Zelda Quixworth.', [200, 'cancelled']],
  ])('%s: nothing is sent', async (_what, from, body, outcome) => {
    const { path, send } = await scheduled({ body }, from);
    const person = erasedPerson([
      { ...gone, emailKey: 'zelda@quix.test', nameKey: 'zelda quixworth' },
    ]);
    await eraseMessages(database.db, userId, person);
    const after = await call('GET', path);
    expect([after.status, after.body.data?.delivery.state]).toEqual(outcome);
    passedMs += 3 * DAY_MS;
    expect(await send()).toMatchObject({ isDone: true, isSent: false });
    expect(sent).toEqual([]);
  });
});

it('POST /v1/inbox/:id/forward {sendAt} waits, too', async () => {
  const { id } = await addMessage(database.db, { userId, mailboxId });
  const body = { to: 'bo@client.test', sendAt: inDays(1) };
  const { status, body: answer } = await call('POST', `/v1/inbox/${id}/forward`, body);
  expect([status, answer.data.delivery.state]).toEqual([201, 'scheduled']);
});

it('keeps the counters exact', async () => {
  const { kept, counted, wrong } = await readCounts(database.db, userId);
  expect([kept, wrong]).toEqual([counted, 0]);
});
