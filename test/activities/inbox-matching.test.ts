/**
 * Messages find their campaign, lead and thread, and tell the send.
 * docs/sending-rules.md#kinds-of-incoming-messages.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CursorMoved } from '../../activities/inbox/store-messages.ts';
import { changeMessages } from '../../src/db/inbox/inbox-changes.ts';
import { findUserMessage } from '../../src/db/inbox/inbox-messages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { readCounts } from '../support/inbox/inbox-messages.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend, report } from '../support/inbox/inbox-sends.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

describe('a message that comes in', () => {
  it('answers the send that its headers name, from whichever address', async () => {
    const one = await newSend(database.db);
    const text = rawMessage({ from: 'else@where.test', headers: { 'In-Reply-To': one.messageId } });
    await one.receive([text]);
    const [message] = await one.messages();
    expect(message).toMatchObject({
      kind: 'reply',
      direction: 'inbound',
      campaign_id: one.campaignId,
      lead_id: one.leadId,
      send_id: one.sendId,
    });
    expect((await one.send()).replied_at).not.toBeNull();
  });

  it('is a bounce of the send that its report names by Message-ID', async () => {
    const one = await newSend(database.db);
    await one.receive([report(one.email, one.original)]);
    expect((await one.messages())[0]).toMatchObject({ kind: 'bounce', send_id: one.sendId });
    expect((await one.send()).bounced_at).not.toBeNull();
  });

  it('is a bounce of the send that its address names (VERP), of this mailbox alone', async () => {
    const one = await newSend(database.db);
    const other = await newSend(database.db);
    await one.receive([report(one.verp(one.sendId), 'Subject: x')]);
    await one.receive([report(one.verp(other.sendId), 'Subject: x')]);
    expect((await one.messages()).map(({ send_id }) => send_id)).toEqual([one.sendId, null]);
    expect((await other.send()).bounced_at).toBeNull();
  });

  it('is an unsubscription of the send whose link it names, from whichever address', async () => {
    const one = await newSend(database.db);
    const other = await newSend(database.db);
    const asks = (token: string, headers = {}) =>
      rawMessage({
        from: 'relay@elsewhere.test',
        subject: `unsubscribe ${token}`,
        text: '',
        headers,
      });
    await one.receive([
      asks(other.unsubscribeToken),
      asks(`${one.unsubscribeToken.slice(0, -4)}AAAA`),
    ]);
    expect(await one.send()).toMatchObject({ unsubscribed_at: null });
    expect(await other.send()).toMatchObject({ unsubscribed_at: null });
    // A mail program asks in its person's name.
    await one.receive([asks(one.unsubscribeToken, { 'Auto-Submitted': 'auto-generated' })]);
    const last = (await one.messages()).at(-1);
    expect(last).toMatchObject({ kind: 'unsubscribe_request', send_id: one.sendId });
    expect((await one.send()).unsubscribed_at).not.toBeNull();
    const suppressed = await database.db
      .selectFrom('suppressions')
      .select(['value', 'reason'])
      .where('user_id', '=', one.userId)
      .execute();
    expect(suppressed).toEqual([{ value: one.lead, reason: 'unsubscribe' }]);
  });

  it('is not believed about a send whose address it guessed, nor when a person writes to it', async () => {
    const one = await newSend(database.db);
    const guesses = [`+b${one.sendId}@`, `+b${one.sendId}-00000000@`];
    await one.receive(guesses.map((at) => report(one.email.replace('@', at), 'Subject: x')));
    await one.receive([rawMessage({ to: one.verp(one.sendId), text: 'unsubscribe' })]);
    const messages = await one.messages();
    expect(messages.map(({ kind, send_id }) => [kind, send_id])).toEqual([
      ['bounce', null],
      ['bounce', null],
      ['unsubscribe_request', null],
    ]);
    expect(await one.send()).toMatchObject({ bounced_at: null, unsubscribed_at: null });
  });

  it.each([
    [
      'Status: 5.7.1',
      '550 5.7.1 Service unavailable, client host blocked using Spamhaus',
      'rejected',
    ],
    ['Status: 5.4.5', '550 5.4.5 Daily user sending limit exceeded', 'soft'],
    ['Status: 5.2.2', '552 5.2.2 The mailbox is full', 'soft'],
    ['Status: 5.0.0', '550 Message rejected as spam', 'rejected'],
    ['Status: 5.4.316', '550 5.4.316 Message expired, connection refused', 'soft'],
    ['Status: 4.4.1', 'connect to mx.example[192.0.2.9]:25: Connection timed out', 'soft'],
    ['Status: 5.4.6', '554 5.4.6 Routing loop detected', 'soft'],
    ['Status: 5.0.0', '550 Hier wohnt niemand', 'hard'],
    ['Status: 5.1.1', '550 5.1.1 User unknown', 'hard'],
  ])('is a bounce of the blamed alone: %s, %s: %s', async (status, said, kind) => {
    const one = await newSend(database.db);
    const fields = [status, `Diagnostic-Code: smtp; ${said}`];
    await one.receive([report(one.email, one.original, fields)]);
    const { bounced_at, soft_bounced_at, rejected_at } = await one.send();
    const noted = { hard: bounced_at, soft: soft_bounced_at, rejected: rejected_at };
    const kinds = Object.entries(noted).filter(([, at]) => at !== null);
    expect(kinds.map(([name]) => name)).toEqual([kind]);
    const mailbox = await database.db
      .selectFrom('mailboxes')
      .select('failing_reason')
      .where('id', '=', one.mailboxId)
      .executeTakeFirstOrThrow();
    const isBlamed = /Spamhaus|sending limit/.test(said);
    expect(mailbox.failing_reason).toBe(isBlamed ? 'sender_refused' : null);
  });

  it.each([
    ['Status: 4.4.1', 'connect to mx.example[192.0.2.9]:25: Connection timed out', 'undelivered'],
    ['Status: 5.4.316', '550 5.4.316 Message expired, connection refused', 'undelivered'],
    ['Status: 5.4.5', '550 5.4.5 Daily user sending limit exceeded', 'undelivered'],
    ['Status: 5.2.2', '552 5.2.2 The mailbox is full', 'soft_bounce'],
  ])('holds the follow-up where the message never arrived: %s: %s', async (status, said, held) => {
    const one = await newSend(database.db);
    await one.receive([
      report(one.email, one.original, [status, `Diagnostic-Code: smtp; ${said}`]),
    ]);
    const { status: now, hold_reason } = await database.db
      .selectFrom('recipients')
      .innerJoin('sends', (join) =>
        join
          .onRef('sends.campaign_id', '=', 'recipients.campaign_id')
          .onRef('sends.lead_id', '=', 'recipients.lead_id'),
      )
      .select(['recipients.status', 'recipients.hold_reason'])
      .where('sends.id', '=', one.sendId)
      .executeTakeFirstOrThrow();
    expect({ now, hold_reason }).toEqual({
      now: held === 'undelivered' ? 'paused' : 'queued',
      hold_reason: held,
    });
  });

  it.each([
    ['554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', 'sender_refused'],
    ['553 5.7.1 Sender address rejected: not owned by user', null],
  ])('takes the whole domain out where a list has it: %s', async (said, ofTheOther) => {
    const { db } = database;
    const one = await newSend(db);
    const sister = await db
      .insertInto('mailboxes')
      .columns(['user_id', 'cluster_id', 'email', 'status'])
      .expression((from) =>
        from
          .selectFrom('mailboxes')
          .select(['user_id', 'cluster_id', sql<string>`'sister-' || email`.as('email'), 'status'])
          .where('id', '=', one.mailboxId),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const stranger = await newSend(db);
    const fields = ['Status: 5.7.1', `Diagnostic-Code: smtp; ${said}`];
    await one.receive([report(one.email, one.original, fields)]);
    const rows = await db
      .selectFrom('mailboxes')
      .select('failing_reason')
      .where('id', 'in', [one.mailboxId, sister.id, stranger.mailboxId])
      .orderBy(sql`array_position(${[one.mailboxId, sister.id, stranger.mailboxId]}::bigint[], id)`)
      .execute();
    const reasons = rows.map(({ failing_reason: reason }) => reason);
    expect(reasons).toEqual(['sender_refused', ofTheOther, null]);
  });

  it('answers by its sender, a lead who was written to, but not from before', async () => {
    const one = await newSend(database.db);
    await one.receive([rawMessage({ from: one.lead, subject: 'Old' })], 'inbox', {
      minutesAgo: 120,
    });
    await one.receive([rawMessage({ from: one.lead.toUpperCase(), subject: 'New' })]);
    expect((await one.messages()).map(({ kind }) => kind)).toEqual(['message', 'reply']);
    expect((await one.send()).replied_at).not.toBeNull();
  });

  it('that is automatic does not count as an answer; one that asks for it unsubscribes', async () => {
    const one = await newSend(database.db);
    const headers = { 'In-Reply-To': one.messageId };
    await one.receive([rawMessage({ from: one.lead, subject: 'Out of office', headers })]);
    expect(await one.send()).toMatchObject({ replied_at: null });
    await one.receive([rawMessage({ from: one.lead, text: 'unsubscribe', headers })]);
    expect((await one.messages()).map(({ kind }) => kind)).toEqual([
      'auto_reply',
      'unsubscribe_request',
    ]);
    expect(await one.send()).toMatchObject({
      replied_at: null,
      unsubscribed_at: expect.any(Date),
    });
  });

  it.each([
    ['[Ticket #12] We received your request', { 'Auto-Submitted': 'auto-generated' }, 'auto_reply'],
    ['[#12] Fwd: A question', { 'X-Auto-Response-Suppress': 'All' }, 'needs_review'],
    ['Your order was shipped', { 'Auto-Submitted': 'auto-generated' }, 'message'],
    ['News in November', { 'List-Id': '<news.client.test>' }, 'message'],
    ['Sale', { Precedence: 'bulk', 'List-Unsubscribe': '<https://client.test/u>' }, 'message'],
    ['A new question', {}, 'reply'],
  ])('that a machine wrote is no reply of the lead: %s, %o', async (subject, headers, kind) => {
    const one = await newSend(database.db);
    await one.receive([rawMessage({ from: one.lead, subject, headers })]);
    const isOurs = kind !== 'message';
    expect(await one.messages()).toMatchObject([{ kind, send_id: isOurs ? one.sendId : null }]);
    const { replied_at, auto_replied_at } = await one.send();
    expect([replied_at !== null, auto_replied_at !== null]).toEqual([
      kind === 'reply',
      kind === 'auto_reply',
    ]);
    const events = await database.db
      .selectFrom('events')
      .select('type')
      .where('user_id', '=', one.userId)
      .where('type', 'in', ['email.replied', 'email.auto_replied'])
      .execute();
    const types: Record<string, string> = {
      reply: 'email.replied',
      auto_reply: 'email.auto_replied',
    };
    const type = types[kind];
    expect(events).toEqual(type === undefined ? [] : [{ type }]);
  });

  it('that is automatic holds the sequence for three days of sending, however long these are', async () => {
    const one = await newSend(database.db);
    await sql`update recipients set due_at = now() where lead_id = ${one.leadId}`.execute(
      database.db,
    );
    const away = rawMessage({
      subject: 'Out of office',
      headers: { 'In-Reply-To': one.messageId },
    });
    await one.receive([away], 'inbox', { minutesAgo: 0, daySeconds: 60 });
    const recipient = await database.db
      .selectFrom('recipients')
      .select(['due_at', 'hold_reason'])
      .where('lead_id', '=', one.leadId)
      .executeTakeFirstOrThrow();
    expect(recipient.hold_reason).toBe('auto_reply');
    const [message] = await one.messages();
    expect(recipient.due_at).toEqual(new Date(message!.received_at.getTime() + 3 * 60_000));
  });

  it('that tells the last day away holds the sequence until the next window of the campaign', async () => {
    const one = await newSend(database.db);
    const { db } = database;
    await sql`update recipients set due_at = now() where lead_id = ${one.leadId}`.execute(db);
    await db
      .updateTable('campaigns')
      .set({ timezone: 'America/New_York', start_time: '09:00', end_time: '17:00' })
      .where('id', '=', one.campaignId)
      .execute();
    const year = new Date().getUTCFullYear() + 1;
    const text = `I am out of the office through January 14, ${year}.`;
    const subject = 'Out of office';
    await one.receive([rawMessage({ subject, text, headers: { 'In-Reply-To': one.messageId } })]);
    const recipient = await db
      .selectFrom('recipients')
      .select('due_at')
      .where('lead_id', '=', one.leadId)
      .executeTakeFirstOrThrow();
    expect(recipient.due_at?.toISOString()).toBe(`${year}-01-15T14:00:00.000Z`);
  });

  it('is no answer when it is our own: the sent copy, and what we write in the thread', async () => {
    const one = await newSend(database.db);
    const id = one.messageId.slice(1, -1);
    await one.receive([rawMessage({ from: one.email, to: one.lead, id })], 'sent');
    const headers = { 'In-Reply-To': one.messageId };
    await one.receive([rawMessage({ from: one.email, to: one.lead, headers })], 'sent');
    await one.receive([rawMessage({ from: one.email, to: one.email, headers })]);
    const messages = await one.messages();
    expect(messages.map(({ kind }) => kind)).toEqual(['message', 'message', 'message']);
    expect(messages.map(({ direction }) => direction)).toEqual(['outbound', 'outbound', 'inbound']);
    expect(messages[0]).toMatchObject({ send_id: one.sendId, is_read: true });
    expect((await one.send()).replied_at).toBeNull();
  });

  it('is in one thread with what it answers, in whichever order they are read', async () => {
    const one = await newSend(database.db);
    const reply = (id: string, to: string) =>
      rawMessage({ id, from: one.lead, headers: { 'In-Reply-To': `<${to}>` } });
    // The answer to what we sent by hand is read before that.
    await one.receive([reply('b@x.test', 'hand@d.test'), reply('c@x.test', 'b@x.test')]);
    await one.receive([rawMessage({ id: 'hand@d.test', from: one.email, to: one.lead })], 'sent');
    await one.receive([rawMessage({ id: 'alone@x.test', from: 'x@y.test' })]);
    const threads = (await one.messages()).map(({ thread_id }) => thread_id);
    expect(new Set(threads.slice(0, 3)).size).toBe(1);
    expect(threads[3]).not.toBe(threads[0]);
    const { kept, counted, wrong } = await readCounts(database.db, one.userId);
    expect({ kept, wrong }).toEqual({ kept: counted, wrong: 0 });
  });

  it('is stored once when its Message-ID comes twice, in a batch or later', async () => {
    const one = await newSend(database.db);
    const twice = rawMessage({ id: 'twice@x.test' });
    expect(await one.receive([twice, twice])).toEqual({ added: 1 });
    expect(await one.receive([twice])).toEqual({ added: 0 });
    expect(await one.messages()).toHaveLength(1);
  });

  it('in Junk is shown only where somebody answers', async () => {
    const one = await newSend(database.db);
    const headers = { 'In-Reply-To': one.messageId };
    await one.receive([rawMessage({}), rawMessage({ from: one.lead, headers })], 'junk');
    expect((await one.messages()).map((each) => [each.in_inbox, each.labels])).toEqual([
      [false, ['junk']],
      [true, ['junk']],
    ]);
  });

  it('is shown once somebody takes it out of Junk, and stays archived where they archived it', async () => {
    const one = await newSend(database.db);
    const headers = { 'In-Reply-To': one.messageId };
    const stranger = rawMessage({ id: 'stranger@x.test' });
    const answer = rawMessage({ id: 'answer@x.test', from: one.lead, headers });
    await one.receive([stranger, answer], 'junk');
    const { id } = (await one.messages())[1]!;
    await database.db
      .transaction()
      .execute((trx) => changeMessages(trx, { userId: one.userId, ids: [id] }, { archived: true }));
    for (let time = 0; time < 2; time += 1) await one.receive([stranger, answer]);
    expect((await one.messages()).map((each) => [each.in_inbox, each.labels])).toEqual([
      [true, []],
      [false, []],
    ]);
    const { kept, counted, wrong } = await readCounts(database.db, one.userId);
    expect({ kept, wrong }).toEqual({ kept: counted, wrong: 0 });
  });

  it('stays archived with its label `junk` where a client has set both, when INBOX is read anew', async () => {
    const one = await newSend(database.db);
    const text = rawMessage({ id: 'mine@x.test' });
    await one.receive([text]);
    const { id } = (await one.messages())[0]!;
    const patch = { archived: true, labels: ['junk', 'mine'] };
    await database.db
      .transaction()
      .execute((trx) => changeMessages(trx, { userId: one.userId, ids: [id] }, patch));
    await one.receive([text]);
    expect(await one.messages()).toMatchObject([{ in_inbox: false, labels: ['junk', 'mine'] }]);
  });

  it('is shown once it is taken out of Junk, whether that folder or INBOX is read first', async () => {
    const one = await newSend(database.db);
    const text = rawMessage({ id: 'out@x.test' });
    await one.receive([text], 'junk');
    const { id } = (await one.messages())[0]!;
    expect((await findUserMessage(database.db, one.userId, id))!.facts).toEqual({});
    await sql`delete from message_places where mailbox_id = ${one.mailboxId}`.execute(database.db);
    await one.receive([text]);
    expect(await one.messages()).toMatchObject([{ in_inbox: true, labels: [] }]);
    await database.db.transaction().execute(async (trx) => {
      await changeMessages(
        trx,
        { userId: one.userId, ids: [id] },
        { archived: true, labels: ['junk'] },
      );
    });
    await one.receive([text]);
    expect(await one.messages()).toMatchObject([{ in_inbox: false, labels: ['junk'] }]);
  });

  it('keeps nothing of a batch whose cursor somebody else has moved', async () => {
    const one = await newSend(database.db);
    await one.receive([rawMessage({})]);
    await sql`update mailbox_folders set last_uid = 9
      where mailbox_id = ${one.mailboxId}`.execute(database.db);
    await expect(one.receive([rawMessage({})])).rejects.toBeInstanceOf(CursorMoved);
    expect(await one.messages()).toHaveLength(1);
  });
});
