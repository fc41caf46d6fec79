/** Sessions of inboxes and warm-ups in which an answer never comes, whichever it is: left, and begun anew. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
import { runShardSession } from '../../activities/shards/sessions.ts';
import type { Context } from '../../src/context.ts';
import { newMemory, visitMailbox } from '../../activities/inbox/watch-mailbox.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { handOver } from '../../src/db/shards/shard-jobs.ts';
import type { ImapSession, MailTransport } from '../../src/providers/mail-transport/port.ts';
import { openDatabase } from '../../src/db/database.ts';
import { syncInboxFlow } from '../../src/domain/inbox/flows.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';
import { startInboxWorld, type InboxWorld, type SyncedUser } from '../support/inbox/inbox-world.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { silentAt, type Silence } from '../support/tools/silence.ts';
import { addOperation } from '../support/workflows/operations.ts';

/** Well above what an answer takes on a busy machine. */
const HUNG_MS = 2_500;
/** The server ends what was left, as everywhere, but sooner. */
const STATEMENT_MS = 3_000;

const none = whyNoDovecot();
describe.skipIf(none)(`the reading of a mailbox${none ? ` (${none})` : ''}`, () => {
  const INBOXES = 48;
  let world: InboxWorld;
  beforeAll(async () => {
    world = await startInboxWorld();
  });
  afterAll(() => world?.close());
  afterEach(() => sql`delete from shard_jobs`.execute(world.database.db));

  const stored = async ({ mailboxId }: SyncedUser) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from messages where mailbox_id = ${mailboxId}`.execute(
      world.database.db,
    );
    return rows[0]!.n;
  };
  const handInboxOver = async ({ userId, clusterId }: SyncedUser) => {
    const { db } = world.database;
    const { id: operationId } = await addOperation(db, syncInboxFlow, {
      userId,
      workflowId: `inbox/${clusterId}`,
      resourceId: clusterId,
    });
    await handOver(db, { operationId, turn: 1, build: null, now: new Date() });
  };
  /** One whose mailbox a shard is to read, and the connections that are opened to it. */
  const watchedUser = async () => {
    const user = await world.newMailboxes();
    await handInboxOver(user);
    const opened: ImapSession[] = [];
    const { mailTransport } = world.context;
    const noted: MailTransport = {
      ...mailTransport,
      async openImap(access) {
        const session = await mailTransport.openImap(access);
        opened.push(session);
        return session;
      },
    };
    const context = { ...world.context, mailTransport: noted } as unknown as Context;
    return { user, context, opened };
  };

  it('goes on whichever answer of Postgres or the mail server has not come, and stores each message once', async () => {
    const own = openDatabase(world.database.url, {
      poolSize: 120,
      statementTimeoutMs: STATEMENT_MS,
    });
    const silences = new Map<number, Silence>();
    const users: SyncedUser[] = [];
    const context = { ...world.context, db: own } as unknown as Context;
    const run: typeof runShardSession = (session) => {
      const silence = silences.get(session.job.resource_id)!;
      const { watch } = session;
      const mailTransport = silence.calls(context.mailTransport);
      return runShardSession({
        ...session,
        context: { ...context, db: silence.db(own), mailTransport },
        watch: { ...watch, db: silence.db(watch.db) },
      });
    };
    for (let number = 1; number <= INBOXES; number += 1) {
      const user = await world.newMailboxes();
      users.push(user);
      world.dovecot.deliver(user.email, [rawMessage({ to: user.email, subject: `the ${number}` })]);
      silences.set(user.clusterId, silentAt(number));
      await handInboxOver(user);
    }
    const served = serveShards(context, createRunningJobs(context, { hungMs: HUNG_MS, run }));
    try {
      for (const user of users) {
        await vi.waitFor(async () => expect(await stored(user)).toBe(1), 90_000);
      }
      const reached = [...silences.values()].filter((silence) => silence.isReached());
      // Each wait of a first look was one in which the answer did not come.
      expect(reached.length).toBeGreaterThan(20);
      for (const silence of silences.values()) silence.end();
      for (const user of users) expect(await stored(user)).toBe(1);
    } finally {
      for (const silence of silences.values()) silence.end();
      await served.stop();
      await own.destroy();
    }
  }, 180_000);

  it('holds one connection per mailbox at most while its session hangs again and again, and none at the end', async () => {
    const { user, context, opened } = await watchedUser();
    const silences: Silence[] = [];
    const run: typeof runShardSession = (session) => {
      const { watch } = session;
      // What polls the rows of the inbox.
      const silence = silentAt(silences.length < 3 ? 3 : Infinity, /"clusters"/);
      silences.push(silence);
      return runShardSession({ ...session, watch: { ...watch, db: silence.db(watch.db) } });
    };
    const served = serveShards(context, createRunningJobs(context, { hungMs: HUNG_MS, run }));
    try {
      await vi.waitFor(() => expect(silences.length).toBeGreaterThan(3), 60_000);
      const isOpen = () => opened.filter((session) => session.isUsable()).length;
      await vi.waitFor(() => expect(opened.length).toBeGreaterThan(3), 20_000);
      await vi.waitFor(() => expect(isOpen()).toBe(1), 10_000);
      world.dovecot.deliver(user.email, [rawMessage({ to: user.email })]);
      await vi.waitFor(async () => expect(await stored(user)).toBe(1), 20_000);
      await served.stop();
      await vi.waitFor(() => expect(isOpen()).toBe(0), 10_000);
    } finally {
      for (const silence of silences) silence.end();
      await served.stop();
    }
  }, 180_000);

  it('is given up with its worker while it stores, which is no failure of the mailbox', async () => {
    const { db } = world.database;
    const user = await world.newMailboxes();
    world.dovecot.deliver(user.email, [rawMessage({ to: user.email })]);
    const silence = silentAt(1, /insert into messages/);
    const stop = new AbortController();
    const look = await readSyncSnapshot(db, user.clusterId);
    const visit = { ownAddresses: new Set<string>(), signal: stop.signal, memory: newMemory() };
    const context = { ...world.context, db: silence.db(db) };
    const visited = visitMailbox(context, look.mailboxes[0]!, visit);
    await vi.waitFor(() => expect(silence.isReached()).toBe(true), 20_000);
    stop.abort();
    await visited;
    const failing = () =>
      db
        .selectFrom('mailbox_syncs')
        .select('mailbox_id')
        .where('mailbox_id', '=', user.mailboxId)
        .where('failing_since', 'is not', null)
        .execute();
    expect(await failing()).toEqual([]);
    silence.end();
    await user.visit();
    expect(await failing()).toEqual([]);
  }, 180_000);
});

describe('a session of a warm-up', () => {
  /** Of all mailboxes together, and after how many answers the first one of each. */
  const HANGS = 20;
  const STEPS = [1, 6, 13, 22];
  let world: WarmupWorld;
  beforeAll(async () => {
    world = await startWarmupWorld({ DAY_SECONDS: '12', SEND_MAILBOX_HOURLY_LIMIT: '50' });
    await world.database.db.updateTable('users').set({ timezone: 'UTC' }).execute();
    world.wakeUp();
  });
  afterAll(() => world?.close());
  afterEach(() => sql`delete from shard_jobs`.execute(world.database.db));

  it('is left whichever answer has not come, and no message is sent twice', async () => {
    const own = openDatabase(world.database.url, {
      poolSize: 60,
      statementTimeoutMs: STATEMENT_MS,
    });
    const context: Context = { ...world.context, db: own };
    const mailboxIds = world.tenants.flatMap((tenant) => tenant.mailboxIds);
    let isOver = false;
    const ended = new Set<number>();
    const silences: Silence[] = [];
    const current = new Map<number, Silence>();
    const hangs = new Map(mailboxIds.map((id) => [id, 0]));
    const run: typeof runShardSession = (session) => {
      const { resource_id: id } = session.job;
      if (current.get(id)?.isReached()) {
        current.delete(id);
        hangs.set(id, hangs.get(id)! + 1);
      }
      if (isOver) return runShardSession(session).finally(() => ended.add(id));
      // Steps of different lengths: together they come to each wait of a session.
      const silence = current.get(id) ?? silentAt(STEPS[mailboxIds.indexOf(id)]! + hangs.get(id)!);
      if (!current.has(id)) silences.push(silence);
      current.set(id, silence);
      const { watch } = session;
      const db = silence.db(watch.db);
      const mailTransport = silence.calls(watch.mailTransport);
      return runShardSession({ ...session, watch: { ...watch, db, mailTransport } });
    };
    for (const mailboxId of mailboxIds) {
      const { operationId } = await world.enrol(mailboxId, { startVolume: 4 });
      await handOver(own, { operationId, turn: 1, build: null, now: context.clock.now() });
    }
    const served = serveShards(context, createRunningJobs(context, { hungMs: HUNG_MS, run }));
    try {
      const total = () => [...hangs.values()].reduce((a, b) => a + b, 0);
      await vi.waitFor(() => expect(total()).toBeGreaterThanOrEqual(HANGS), 120_000);
      isOver = true;
      for (const silence of silences) silence.end();
      // Others have their turn, once nothing hangs any more. One that is just ending puts its job off.
      const goOn = async () => {
        await sql`update shard_jobs set due_at = now()`.execute(own);
        expect(ended.size).toBe(mailboxIds.length);
      };
      await vi.waitFor(goOn, { timeout: 60_000, interval: 500 });
      const isSent = async () => (await world.messages()).some(({ state }) => state === 'sent');
      await world.until(isSent);
      const sent = (await world.messages()).filter(({ state }) => state === 'sent');
      for (const { message_id: id, to_mailbox_id: to } of sent) {
        const imap = await world.imap(to!);
        const uids: number[] = [];
        for (const folder of ['INBOX', 'Junk']) {
          await imap.open(folder);
          uids.push(...(await imap.search(folder, { name: 'Message-ID', value: id })));
        }
        await imap.close();
        expect(uids.length).toBe(1);
      }
    } finally {
      for (const silence of silences) silence.end();
      await served.stop();
      await own.destroy();
    }
  }, 240_000);
});
