/** The sync against Debian's Dovecot: what no stand-in has. Issue: Inbox; RFC 7162, RFC 2177. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeMessages } from '../../src/db/inbox/inbox-changes.ts';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { readCounts } from '../support/inbox/inbox-messages.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { startInboxWorld, type InboxWorld, type SyncedUser } from '../support/inbox/inbox-world.ts';
import { fileOf, LARGE_FILES, largeMessage, readFiles } from '../support/inbox/large-message.ts';
import { until } from '../support/mail/mail-world.ts';

const missing = whyNoDovecot();
if (missing) console.warn(`inbox-dovecot.test.ts is skipped: ${missing}`);

describe.skipIf(missing !== undefined)('a mailbox on Dovecot', () => {
  let world: InboxWorld;
  beforeAll(async () => {
    world = await startInboxWorld();
  });
  afterAll(() => world?.close());

  const stored = (user: SyncedUser) =>
    world.database.db
      .selectFrom('messages')
      .selectAll()
      .where('mailbox_id', '=', user.mailboxId)
      .orderBy('sent_at')
      .orderBy('id')
      .execute();
  const places = (user: SyncedUser) =>
    world.database.db
      .selectFrom('message_places')
      .selectAll()
      .where('mailbox_id', '=', user.mailboxId)
      .orderBy('uid')
      .execute();
  const consistent = async (user: SyncedUser) => {
    const { kept, counted, wrong } = await readCounts(world.database.db, user.userId);
    expect({ kept, wrong }).toEqual({ kept: counted, wrong: 0 });
    const folders = await world.database.db
      .selectFrom('mailbox_folders')
      .select(({ fn }) => fn.sum<number>('places').as('places'))
      .where('mailbox_id', '=', user.mailboxId)
      .executeTakeFirstOrThrow();
    expect(Number(folders.places)).toBe((await places(user)).length);
  };

  it('is read in whole, 300 messages, each once however often it is visited', async () => {
    const user = await world.newMailboxes();
    const messages = Array.from({ length: 300 }, (_, n) =>
      rawMessage({ subject: `s${n}`, to: user.email, id: `m${n}@client.test` }),
    );
    world.dovecot.deliver(user.email, messages);
    await user.visit();
    await user.visit();
    expect((await stored(user)).length).toBe(300);
    expect((await places(user)).length).toBe(300);
    await consistent(user);
  });

  it('loses for ever what is removed from it, and nothing that another client has marked', async () => {
    const user = await world.newMailboxes();
    const messages = ['keep', 'marked', 'go'].map((subject) => rawMessage({ subject }));
    world.dovecot.deliver(user.email, messages);
    const client = await user.imap();
    await client.addFlags('INBOX', [2], ['\\Deleted']);
    await client.remove('INBOX', [3, 99]);
    await client.remove('INBOX', [3]);
    const left = (await client.fetchFlags('INBOX')).map(({ uid }) => uid);
    await client.close();
    expect(left).toEqual([1, 2]);
  });

  it('shows and streams the files of messages that are too large to be read in whole', async () => {
    const user = await world.newMailboxes();
    const first = rawMessage({ to: user.email });
    world.dovecot.deliver(user.email, [first, await largeMessage(world.context, user.email)]);
    await user.visit();
    const large = (await stored(user)).find(({ subject }) => subject === 'The files');
    expect(large).toMatchObject({ body_text: 'Here they are\n', has_attachments: true });
    const files = await readFiles(
      { ...world.context, db: world.database.db },
      { userId: user.userId, messageId: large!.id },
    );
    expect(
      files.map(({ filename, content }) => [filename, content.equals(fileOf(filename))]),
    ).toEqual(LARGE_FILES.map(({ filename }) => [filename, true]));
    // Told before they are read: to a few bytes.
    const off = files.map(({ sizeBytes, content }) => Math.abs(sizeBytes - content.length));
    expect(Math.max(...off)).toBeLessThan(8);
  });

  it('has its read state followed both ways, by modseq (RFC 7162)', async () => {
    const user = await world.newMailboxes();
    world.dovecot.deliver(user.email, [
      rawMessage({ id: 'a@x.test' }),
      rawMessage({ id: 'b@x.test' }),
    ]);
    await user.visit();
    const imap = await user.imap();
    await imap.addFlags('INBOX', [1], ['\\Seen']);
    await user.visit();
    expect((await stored(user)).map((each) => each.is_read)).toEqual([true, false]);
    await consistent(user);
    await imap.removeFlags('INBOX', [1], ['\\Seen']);
    await imap.addFlags('INBOX', [2], ['\\Seen']);
    await user.visit();
    expect((await stored(user)).map((each) => each.is_read)).toEqual([false, true]);
    await consistent(user);
    // What is read here is told to the host at the next visit.
    const ids = (await stored(user)).map(({ id }) => id);
    const { db } = world.database;
    const change = (messages: number[], isRead: boolean) =>
      db
        .transaction()
        .execute((trx) => changeMessages(trx, { userId: user.userId, ids: messages }, { isRead }));
    await change([ids[0]!], true);
    await change([ids[1]!], false);
    await user.visit();
    const flags = await imap.fetchFlags('INBOX');
    expect(flags.map((each) => each.flags.includes('\\Seen'))).toEqual([true, false]);
    await user.visit();
    expect((await stored(user)).map((each) => each.is_read)).toEqual([true, false]);
    await consistent(user);
    await imap.close();
  });

  it('loses the place of an expunged message, and the message stays', async () => {
    const user = await world.newMailboxes();
    const ids = ['a', 'b', 'c'].map((name) => rawMessage({ id: `${name}@x.test`, to: user.email }));
    world.dovecot.deliver(user.email, ids);
    await user.visit();
    world.dovecot.admin('expunge', '-u', user.email, 'mailbox', 'INBOX', 'uid', '2');
    await user.visit();
    expect((await places(user)).map(({ uid }) => uid)).toEqual([1, 3]);
    expect((await stored(user)).length).toBe(3);
  });

  it('follows a message that is moved between folders', async () => {
    const user = await world.newMailboxes();
    world.dovecot.deliver(user.email, [rawMessage({ id: 'moved@x.test', to: user.email })]);
    await user.visit();
    const imap = await user.imap();
    await imap.move('INBOX', [1], 'Spam');
    await user.visit();
    expect((await places(user)).map(({ path }) => path)).toEqual(['Spam']);
    expect((await stored(user)).length).toBe(1);
    await imap.close();
  });

  it('is read anew without doubles when its UIDVALIDITY changes (RFC 9051, 2.3.1.1)', async () => {
    const user = await world.newMailboxes();
    const messages = ['a', 'b'].map((name) => rawMessage({ id: `${name}@x.test`, to: user.email }));
    // One has no Message-ID: it gets the same made-up one at every reading.
    world.dovecot.deliver(user.email, [...messages, rawMessage({ id: null, subject: 'No id' })]);
    await user.visit();
    const before = await stored(user);
    world.dovecot.admin('mailbox', 'update', '-u', user.email, '--uid-validity', '7', 'INBOX');
    await user.visit();
    expect((await stored(user)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await places(user)).length).toBe(3);
    await consistent(user);
  });

  it('tells of a new message at once, by IDLE (RFC 2177), and ends when told', async () => {
    const user = await world.newMailboxes(2);
    const stop = new AbortController();
    const round = runSyncSession(world.context, user.clusterId, { signal: stop.signal });
    const isSynced = async () =>
      (await world.database.db.selectFrom('mailbox_syncs').selectAll().execute()).some(
        (row) => row.mailbox_id === user.mailboxId && row.synced_at !== null,
      );
    await until(isSynced);
    await new Promise((resolve) => setTimeout(resolve, 300));
    world.dovecot.deliver(user.email, [rawMessage({ id: 'new@x.test', to: user.email })]);
    // The next look by itself is minutes away.
    await until(async () => (await stored(user)).length === 1);
    stop.abort();
    expect(await round).toMatchObject({ state: 'active', isDone: false });
  });
});
