/** Sessions of inboxes and warm-ups in which an answer never comes, whichever it is: left, and begun anew. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
import { runShardSession } from '../../activities/shards/sessions.ts';
import type { Context } from '../../src/context.ts';
import { handOver } from '../../src/db/shards/shard-jobs.ts';
import { openDatabase } from '../../src/db/database.ts';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import { startWarmupWorld, type WarmupWorld } from '../support/campaigns/warmup-world.ts';
import { startInboxWorld, type InboxWorld, type SyncedUser } from '../support/inbox/inbox-world.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { silentAt } from '../support/tools/silence.ts';

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

  it('goes on whichever answer of Postgres or the mail server has not come, and stores each message once', async () => {
    const own = openDatabase(world.database.url, {
      poolSize: 120,
      statementTimeoutMs: STATEMENT_MS,
    });
    const stop = new AbortController();
    const one = async (number: number) => {
      const user = await world.newMailboxes();
      world.dovecot.deliver(user.email, [rawMessage({ to: user.email, subject: `the ${number}` })]);
      const silence = silentAt(number);
      const { mailTransport } = world.context;
      const context = {
        ...world.context,
        db: silence.db(own),
        mailTransport: silence.calls(mailTransport),
      };
      // Beside it, the rows of the inbox are polled: what hangs there is watched by the shard's own watch.
      const options = { signal: stop.signal, hungMs: HUNG_MS, rows: own };
      return { user, silence, done: runSyncSession(context, user.clusterId, options) };
    };
    const all = await Promise.all(Array.from({ length: INBOXES }, (_, n) => one(n + 1)));
    const stored = async ({ mailboxId }: SyncedUser) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from messages where mailbox_id = ${mailboxId}`.execute(own);
      return rows[0]!.n;
    };
    try {
      for (const { user } of all) {
        await vi.waitFor(async () => expect(await stored(user)).toBe(1), 60_000);
      }
      const reached = all.filter(({ silence }) => silence.isReached());
      // Each wait of a first visit was one in which the answer did not come.
      expect(reached.length).toBeGreaterThan(20);
      for (const { silence } of all) silence.end();
      await Promise.all(all.map(async ({ user }) => expect(await stored(user)).toBe(1)));
    } finally {
      for (const { silence } of all) silence.end();
      stop.abort();
      await Promise.all(all.map(({ done }) => done));
      await own.destroy();
    }
  }, 180_000);
});

describe('a session of a warm-up', () => {
  /** Sessions in a row that hang, each one answer later than the one before. */
  const SESSIONS = 14;
  let world: WarmupWorld;
  beforeAll(async () => {
    world = await startWarmupWorld();
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
    const silences: ReturnType<typeof silentAt>[] = [];
    const mailboxIds = world.tenants.flatMap((tenant) => tenant.mailboxIds);
    const begun = new Map<number, number>();
    const run: typeof runShardSession = (session) => {
      const { resource_id: id } = session.job;
      const turn = begun.get(id) ?? 0;
      begun.set(id, turn + 1);
      if (turn >= SESSIONS) return runShardSession(session);
      // All mailboxes together come to each number of an answer.
      const silence = silentAt(1 + turn * mailboxIds.length + mailboxIds.indexOf(id));
      silences.push(silence);
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
      await vi.waitFor(
        () => expect(mailboxIds.every((id) => (begun.get(id) ?? 0) > SESSIONS)).toBe(true),
        120_000,
      );
      await world.until(async () => (await world.messages()).length > 0, 60_000);
      for (const silence of silences) silence.end();
      expect(silences.filter((silence) => silence.isReached()).length).toBeGreaterThan(20);
      for (const { message_id: id, to_mailbox_id: to } of await world.messages()) {
        const imap = await world.imap(to!);
        const uids: number[] = [];
        for (const folder of ['INBOX', 'Junk']) {
          await imap.open(folder);
          uids.push(...(await imap.search(folder, { name: 'Message-ID', value: id })));
        }
        await imap.close();
        expect(uids.length).toBeLessThanOrEqual(1);
      }
    } finally {
      for (const silence of silences) silence.end();
      await served.stop();
      await own.destroy();
    }
  }, 240_000);
});
