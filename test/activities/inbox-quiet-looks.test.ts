/** What a look into a mailbox costs while nothing happens in it, and that nothing is missed by it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import {
  newMemory,
  restAfterLook,
  visitMailbox,
  type MailboxMemory,
  type WatchContext,
} from '../../activities/inbox/watch-mailbox.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { startInboxWorld, type InboxWorld, type SyncedUser } from '../support/inbox/inbox-world.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { until } from '../support/mail/mail-world.ts';

const missing = whyNoDovecot();
if (missing) console.warn(`inbox-quiet-looks.test.ts is skipped: ${missing}`);

describe.skipIf(missing !== undefined)('a look into a mailbox in which nothing happens', () => {
  let world: InboxWorld;
  beforeAll(async () => {
    world = await startInboxWorld();
  });
  afterAll(() => world?.close());

  const stored = (mailboxId: number) =>
    world.database.db
      .selectFrom('messages')
      .selectAll()
      .where('mailbox_id', '=', mailboxId)
      .orderBy('id')
      .execute();

  /** A visit with what the visits before remember, and what it cost. */
  async function visit(user: SyncedUser, memory: MailboxMemory, change = {}) {
    const { mailboxes } = await readSyncSnapshot(world.database.db, user.clusterId);
    const said: string[] = [];
    const asked: string[] = [];
    const db = world.database.db.withPlugin({
      transformQuery: ({ node }) => {
        asked.push(node.kind === 'RawNode' ? node.sqlFragments.join('?') : node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const context = { ...world.context, db, mailTransport: noting(world.context, said), ...change };
    const { signal } = new AbortController();
    await visitMailbox(context, mailboxes[0]!, { ownAddresses: new Set(), signal, memory });
    return { commands: said, statements: asked };
  }

  async function quietMailbox() {
    const user = await world.newMailboxes();
    const names = ['a', 'b'];
    const messages = names.map((id) => rawMessage({ id: `${id}@x.test`, to: user.email }));
    world.dovecot.deliver(user.email, messages);
    const memory = newMemory();
    await visit(user, memory);
    // What the first one did at the host is seen by the second.
    await visit(user, memory);
    return { user, memory };
  }

  it('costs a list of the folders and one statement that reads', async () => {
    const { user, memory } = await quietMailbox();
    expect(await visit(user, memory)).toEqual({
      commands: ['foldersWithState'],
      // It writes nothing.
      statements: [expect.stringMatching(/^\/\*read-look-needs\*\/\s+select (?!.*update )/s)],
    });
  });

  it.each([
    [
      'a message',
      async (user: SyncedUser) => deliver(user, 'c'),
      { count: 3, read: [false, false, false] },
    ],
    [
      'a read message',
      async (user: SyncedUser) => {
        const imap = await user.imap();
        await imap.addFlags('INBOX', [1], ['\\Seen']);
        await imap.close();
      },
      { count: 2, read: [true, false] },
    ],
  ])('sees %s that comes afterwards', async (_what, happen, { count, read }) => {
    const { user, memory } = await quietMailbox();
    await happen(user);
    await visit(user, memory);
    const found = await stored(user.mailboxId);
    expect(found).toHaveLength(count);
    expect(found.map(({ is_read }) => is_read)).toEqual(read);
  });

  const deliver = (user: SyncedUser, id: string) =>
    world.dovecot.deliver(user.email, [rawMessage({ id: `${id}@x.test`, to: user.email })]);

  it('sees messages that are gone, and such in junk', async () => {
    const { user, memory } = await quietMailbox();
    world.dovecot.admin('expunge', '-u', user.email, 'mailbox', 'INBOX', 'uid', '1');
    await visit(user, memory);
    const places = await world.database.db
      .selectFrom('message_places')
      .select('uid')
      .where('mailbox_id', '=', user.mailboxId)
      .execute();
    expect(places).toEqual([{ uid: 2 }]);
    const imap = await user.imap();
    const raw = Buffer.from(rawMessage({ id: 'spam@x.test', to: user.email }));
    const junk = (await imap.folders()).find(({ role }) => role === 'junk')!;
    await imap.append(junk.path, raw, []);
    await imap.close();
    await visit(user, memory);
    expect((await stored(user.mailboxId)).map(({ message_id }) => message_id)).toContain(
      '<spam@x.test>',
    );
  });

  it('still tells the host what was read here', async () => {
    const { user, memory } = await quietMailbox();
    const { db } = world.database;
    await db
      .updateTable('messages')
      .set({ is_read: true, seen_unpushed: true })
      .where('mailbox_id', '=', user.mailboxId)
      .where('message_id', '=', '<b@x.test>')
      .execute();
    await visit(user, memory);
    const imap = await user.imap();
    await imap.open('INBOX');
    const flags = await imap.fetchFlags('INBOX');
    await imap.close();
    expect(flags.filter((one) => one.flags.includes('\\Seen')).map(({ uid }) => uid)).toEqual([2]);
  });

  it('tells who asked for it that it was read, and that it reads again after a failure', async () => {
    const { user, memory } = await quietMailbox();
    const { db } = world.database;
    const row = () =>
      db
        .selectFrom('mailbox_syncs')
        .selectAll()
        .where('mailbox_id', '=', user.mailboxId)
        .executeTakeFirstOrThrow();
    const ask = { sync_asked_at: new Date(Date.now() - 1_000) };
    await db
      .updateTable('mailbox_syncs')
      .set(ask)
      .where('mailbox_id', '=', user.mailboxId)
      .execute();
    await visit(user, memory);
    expect((await row()).sync_asked_at).toBeNull();
    const mailTransport = {
      ...world.context.mailTransport,
      openImap: () => Promise.reject(new Error('down')),
    };
    await visit(user, memory, { mailTransport });
    expect((await row()).failing_since).toBeInstanceOf(Date);
    await visit(user, memory);
    expect((await row()).failing_since).toBeNull();
  });

  /** Waits for news end at once, as if their server ended them, until `restFrom` of them have; then they last. */
  interface Waits {
    pollSeconds: number;
    restFrom?: number;
  }

  /** A held connection of a new mailbox, what is asked of it, and how long it would wait for news each time. */
  async function hold({ pollSeconds, restFrom = 0 }: Waits, session: Partial<ImapSession> = {}) {
    const user = await world.newMailboxes(1);
    const stop = new AbortController();
    const said: string[] = [];
    const idleAt: number[] = [];
    const limits: number[] = [];
    const noteSaid = (name: string) => {
      said.push(name);
      if (name === 'idle') idleAt.push(performance.now());
    };
    const noted: Partial<ImapSession> = {
      idle(this: ImapSession, limitMs, signal) {
        limits.push(limitMs / 1_000);
        if (limits.length <= restFrom) return Promise.resolve('over');
        return session.idle ? session.idle(limitMs, signal) : this.idle(limitMs, signal);
      },
    };
    const context = {
      ...world.context,
      config: { ...world.context.config, INBOX_POLL_SECONDS: pollSeconds },
      mailTransport: noting(world.context, { push: noteSaid }, { ...session, ...noted }),
    };
    const round = runSyncSession(context, user.clusterId, { signal: stop.signal });
    const end = () => {
      stop.abort();
      return round;
    };
    const lists = () => said.filter((name) => name === 'foldersWithState').length;
    return { user, said, lists, idleAt, limits, end };
  }

  it('is as quick to tell of a message in a held connection after many quiet ones', async () => {
    const { user, said, limits, end } = await hold({ pollSeconds: 15, restFrom: 3 });
    await until(async () => limits.length === 4);
    // All folders at first; then the list alone.
    const later = said.slice(said.indexOf('idle'));
    expect(new Set(later)).toEqual(new Set(['idle', 'foldersWithState', 'isOpen']));
    // The next list is due in more than a minute, which is longer than is waited here.
    expect(limits[3]).toBeGreaterThan(60);
    deliver(user, 'late');
    await until(async () => (await stored(user.mailboxId)).length === 1);
    await end();
  });

  it('comes less often in a held connection too, until something comes', async () => {
    const poll = 15;
    const { user, lists, limits, end } = await hold({ pollSeconds: poll, restFrom: 3 });
    await until(async () => limits.length === 4);
    const rests = limits.map((seconds) => Math.round(seconds / poll));
    expect(rests).toEqual([2, 4, 5, 5]);
    expect(lists()).toBe(4);
    deliver(user, 'news');
    await until(async () => limits.length === 5);
    expect(limits[4]).toBeLessThanOrEqual(poll);
    await end();
  });

  it('comes at once in a held connection when somebody asks, however long it would rest', async () => {
    const { user, said, lists, end } = await hold({ pollSeconds: 60 });
    await until(async () => said.includes('idle'));
    const ask = { sync_asked_at: new Date() };
    await world.database.db
      .updateTable('mailbox_syncs')
      .set(ask)
      .where('mailbox_id', '=', user.mailboxId)
      .execute();
    // Sooner than any wait for news ends.
    await expect.poll(lists).toBe(2);
    await end();
  });

  it('reads once a second where the server tells of changes without end', async () => {
    const changes = { idle: () => Promise.resolve('changed' as const) };
    const { idleAt, end } = await hold({ pollSeconds: 60 }, changes);
    await until(async () => idleAt.length >= 4);
    expect(idleAt[3]! - idleAt[1]!).toBeGreaterThan(1_950);
    await end();
  });

  it('comes at each poll where the server tells of nothing by itself', async () => {
    const { lists, limits, end } = await hold({ pollSeconds: 1 }, { tellsChanges: false });
    await until(async () => lists() >= 5);
    expect(Math.max(...limits)).toBeLessThanOrEqual(1);
    await end();
  });
});

it.each([
  [60, [60, 120, 240, 300, 300]],
  [1, [1, 2, 4, 5, 5]],
  [180, [180, 300, 300, 300, 300]],
  [3_600, [3_600, 3_600, 3_600, 3_600, 3_600]],
])('a mailbox looked at every %i s rests for up to five polls and minutes', (poll, expected) => {
  const rests = [0, 1, 2, 3, 100].map((quietLooks) => restAfterLook(poll * 1_000, quietLooks));
  expect(rests).toEqual(expected.map((seconds) => seconds * 1_000));
});

/** Notes which calls are made, by their names. */
const noting = (
  { mailTransport }: WatchContext,
  said: { push: (name: string) => unknown },
  instead: Partial<ImapSession> = {},
): WatchContext['mailTransport'] => ({
  ...mailTransport,
  async openImap(mailbox) {
    const session = await mailTransport.openImap(mailbox);
    return new Proxy(session, {
      get(target, name: keyof ImapSession) {
        const value = instead[name] ?? target[name];
        if (typeof value !== 'function' || name === 'close') return value;
        return (...given: never[]) => {
          said.push(name);
          return (value as (...all: never[]) => unknown).apply(target, given);
        };
      },
    });
  },
});
