/** The sync on bad days: killed, short of connections, refused, without CONDSTORE. Issue: Inbox. */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import {
  newMemory,
  visitMailbox,
  type WatchContext,
} from '../../activities/inbox/watch-mailbox.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import type { Database } from '../../src/db/tables.ts';
import { addCampaign } from '../support/campaigns/campaign-world.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { readCounts } from '../support/inbox/inbox-messages.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { startInboxWorld, type InboxWorld, type SyncedUser } from '../support/inbox/inbox-world.ts';
import { until } from '../support/mail/mail-world.ts';

const missing = whyNoDovecot();
if (missing) console.warn(`inbox-mishaps.test.ts is skipped: ${missing}`);

describe.skipIf(missing !== undefined)('the sync of mailboxes', () => {
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
      .orderBy('message_id')
      .execute();
  const visitWith = async (context: WatchContext, user: SyncedUser, memory = newMemory()) => {
    const { mailboxes } = await readSyncSnapshot(world.database.db, user.clusterId);
    const { signal } = new AbortController();
    const own = { ownAddresses: new Set([user.email]), signal, memory };
    await visitMailbox(context, mailboxes[0]!, own);
  };

  it('that is killed in any transaction loses nothing and stores nothing twice', async () => {
    const user = await world.newMailboxes();
    const messages = Array.from({ length: 300 }, (_, n) =>
      rawMessage({ id: `k${n}@client.test`, to: user.email }),
    );
    world.dovecot.deliver(user.email, messages);
    const counts: number[] = [];
    for (let at = 1; at <= 7; at += 1) {
      const db = dyingAt(world.database.db, at);
      await visitWith({ ...world.context, db }, user);
      counts.push((await stored(user.mailboxId)).length);
    }
    await user.visit();
    const ids = (await stored(user.mailboxId)).map(({ message_id }) => message_id);
    expect(new Set(ids).size).toBe(300);
    expect(ids).toHaveLength(300);
    // Some died with nothing stored, some in the middle.
    expect(counts[0]).toBe(0);
    expect(counts.some((count) => count > 0 && count < 300)).toBe(true);
    const { kept, counted, wrong } = await readCounts(world.database.db, user.userId);
    expect({ kept, wrong }).toEqual({ kept: counted, wrong: 0 });
  });

  it('reads more mailboxes than it has connections, whatever one of them refuses', async () => {
    const { db } = world.database;
    const user = await world.newMailboxes(4);
    const refused = user.mailboxes[0]!;
    const others = user.mailboxes.slice(1);
    const password = world.context.cipher.seal('wrong', passwordBinding(refused.id));
    await db.updateTable('mailboxes').set({ password }).where('id', '=', refused.id).execute();
    for (const { email } of others) world.dovecot.deliver(email, [rawMessage({ to: email })]);
    const stop = new AbortController();
    const round = runSyncSession(world.context, user.clusterId, {
      signal: stop.signal,
      connections: 2,
    });
    const counts = () => Promise.all(others.map(async ({ id }) => (await stored(id)).length));
    await until(async () => (await counts()).every((count) => count === 1));
    const sync = (id: number) =>
      db.selectFrom('mailbox_syncs').selectAll().where('mailbox_id', '=', id).executeTakeFirst();
    await until(async () => (await sync(refused.id))?.failing_since instanceof Date);
    // The last one holds no connection and is not due for a minute: somebody asks.
    const last = others.at(-1)!;
    await until(async () => (await sync(last.id))?.synced_at != null);
    world.dovecot.deliver(last.email, [rawMessage({ to: last.email })]);
    await db
      .updateTable('mailbox_syncs')
      .set({ sync_asked_at: new Date() })
      .where('mailbox_id', '=', last.id)
      .execute();
    await until(async () => (await stored(last.id)).length === 2);
    await until(async () => (await sync(last.id))?.sync_asked_at === null);
    stop.abort();
    expect(await round).toMatchObject({ state: 'active' });
  });

  it('follows read state and expunges of a host without CONDSTORE', async () => {
    const user = await world.newMailboxes();
    const messages = ['a', 'b', 'c'].map((id) =>
      rawMessage({ id: `${id}@x.test`, to: user.email }),
    );
    world.dovecot.deliver(user.email, messages);
    const context = { ...world.context, mailTransport: withoutCondstore(world.context) };
    const memory = newMemory();
    await visitWith(context, user, memory);
    const imap = await user.imap();
    await imap.addFlags('INBOX', [2], ['\\Seen']);
    world.dovecot.admin('expunge', '-u', user.email, 'mailbox', 'INBOX', 'uid', '3');
    await visitWith(context, user, memory);
    await imap.close();
    expect((await stored(user.mailboxId)).map(({ is_read }) => is_read)).toEqual([
      false,
      true,
      false,
    ]);
    const places = await world.database.db
      .selectFrom('message_places')
      .select('uid')
      .where('mailbox_id', '=', user.mailboxId)
      .orderBy('uid')
      .execute();
    expect(places.map(({ uid }) => uid)).toEqual([1, 2]);
  });

  it('waits for messages whose text does not come, for a day', async () => {
    const user = await world.newMailboxes();
    const { db } = world.database;
    const deliver = (names: string[]) =>
      world.dovecot.deliver(
        user.email,
        names.map((name) => rawMessage({ id: `${name}@t.test`, to: user.email, subject: name })),
      );
    const subjects = async () =>
      (await stored(user.mailboxId)).map(({ subject }) => subject).toSorted();
    const sync = () =>
      db
        .selectFrom('mailbox_syncs')
        .selectAll()
        .where('mailbox_id', '=', user.mailboxId)
        .executeTakeFirst();
    deliver(['a', 'b', 'c']);
    await visitWith(withoutTexts(world.context, [2]), user);
    expect(await subjects()).toEqual(['a']);
    expect(await sync()).toMatchObject({ reason: 'host_unreachable', synced_at: null });
    await user.visit();
    expect(await subjects()).toEqual(['a', 'b', 'c']);
    expect(await sync()).toMatchObject({ reason: null, failing_since: null });

    deliver(['d', 'e', 'f']);
    const ill = withoutTexts(world.context, [4, 5]);
    const later = { ...ill, clock: { now: () => new Date(Date.now() + 25 * 60 * 60_000) } };
    // Long after they came, but tried for the first time.
    await visitWith(later, user);
    expect(await subjects()).toEqual(['a', 'b', 'c']);
    const failingSince = new Date();
    await db
      .updateTable('mailbox_syncs')
      .set({ failing_since: failingSince })
      .where('mailbox_id', '=', user.mailboxId)
      .execute();
    await visitWith(ill, user);
    expect(await subjects()).toEqual(['a', 'b', 'c']);
    await visitWith(later, user);
    expect(await subjects()).toEqual(['(unreadable)', '(unreadable)', 'a', 'b', 'c', 'f']);
    expect(await sync()).toMatchObject({ reason: null, failing_since: null });
  });

  it('ends the sequences of those who complain, unsubscribe or cannot be reached', async () => {
    const { db } = world.database;
    const user = await world.newMailboxes();
    const { campaignId, leadIds } = await addCampaign(db, user.userId, {
      leads: 3,
      mailboxIds: [user.mailboxId],
      followups: 2,
    });
    const ids = leadIds.map((leadId) => `<c${campaignId}.l${leadId}.s0@acme.test>`);
    for (const [at, leadId] of leadIds.entries()) {
      await sql`
        insert into sends (user_id, campaign_id, lead_id, step, mailbox_id, recipient_domain,
          email_key, message_id, subject, state, claimed_by, claimed_at, sent_at)
        select ${user.userId}, ${campaignId}, id, 0, ${user.mailboxId}, 'client.test', email_key,
          ${ids[at]}, 'A question', 'sent', gen_random_uuid(), now() - interval '1 hour',
          now() - interval '1 hour'
        from leads where id = ${leadId}`.execute(db);
    }
    const unreached = await db
      .selectFrom('leads')
      .select('email')
      .where('id', '=', leadIds[2]!)
      .executeTakeFirstOrThrow();
    const answer = { headers: { 'In-Reply-To': ids[1]! }, to: user.email };
    world.dovecot.deliver(user.email, [
      machine(user.email, ids[0]!, 'feedback-report', 'Feedback-Type: abuse\r\nVersion: 1'),
      rawMessage({ ...answer, text: 'Please take me off your list.' }),
      machine(user.email, ids[2]!, 'delivery-status', statusOf(unreached.email!)),
    ]);
    await user.visit();
    const sends = await db
      .selectFrom('sends')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .orderBy('id')
      .execute();
    expect(sends[0]!.complained_at).toBeInstanceOf(Date);
    expect(sends[1]!.unsubscribed_at).toBeInstanceOf(Date);
    expect(sends[2]!.bounced_at).toBeInstanceOf(Date);
    const recipients = await db
      .selectFrom('recipients')
      .select(['status', 'due_at'])
      .where('campaign_id', '=', campaignId)
      .execute();
    expect(recipients).toHaveLength(3);
    expect(recipients.filter(({ due_at }) => due_at !== null)).toEqual([]);
  });
});

