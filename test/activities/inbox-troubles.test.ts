/** Messages that could stop a mailbox do not. docs/sending-rules.md#kinds-of-incoming-messages. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadMessage } from '../../activities/inbox/read-message.ts';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import type { WatchContext } from '../../activities/inbox/watch-mailbox.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import { listOwnAddresses } from '../../src/db/inbox/inbox-syncs.ts';
import { lockAccountLeads, tombstoneHash } from '../../src/db/leads/lead-locks.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import { createRecipientLinks } from '../../src/encryption/recipient-links.ts';
import { addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { newSend, report } from '../support/inbox/inbox-sends.ts';
import { until } from '../support/mail/mail-world.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

describe('a mailbox is read on', () => {
  it('when a deleted lead answers: the message belongs to its send and to nobody', async () => {
    const { db } = database;
    const one = await newSend(db);
    await db.deleteFrom('leads').where('id', '=', one.leadId).execute();
    const headers = { 'In-Reply-To': one.messageId };
    await one.receive([rawMessage({ headers }), report(one.email, one.original)]);
    expect((await one.messages()).map((each) => [each.kind, each.send_id, each.lead_id])).toEqual([
      ['reply', one.sendId, null],
      ['bounce', one.sendId, null],
    ]);
    expect(await one.send()).toMatchObject({ replied_at: expect.any(Date) });
  });

  it('past Message-IDs that are longer in bytes than in characters', async () => {
    const one = await newSend(database.db);
    const long = (seed: number) =>
      Array.from({ length: 980 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * seed) % 20_000)));
    const id = `${long(7_919).join('')}@x`;
    const headers = { 'In-Reply-To': `<${long(6_271).join('')}@y>` };
    expect(await one.receive([rawMessage({ id, headers, subject: 'Long' })])).toEqual({ added: 1 });
    const [message] = await one.messages();
    expect(message).toMatchObject({ subject: 'Long', in_reply_to: null });
    expect(message!.message_id).toContain('no-message-id.invalid');
  });

  it('past NUL in reports and characters that were cut in two', async () => {
    const one = await newSend(database.db);
    const broken = report(one.email, 'Message-ID: <a\0b@c.test>').replace('nobody@', 'no\0body@');
    const cut = rawMessage({ subject: `${'x'.repeat(999)}\u{1F600}` });
    await one.receive([broken, cut]);
    expect((await one.messages()).map(({ kind }) => kind)).toEqual(['bounce', 'message']);
  });

  it('past a message that the database refuses, whose place a note takes', async () => {
    const one = await newSend(database.db);
    const texts = ['First', 'Refused', 'Last'].map((subject) => rawMessage({ subject }));
    // Postgres knows no such year.
    const change = (each: ReadMessage) =>
      each.subject === 'Refused' ? { ...each, sentAt: new Date(8.64e15) } : each;
    const stored = await one.receive(texts, 'inbox', { change });
    expect(stored).toEqual({ added: 3 });
    const subjects = (await one.messages()).map(({ subject }) => subject);
    expect(subjects).toEqual(['First', '(unreadable)', 'Last']);
    await one.receive([rawMessage({ subject: 'Next' })]);
    expect(await one.messages()).toHaveLength(4);
  });

  it('when an erasure holds the account and then wants the inbox', async () => {
    const { db } = database;
    const one = await newSend(db);
    const headers = { 'In-Reply-To': one.messageId };
    let reading: Promise<unknown> | undefined;
    // Deadlocks would be seen here: this transaction is the younger of two that wait.
    await db.transaction().execute(async (trx) => {
      await lockAccountLeads(trx, one.userId);
      reading = one.receive([rawMessage({ from: one.lead, headers, text: 'unsubscribe' })]);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await sql`set local lock_timeout = '500ms'`.execute(trx);
      await lockInbox(trx, one.userId);
    });
    await reading;
    expect((await one.send()).unsubscribed_at).not.toBeNull();
  });

  it('without messages of an erased person from before the erasure', async () => {
    const { db } = database;
    const one = await newSend(db);
    await db
      .insertInto('erasure_tombstones')
      .values({
        user_id: one.userId,
        key_hash: tombstoneHash(one.userId, 'email:gone@client.test'),
      })
      .execute();
    const texts = [
      rawMessage({ from: 'Gone <Gone@client.test>', subject: 'from' }),
      rawMessage({ headers: { Cc: 'gone@client.test' }, subject: 'to' }),
      rawMessage({ subject: 'other' }),
    ];
    await one.receive(texts, 'inbox', { minutesAgo: 120 });
    expect((await one.messages()).map(({ subject }) => subject)).toEqual(['other']);
    await one.receive([rawMessage({ from: 'gone@client.test', subject: 'later' })], 'inbox', {
      minutesAgo: -1,
    });
    expect(await one.messages()).toHaveLength(2);
  });
});

describe('the addresses of an account', () => {
  it('are those of all its clusters: their messages are no answers', async () => {
    const { db } = database;
    const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);
    const userId = await addSender(db);
    await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'own-a.test' });
    await addMailboxes({ db, cipher }, userId, { count: 2, domain: 'own-b.test' });
    const mailboxes = await db
      .selectFrom('mailboxes')
      .select(['email'])
      .where('user_id', '=', userId)
      .execute();
    const all = await listOwnAddresses(db, userId);
    expect(all.toSorted()).toEqual(mailboxes.map(({ email }) => email).toSorted());
    expect(all).toHaveLength(3);
  });
});

describe('a round', () => {
  it('reads a mailbox with its new password as soon as it has one', async () => {
    const { db } = database;
    const keys = `test:${Buffer.alloc(32, 1).toString('base64')}`;
    const cipher = createCipher(keys);
    const userId = await addSender(db);
    const [id] = await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'secret.test' });
    const { cluster_id: clusterId } = await db
      .selectFrom('mailboxes')
      .select('cluster_id')
      .where('id', '=', id!)
      .executeTakeFirstOrThrow();
    const tried: string[] = [];
    const stop = new AbortController();
    const context = {
      db,
      cipher,
      clock: { now: () => new Date() },
      logger: pino({ level: 'silent' }),
      config: { INBOX_POLL_SECONDS: 60, DAY_SECONDS: 86_400 },
      recipientLinks: createRecipientLinks({ publicUrl: 'https://outreach.test', keys }),
      mailTransport: {
        openImap: ({ password }: { password: string }) => {
          tried.push(password);
          if (password === 'new') stop.abort();
          return Promise.reject(new Error('the login failed'));
        },
      },
    } as unknown as WatchContext;
    const round = runSyncSession(context, clusterId!, { signal: stop.signal, sessionMs: 10_000 });
    await until(async () => tried.length === 1);
    const password = cipher.seal('new', passwordBinding(id!));
    await db.updateTable('mailboxes').set({ password }).where('id', '=', id!).execute();
    await round;
    expect(tried.at(-1)).toBe('new');
  });
});
