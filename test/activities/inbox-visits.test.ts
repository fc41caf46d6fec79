/** Mailboxes beyond the connections that an inbox holds: read in time, whatever the hosts of others do. */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runSyncSession } from '../../activities/inbox/sync-session.ts';
import { createVisits } from '../../activities/inbox/visits.ts';
import type { WatchContext } from '../../activities/inbox/watch-mailbox.ts';
import { askForSync } from '../../src/db/inbox/inbox-sync-states.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { createMailTransport } from '../../src/providers/mail-transport/index.ts';
import { rawMessage } from '../support/inbox/inbox-message-text.ts';
import { startInboxWorld, type InboxWorld } from '../support/inbox/inbox-world.ts';
import { whyNoDovecot } from '../support/mail/dovecot.ts';
import { startSocksListener, type SocksListener } from '../support/tools/socks-listener.ts';

const missing = whyNoDovecot();
if (missing) console.warn(`inbox-visits.test.ts is skipped: ${missing}`);

/** Production waits 30 s for a host that does not answer. */
const TIMEOUT_MS = 3_000;
const POLL_SECONDS = 60;
const SILENT = '198.18.0.66';
const SILENT_HOST = /^silent/;

describe.skipIf(missing !== undefined)('mailboxes beyond the held connections', () => {
  let world: InboxWorld;
  let socks: SocksListener;
  const open = new Set<Socket>();
  let context: WatchContext;
  beforeAll(async () => {
    world = await startInboxWorld();
    // It takes connections and never says a word.
    const silent = createServer((socket) => void socket.on('error', () => undefined));
    const forward = createServer((socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      const onward = connect(world.dovecot.port, '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
    socks = await startSocksListener(({ host }) => (host === SILENT ? silent : forward));
    const resolveA = async (name: string) => [SILENT_HOST.test(name) ? SILENT : '198.18.0.9'];
    const transportOf = (timeoutMs: number) =>
      createMailTransport({
        dns: { resolveA },
        outboundProxy: socks.url,
        timeoutMs,
        guard: { allowBenchmarkRange: true },
      });
    // Who answers may do so late on a busy machine.
    const [hasty, patient] = [transportOf(TIMEOUT_MS), transportOf(30_000)];
    const openImap: typeof patient.openImap = (access) => {
      const isSilent = SILENT_HOST.test(access.servers?.imap.host ?? '');
      return (isSilent ? hasty : patient).openImap(access);
    };
    context = { ...world.context, mailTransport: { ...patient, openImap } };
  });
  afterAll(async () => {
    await socks?.close();
    await world?.close();
  });
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(() => {
    vi.useRealTimers();
    return Promise.all(stops.splice(0).map((stop) => stop()));
  });

  /** An account's connected mailboxes, in this order, at the hosts of these names. */
  async function connected(hosts: readonly string[]) {
    const { db } = world.database;
    const user = await world.newMailboxes(hosts.length);
    const domain = user.email.split('@')[1]!;
    const server = (host: string, port: number) => ({ host, port, tls: 'tls' });
    for (const [at, { id, email }] of user.mailboxes.entries()) {
      const host = `${hosts[at]}-${domain}`;
      const servers = { username: email, smtp: server(host, 465), imap: server(host, 993) };
      await db
        .insertInto('connected_mailboxes')
        .values({ mailbox_id: id, preset: null, servers: JSON.stringify(servers) } as never)
        .execute();
    }
    await sql`update mailboxes set cluster_id = null where user_id = ${user.userId}`.execute(db);
    const { id: inboxId } = await db
      .insertInto('connected_inboxes')
      .values({ user_id: user.userId })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ...user, inboxId };
  }
  function serve(inboxId: number) {
    const stop = new AbortController();
    const session = runSyncSession(context, inboxId, { signal: stop.signal, connections: 0 });
    const end = () => {
      stop.abort();
      return session;
    };
    stops.push(end);
    return end;
  }
  const stored = async (ids: readonly number[]) => {
    const { rows } = await sql<{ n: number }>`select count(distinct mailbox_id)::int as n
      from messages where mailbox_id = any (${[...ids]}::bigint[])`.execute(world.database.db);
    return rows[0]!.n;
  };
  const looks = async (ids: readonly number[]) => {
    const { rows } = await sql<{ id: number; looked_at: Date | null; synced_at: Date | null }>`
      select mailbox_id as id, looked_at, synced_at from mailbox_syncs
      where mailbox_id = any (${[...ids]}::bigint[]) order by mailbox_id`.execute(
      world.database.db,
    );
    return rows;
  };

  it('are read in time behind forty of a host that does not answer, which is asked a few times', async () => {
    const DEAD = 40;
    const user = await connected([
      ...Array.from({ length: DEAD }, () => 'silent'),
      ...Array.from({ length: 8 }, (_, n) => `mail${n % 2}`),
    ]);
    const alive = user.mailboxes.slice(DEAD);
    for (const { email } of alive) world.dovecot.deliver(email, [rawMessage({ to: email })]);
    const asked = () => socks.asked.filter(({ host }) => host === SILENT).length;
    const before = asked();
    serve(user.inboxId);
    const ids = alive.map(({ id }) => id);
    await vi.waitFor(async () => expect(await stored(ids)).toBe(alive.length), 120_000);
    expect(asked() - before).toBeGreaterThan(0);
    expect(asked() - before).toBeLessThan(6);
  }, 180_000);

  it('are visited in the order of their last looks, also by the session after', async () => {
    const user = await connected(['silent1', 'silent2', 'silent3', 'silent4', 'mail']);
    const { db } = world.database;
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const [first, second, third, fourth, last] = user.mailboxes.map(({ id }) => id) as [
      number,
      number,
      number,
      number,
      number,
    ];
    // It has failed for ten minutes, and rests as long; the others have not.
    const row = (id: number, lookedAt: Date, since: Date) => ({
      mailbox_id: id,
      looked_at: lookedAt,
      failing_since: since,
      synced_at: null,
      error: 'x',
      reason: 'host_unreachable' as const,
      sync_asked_at: null,
      warmup_asked_at: null,
    });
    await db
      .insertInto('mailbox_syncs')
      .values([
        row(first, ago(3), ago(13)),
        row(second, ago(11), ago(40)),
        row(third, ago(30), ago(90)),
        row(fourth, ago(20), ago(90)),
      ])
      .execute();
    world.dovecot.deliver(user.mailboxes[4]!.email, [rawMessage({ to: user.mailboxes[4]!.email })]);
    const end = serve(user.inboxId);
    await vi.waitFor(async () => expect(await stored([last])).toBe(1), 40_000);
    const isNew = async (id: number) => (await looks([id]))[0]!.looked_at! > ago(0.5);
    await vi.waitFor(async () => {
      expect(await Promise.all([second, third, fourth].map(isNew))).toEqual([true, true, true]);
    }, 25_000);
    expect(await isNew(first)).toBe(false);
    await end();
    // The session after does not begin with them anew.
    const before = await looks([first, second, third, fourth]);
    const again = serve(user.inboxId);
    await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 2_000));
    await again();
    expect(await looks([first, second, third, fourth])).toEqual(before);
  }, 180_000);

  it('are visited less often while nothing comes, and at once when somebody asks', async () => {
    const user = await connected(['mail']);
    const [{ id, email }] = user.mailboxes as [{ id: number; email: string }];
    const { db } = world.database;
    let [begun, ended] = [0, 0];
    const noted: WatchContext['mailTransport'] = {
      ...context.mailTransport,
      async openImap(access) {
        begun += 1;
        const session = await context.mailTransport.openImap(access);
        const close = () => session.close().finally(() => (ended += 1));
        return Object.assign(Object.create(session) as typeof session, { close });
      },
    };
    const visits = createVisits({ ...context, mailTransport: noted }, { hungMs: 60_000 });
    const stop = new AbortController();
    stops.push(() => (stop.abort(), visits.end()));
    /** Whether it is visited that many seconds after the last visit, which has ended. */
    let lastAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: lastAt });
    const isVisitedAfter = async (seconds: number) => {
      vi.setSystemTime(lastAt + seconds * 1_000);
      const { mailboxes } = await readSyncSnapshot(db, user.inboxId);
      const before = begun;
      visits.visit(mailboxes, new Set(), stop.signal);
      if (begun === before) return false;
      lastAt = Date.now();
      await expect.poll(() => ended).toBe(begun);
      await sleep(1);
      return true;
    };
    expect(await isVisitedAfter(0)).toBe(true);
    expect((await looks([id]))[0]?.synced_at).toBeTruthy();
    // After looks that found nothing it waits for twice, four times and then always five times as long.
    for (const polls of [2, 4, 5, 5]) {
      expect(await isVisitedAfter((polls - 0.5) * POLL_SECONDS)).toBe(false);
      expect(await isVisitedAfter((polls + 0.5) * POLL_SECONDS)).toBe(true);
    }
    // What comes makes the next looks more frequent.
    world.dovecot.deliver(email, [rawMessage({ to: email })]);
    expect(await isVisitedAfter(5.5 * POLL_SECONDS)).toBe(true);
    expect(await stored([id])).toBe(1);
    for (const polls of [1, 2]) {
      expect(await isVisitedAfter((polls - 0.5) * POLL_SECONDS)).toBe(false);
      expect(await isVisitedAfter((polls + 0.5) * POLL_SECONDS)).toBe(true);
    }
    // Whoever asks waits for no turn: the last one has just been.
    expect(await isVisitedAfter(1)).toBe(false);
    await askForSync(db, { userId: user.userId }, new Date());
    expect(await isVisitedAfter(1)).toBe(true);
  }, 180_000);

  it('are all beyond what the worker holds for all its inboxes', async () => {
    const users = await Promise.all([connected(['mail', 'mail', 'mail']), connected(['mail'])]);
    const stop = new AbortController();
    const config = { ...context.config, INBOX_CONNECTIONS: 3 };
    const sessions = users.map(({ inboxId }) =>
      runSyncSession({ ...context, config }, inboxId, { signal: stop.signal }),
    );
    stops.push(() => (stop.abort(), Promise.all(sessions)));
    const ids = users.flatMap(({ mailboxes }) => mailboxes.map(({ id }) => id));
    const read = async () => (await looks(ids)).filter(({ synced_at: at }) => at !== null).length;
    await vi.waitFor(async () => expect(await read()).toBe(ids.length), 30_000);
    await vi.waitFor(() => expect(open.size).toBe(3), 25_000);
  }, 180_000);

  it('are visited by nobody once the session has ended, those that were to come included', async () => {
    const user = await connected(Array.from({ length: 30 }, (_, n) => `silent-${n}`));
    const asked = () => socks.asked.filter(({ host }) => host === SILENT).length;
    const before = asked();
    const { signal } = new AbortController();
    const session = runSyncSession(context, user.inboxId, { signal, connections: 0 });
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(before), 40_000);
    const { db } = world.database;
    await db.deleteFrom('connected_inboxes').where('id', '=', user.inboxId).execute();
    expect(await session).toMatchObject({ state: 'over' });
    const then = asked();
    await new Promise((resolve) => setTimeout(resolve, 2 * TIMEOUT_MS));
    expect(asked()).toBe(then);
  }, 180_000);

  it('that nobody looks into are told by how long ago that was', async () => {
    const { db } = world.database;
    await sql`update mailboxes set created_at = now()`.execute(db);
    await sql`update mailbox_syncs set synced_at = now()`.execute(db);
    const user = await connected(['mail', 'silent']);
    const [read, failing] = user.mailboxes.map(({ id }) => id) as [number, number];
    await sql`update mailboxes set created_at = now() - interval '5 hours'
      where user_id = ${user.userId}`.execute(db);
    const oldest = async () => (await readOperatorNumbers(db)).oldestLookSeconds;
    expect(await oldest()).toBeGreaterThan(17_990);
    serve(user.inboxId);
    await vi.waitFor(async () => expect(await oldest()).toBeLessThan(60), 40_000);
    const [ok, bad] = await looks([read, failing]);
    expect([ok!.synced_at, bad!.looked_at]).toEqual([expect.any(Date), expect.any(Date)]);
  }, 180_000);
});