const statusOf = (address: string) =>
  `Reporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; ${address}\r\n` +
  'Action: failed\r\nStatus: 5.1.1';

const machine = (to: string, about: string, type: string, fields: string) =>
  rawMessage({
    from: 'MAILER-DAEMON@mx.test',
    to,
    subject: 'Report',
    headers: { 'Content-Type': `multipart/report; report-type=${type}; boundary=b` },
    text: [
      '--b\nContent-Type: text/plain\n\nSee below.',
      `--b\nContent-Type: message/${type}\n\n${fields}\n`,
      `--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${about}\n`,
      '--b--',
    ].join('\n'),
  });

/** A database whose n-th transaction does its work and is lost before the commit; then all are. */
function dyingAt(db: Kysely<Database>, last: number): Kysely<Database> {
  let count = 0;
  const transaction = () => ({
    async execute(work: (trx: unknown) => Promise<unknown>) {
      count += 1;
      if (count > last) throw new Error('dead');
      return db.transaction().execute(async (trx) => {
        const outcome = await work(trx);
        if (count === last) throw new Error('killed before the commit');
        return outcome;
      });
    },
  });
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A host that sends nothing of these messages. */
const withoutTexts = (context: WatchContext, uids: readonly number[]): WatchContext => ({
  ...context,
  mailTransport: {
    ...context.mailTransport,
    async openImap(mailbox) {
      const session = await context.mailTransport.openImap(mailbox);
      return {
        ...session,
        async *fetchNew(path, range) {
          for await (const messages of session.fetchNew(path, range)) {
            yield messages.map((each) =>
              uids.includes(each.uid)
                ? { ...each, source: Buffer.alloc(0), isTextless: true }
                : each,
            );
          }
        },
      };
    },
  },
});

const withoutCondstore = ({ mailTransport }: WatchContext): WatchContext['mailTransport'] => ({
  ...mailTransport,
  async openImap(mailbox) {
    const session = await mailTransport.openImap(mailbox);
    const open = async (path: string) => ({ ...(await session.open(path)), highestModseq: null });
    const foldersWithState = async () =>
      (await session.foldersWithState()).map(({ state, ...folder }) => ({
        ...folder,
        ...(state && { state: { ...state, highestModseq: null } }),
      }));
    return { ...session, open, foldersWithState };
  },
});
