/** Shards: who has which, what is done when something is due, and what follows when a session hangs or fails. */
import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards, SHORT_SESSIONS } from '../../activities/shards/serve-shards.ts';
import type { Served } from '../../activities/shards/served.ts';
import { serveStanding } from '../../activities/shards/standing-work.ts';
import { runShardSession } from '../../activities/shards/sessions.ts';
import { runCommand } from '../../src/cli/program.ts';
import { endLeases, renewLeases } from '../../src/db/shards/shard-leases.ts';
import { wakeShardJobs } from '../../src/db/shards/shard-jobs.ts';
import { openDatabase } from '../../src/db/database.ts';
import { SHARDS } from '../../src/domain/shards/shards.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { holdMessages } from '../support/campaigns/held-messages.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { judgedAwake, openShards, type ShardWorld } from '../support/campaigns/shard-world.ts';

/** Domains of the campaigns whose sessions hang. */
const SILENT = ['open', 'send', 'compose'] as const;
const HANGING = Array.from({ length: 72 }, (_, n) => `hangs-${n + 1}.test`);

let world: SessionWorld;
let userId: string;
let mailboxIds: number[];
beforeAll(async () => {
  world = await startSessionWorld([
    'one.test',
    'scaled.test',
    ...HANGING,
    ...SILENT.map((call) => `${call}.test`),
  ]);
  userId = await addSender(world.database.db);
  mailboxIds = await newMailboxes(2);
});
afterAll(() => world.close());

const served: Served[] = [];
const serve = (
  shards: ShardWorld,
  ...jobs: Parameters<typeof serveShards> extends [unknown, ...infer R] ? R : never
) => {
  const one = serveShards(shards.context, ...jobs);
  served.push(one);
  return one;
};
afterEach(async () => {
  await Promise.all(served.splice(0).map((one) => one.stop()));
  await sql`delete from shard_jobs`.execute(world.database.db);
  world.smtp.taken.length = 0;
  world.smtp.twist = () => undefined;
});

const newMailboxes = (count: number, domain = 'one.test') => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count, domain });
};
const jobOf = (operationId: number) =>
  world.database.db
    .selectFrom('shard_jobs')
    .selectAll()
    .where('operation_id', '=', operationId)
    .executeTakeFirst();
const takenOnce = () => {
  const to = world.smtp.taken.map((message) => message.to);
  expect(new Set(to).size).toBe(to.length);
  return to.length;
};
const statusOf = async (campaignId: number) => {
  const { status } = await world.database.db
    .selectFrom('campaigns')
    .select('status')
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  return status;
};

describe('leases', () => {
  const ids = () => [randomUUID(), randomUUID(), randomUUID()] as const;
  afterEach(async () => {
    await sql`update shards set owner = null, leased_until = '-infinity'`.execute(
      world.database.db,
    );
    await sql`delete from shard_workers`.execute(world.database.db);
  });

  const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);
  const sorted = (shards: readonly number[]) => shards.toSorted((a, b) => a - b);

  it('give one worker all shards, and each of two a half', async () => {
    const { db } = world.database;
    const [a, b] = ids();
    const { taken: all } = await renewLeases(db, a, { keep: [] });
    expect(sorted(all)).toEqual(ALL);
    expect(await renewLeases(db, b, { keep: [] })).toEqual({ kept: [], taken: [], leaving: [] });
    const { kept: half, taken: none } = await renewLeases(db, a, { keep: all });
    expect([half.length, none]).toEqual([SHARDS / 2, []]);
    const { taken: other } = await renewLeases(db, b, { keep: [] });
    expect(sorted([...half, ...other])).toEqual(ALL);
  });

  it('pass to others once a worker has not renewed them, and are not renewed by it afterwards', async () => {
    const { db } = world.database;
    const [a, b] = ids();
    const { taken: all } = await renewLeases(db, a, { keep: [] });
    await sql`update shards set leased_until = clock_timestamp() - interval '1 second'`.execute(db);
    await sql`update shard_workers set seen_at = clock_timestamp() - interval '1 minute'`.execute(
      db,
    );
    expect((await renewLeases(db, b, { keep: [] })).taken).toHaveLength(SHARDS);
    expect(await renewLeases(db, a, { keep: all })).toEqual({ kept: [], taken: [], leaving: [] });
  });

  it('are not kept, but taken, where they had ended meanwhile: somebody else may have had them', async () => {
    const { db } = world.database;
    const [a] = ids();
    const { taken: all } = await renewLeases(db, a, { keep: [] });
    await sql`update shards set leased_until = clock_timestamp() - interval '1 second'`.execute(db);
    const { kept, taken } = await renewLeases(db, a, { keep: all });
    expect([kept, sorted(taken)]).toEqual([[], ALL]);
  });

  it('are given up to another worker only when no session is left there', async () => {
    const { db } = world.database;
    const [a, b] = ids();
    const { taken: all } = await renewLeases(db, a, { keep: [] });
    await renewLeases(db, b, { keep: [] });
    const busy = new Set(all.slice(-2));
    const { kept, leaving } = await renewLeases(db, a, { keep: all, busy });
    expect([kept.length, sorted(leaving)]).toEqual([SHARDS / 2, sorted(all.slice(-2))]);
    const { taken } = await renewLeases(db, b, { keep: [] });
    expect(taken).toHaveLength(SHARDS / 2 - 2);
    const held = { keep: [...kept, ...leaving], busy: new Set<number>() };
    expect(await renewLeases(db, a, held)).toMatchObject({ leaving: [] });
    expect((await renewLeases(db, b, { keep: taken })).taken).toHaveLength(2);
  });

  it('are given up only at the next time where a session may have begun while Postgres answered', async () => {
    const { db } = world.database;
    const [a, b] = ids();
    const { taken: all } = await renewLeases(db, a, { keep: [] });
    await renewLeases(db, b, { keep: [] });
    const first = await renewLeases(db, a, { keep: all, mayGiveUp: new Set() });
    expect(sorted(first.leaving)).toEqual(sorted(all.slice(first.kept.length)));
    expect(first.kept).toHaveLength(SHARDS / 2);
    expect((await renewLeases(db, b, { keep: [] })).taken).toEqual([]);
    const [begun, ...free] = first.leaving as [number, ...number[]];
    const keep = [...first.kept, ...first.leaving];
    const mayGiveUp = new Set(first.leaving);
    const busy = new Set([begun]);
    expect((await renewLeases(db, a, { keep, busy, mayGiveUp })).leaving).toEqual([begun]);
    expect(sorted((await renewLeases(db, b, { keep: [] })).taken)).toEqual(sorted(free));
  });

  it('are free at once after an orderly end', async () => {
    const { db } = world.database;
    const [a, b] = ids();
    await renewLeases(db, a, { keep: [] });
    await endLeases(db, a);
    expect((await renewLeases(db, b, { keep: [] })).taken).toHaveLength(SHARDS);
  });

  it('never belong to two of three workers that come and go', async () => {
    const { db } = world.database;
    const workers = ids();
    const own = new Map<string, number[]>(workers.map((id) => [id, []]));
    for (let turn = 0; turn < 12; turn += 1) {
      await Promise.all(
        workers.map(async (id) => {
          const { kept, taken } = await renewLeases(db, id, { keep: own.get(id)! });
          own.set(id, [...kept, ...taken]);
        }),
      );
      const held = [...own.values()].flat();
      expect(new Set(held).size).toBe(held.length);
    }
    expect(sorted([...own.values()].map(({ length }) => length))).toEqual([20, 22, 22]);
  });
});

describe('a shard', () => {
  it('sends a campaign that is handed over, tells its workflow once, and forgets the job', async () => {
    const shards = openShards(world);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 8, mailboxIds });
    const operationId = await shards.handOver(campaignId, userId, 7);
    serve(shards);
    await vi.waitFor(() => expect([...shards.told.values()]).toHaveLength(1), 45_000);
    expect([...shards.told.values()]).toEqual([
      [{ state: 'active', isDone: true, turn: 7, progress: '8 messages sent in this session' }],
    ]);
    expect(takenOnce()).toBe(8);
    await vi.waitFor(async () => expect(await jobOf(operationId)).toBeUndefined(), 45_000);
  });

  it('keeps its leases and loses no session while all connections of sessions are in use', async () => {
    const { db, url } = world.database;
    const sessionDb = openDatabase(url, { poolSize: 1, connectionTimeoutMs: 100_000 });
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => void (release = resolve));
    const shards = openShards(world);
    const { campaignId } = await addCampaign(db, userId, { leads: 3, mailboxIds });
    const operationId = await shards.handOver(campaignId, userId);
    const leasedUntil = async () => {
      const { rows } = await sql<{ until: Date | null; held: number }>`
        select min(leased_until) as until, count(*)::int as held from shards
        where leased_until > clock_timestamp()`.execute(db);
      return rows[0]!;
    };
    // The one connection that sessions have.
    const busy = sessionDb.connection().execute(() => released);
    serve(shards, createRunningJobs({ ...shards.context, db: sessionDb }));
    await vi.waitFor(async () => expect((await leasedUntil()).held).toBe(SHARDS), 45_000);
    const first = (await leasedUntil()).until!.getTime();
    // Renewed after more than the 3 s that a request waits for a connection.
    await vi.waitFor(async () => {
      const { until, held } = await leasedUntil();
      expect(held).toBe(SHARDS);
      expect(until!.getTime()).toBeGreaterThan(first + 3_500);
    }, 45_000);
    expect(takenOnce()).toBe(0);
    release();
    await busy;
    await vi.waitFor(() => expect(takenOnce()).toBe(3), 45_000);
    expect((await jobOf(operationId))?.failures ?? 0).toBe(0);
    await Promise.all(served.splice(0).map((one) => one.stop()));
    await sessionDb.destroy();
  }, 180_000);

  it('begins sessions that hang anew, and keeps its leases, while their connections are all in use', async () => {
    const { db, url } = world.database;
    const sessionDb = openDatabase(url, { poolSize: 1, connectionTimeoutMs: 100_000 });
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => void (release = resolve));
    const busy = sessionDb.connection().execute(() => released);
    const shards = openShards(world);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const run: typeof runShardSession = ({ job }) => {
      begun.push(job.operation_id);
      return new Promise((_, reject) => ends.push(() => reject(new Error('late'))));
    };
    const operationIds: number[] = [];
    for (let n = 0; n < 3; n += 1) operationIds.push(await shards.handOver(3_000_000 + n, userId));
    serve(shards, createRunningJobs({ ...shards.context, db: sessionDb }, { hungMs: 2_500, run }));
    try {
      const timesOf = (id: number) => begun.filter((one) => one === id).length;
      await vi.waitFor(() => {
        for (const id of operationIds) expect(timesOf(id)).toBeGreaterThan(2);
      }, 45_000);
      const { rows } = await sql<{ held: number }>`
        select count(*)::int as held from shards
        where leased_until > clock_timestamp() + interval '5 seconds'`.execute(db);
      expect(rows[0]!.held).toBe(SHARDS);
      release();
      await busy;
      // Noted as soon as there is a connection.
      await vi.waitFor(async () => {
        for (const id of operationIds) {
          expect(await jobOf(id)).toMatchObject({ error: 'The last session hung' });
        }
      }, 45_000);
    } finally {
      release();
      const stopped = Promise.all(served.splice(0).map((one) => one.stop()));
      for (const end of ends) end();
      await stopped;
      await sessionDb.destroy();
    }
  }, 180_000);

  it('waits in its row until the next message is due, without a session, and looks when it is woken', async () => {
    const { db } = world.database;
    const shards = openShards(world);
    const dueAt = new Date(Date.now() + 3_600_000);
    const { campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds, dueAt });
    const operationId = await shards.handOver(campaignId, userId);
    const jobs = createRunningJobs(shards.context);
    serve(shards, jobs);
    await vi.waitFor(async () => {
      expect((await jobOf(operationId))!.due_at.getTime()).toBeGreaterThan(Date.now() + 60_000);
      expect(jobs.ids()).toEqual([]);
    }, 45_000);
    expect(takenOnce()).toBe(0);
    await sql`update recipients set due_at = now() where campaign_id = ${campaignId}`.execute(db);
    expect(
      await wakeShardJobs(db, { type: 'campaign', ids: [campaignId], now: new Date() }),
    ).toEqual(new Set([campaignId]));
    await vi.waitFor(() => expect(takenOnce()).toBe(2), 45_000);
  });

  it('sees by itself that something became due earlier', async () => {
    const { db } = world.database;
    const shards = openShards(world);
    const dueAt = new Date(Date.now() + 3_600_000);
    const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds, dueAt });
    const operationId = await shards.handOver(campaignId, userId);
    serve(shards);
    await vi.waitFor(async () => {
      expect((await jobOf(operationId))!.due_at.getTime()).toBeGreaterThan(Date.now() + 60_000);
    }, 45_000);
    // What its session said is kept, for operators.
    expect((await jobOf(operationId))!.note).toMatch(/^Nobody is due/);
    await sql`update recipients set due_at = now() where campaign_id = ${campaignId}`.execute(db);
    await vi.waitFor(() => expect(takenOnce()).toBe(1), 45_000);
  });

  it('reports a campaign that was paused, and goes on when it is handed over once more', async () => {
    const { db } = world.database;
    const shards = openShards(world);
    const { campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds });
    await sql`update campaigns set status = 'paused' where id = ${campaignId}`.execute(db);
    await shards.handOver(campaignId, userId, 1);
    serve(shards);
    await vi.waitFor(() => expect([...shards.told.values()]).toHaveLength(1), 45_000);
    expect([...shards.told.values()][0]).toMatchObject([{ state: 'paused', isDone: false }]);
    expect(takenOnce()).toBe(0);
    await sql`update campaigns set status = 'active' where id = ${campaignId}`.execute(db);
    await shards.handOver(campaignId, userId, 2);
    await vi.waitFor(() => expect(takenOnce()).toBe(2), 45_000);
  });

  it('says why a job fails, tries again, and is well again when the cause is gone', async () => {
    const shards = openShards(world);
    const { campaignId } = await addCampaign(world.database.db, userId, { leads: 1, mailboxIds });
    const operationId = await shards.handOver(campaignId, userId);
    let isBroken = true;
    const run: typeof runShardSession = (session) =>
      isBroken ? Promise.reject(new Error('no such table')) : runShardSession(session);
    serve(shards, createRunningJobs(shards.context, { run }));
    await vi.waitFor(async () => {
      expect(await jobOf(operationId)).toMatchObject({ error: 'no such table' });
      expect((await jobOf(operationId))!.failures).toBeGreaterThan(1);
    }, 45_000);
    isBroken = false;
    await vi.waitFor(() => expect(takenOnce()).toBe(1), 45_000);
  });

  it('sends everything once while workers become four and one again', async () => {
    const { db } = world.database;
    // A second between two messages of a mailbox: each number of workers has some of them to send.
    const { config, mailTransport } = world.tools({}, { SEND_MIN_GAP_SECONDS: 1 });
    const CAMPAIGNS = 24;
    const LEADS = 20;
    const all = CAMPAIGNS * LEADS;
    // Some of the messages wait, however long the workers take to share the shards.
    const last = holdMessages(mailTransport, all - CAMPAIGNS);
    const shards = openShards(world, {
      config: config as never,
      mailTransport: last.mailTransport,
    });
    const mailboxes = await newMailboxes(CAMPAIGNS, 'scaled.test');
    const first = serve(shards);
    const campaigns: number[] = [];
    for (let n = 0; n < CAMPAIGNS; n += 1) {
      const own = { leads: LEADS, mailboxIds: [mailboxes[n]!] };
      const { campaignId } = await addCampaign(db, userId, own);
      await shards.handOver(campaignId, userId);
      campaigns.push(campaignId);
    }
    const owners = async () => {
      const { rows } = await sql<{ owner: string }>`select owner from shards
        where leased_until > clock_timestamp() group by owner`.execute(db);
      return rows.length;
    };
    await vi.waitFor(() => expect(takenOnce()).toBeGreaterThan(all / 3), 90_000);
    const added = [serve(shards), serve(shards), serve(shards)];
    await vi.waitFor(async () => expect(await owners()).toBe(4), 60_000);
    await vi.waitFor(() => expect(takenOnce()).toBeGreaterThan((all * 2) / 3), 90_000);
    expect(takenOnce()).toBeLessThan(all);
    last.release();
    // The first one is among those that go.
    await Promise.all([first, added[0]!, added[1]!].map((one) => one.stop()));
    await vi.waitFor(async () => expect(await owners()).toBe(1), 60_000);
    for (const id of campaigns) {
      await vi.waitFor(async () => expect(await statusOf(id)).toBe('completed'), 90_000);
    }
    expect(takenOnce()).toBe(all);
  }, 300_000);
});

describe('many due jobs of one account', () => {
  it('leave the next place that comes free to another account', async () => {
    const { db } = world.database;
    const shards = openShards(world);
    const other = await addSender(db);
    /** Of running sessions, by job. */
    const ends = new Map<number, () => void>();
    const begun: number[] = [];
    const run: typeof runShardSession = ({ job, signal }) =>
      new Promise((resolve) => {
        const nextAt = new Date(Date.now() + 3_600_000).toISOString();
        const end = () => resolve({ state: 'active', isDone: false, progress: '', nextAt });
        begun.push(job.operation_id);
        ends.set(job.operation_id, end);
        signal.addEventListener('abort', end);
      });
    for (let n = 0; n < SHORT_SESSIONS + 60; n += 1) await shards.handOver(1_000_000 + n, userId);
    serve(shards, createRunningJobs(shards.context, { run }));
    // As many as a worker begins at once.
    await vi.waitFor(() => expect(begun).toHaveLength(SHORT_SESSIONS), 60_000);
    const late = await shards.handOver(2_000_000, other);
    ends.get(begun[0]!)!();
    await vi.waitFor(() => expect(begun).toHaveLength(SHORT_SESSIONS + 1), 45_000);
    expect(begun.at(-1)).toBe(late);
  }, 180_000);
});

describe('what a worker knows of a job', () => {
  it('is forgotten with the shard: what another worker left behind is recovered', async () => {
    const { db } = world.database;
    const shards = openShards(world);
    const isNew: boolean[] = [];
    const run: typeof runShardSession = (session) => {
      isNew.push(session.isNew);
      const nextAt = session.context.clock.now().toISOString();
      return Promise.resolve({ state: 'active', isDone: false, progress: '', nextAt });
    };
    const jobs = createRunningJobs(shards.context, { run });
    const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
    const operationId = await shards.handOver(campaignId, userId);
    const session = async () => {
      jobs.begin((await jobOf(operationId))!);
      await vi.waitFor(() => expect(jobs.ids()).toEqual([]), 45_000);
    };
    await session();
    await session();
    const { shard } = (await jobOf(operationId))!;
    jobs.keepOnly(new Set([shard]));
    await session();
    jobs.keepOnly(new Set());
    await session();
    expect(isNew).toEqual([true, false, false, true]);
  });
});

describe('standing work', () => {
  it('is done by one worker at a time, and by another within seconds when that one has stopped', async () => {
    const { db } = world.database;
    const started: string[] = [];
    const worker = (name: string) => {
      const { context } = openShards(world);
      const startOperation = (operation: { id: number }) => {
        started.push(`${name} ${operation.id}`);
        return Promise.resolve(true);
      };
      return serveStanding({ ...context, startOperation } as never, 'reconciler');
    };
    const waiting = async () => {
      const shards = openShards(world);
      const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
      const id = await shards.handOver(campaignId, userId);
      await sql`update operations set created_at = now() - interval '1 minute' where id = ${id}`.execute(
        db,
      );
      return id;
    };
    const first = await waiting();
    const a = worker('a');
    await vi.waitFor(() => expect(started).toContain(`a ${first}`), 45_000);
    served.push(worker('b'));
    const second = await waiting();
    await a.stop();
    await vi.waitFor(() => expect(started).toContain(`b ${second}`), 45_000);
    expect(started.filter((one) => one.startsWith('a') && one.endsWith(` ${second}`))).toEqual([]);
  }, 180_000);
});

describe('what operators see', () => {
  it('names workers, what is late, and what fails with its reason', async () => {
    const { db } = world.database;
    const shards = openShards(world);
    const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
    const operationId = await shards.handOver(campaignId, userId);
    const run = () => Promise.reject(new Error('no such table'));
    serve(shards, createRunningJobs(shards.context, { run }));
    await vi.waitFor(
      async () => expect((await jobOf(operationId))!.failures).toBeGreaterThan(0),
      45_000,
    );
    const io = (into: string[]) => ({
      out: (text: string) => void into.push(text),
      err: (text: string) => void into.push(text),
      environment: { DATABASE_URL: world.database.url },
    });
    const said: string[] = [];
    expect(await runCommand(['shards'], io(said))).toBe(0);
    expect(said.join('\n')).toContain('no such table');
    expect(said.join('\n')).toMatch(/deliveries +none/);
    // As Temporal names the process.
    const name = `${process.pid}@${hostname()}`;
    expect(said.join('\n')).toMatch(new RegExp(`^${name} +${SHARDS}$`, 'm'));
    const json: string[] = [];
    expect(await runCommand(['shards', '--json'], io(json))).toBe(0);
    expect(JSON.parse(json.join(''))).toMatchObject({
      workers: [{ worker: name, shards: SHARDS }],
      freeShards: 0,
      failing: [{ operationId, resource: `campaign/${campaignId}`, error: 'no such table' }],
    });
  });
});

describe('a session that hangs', () => {
  /** Well above what an answer takes on a busy machine. */
  const HUNG_MS = 2_500;
  const PORTION = 36;

  it('is left and taken over, whatever it waits for, and no message is sent twice', async () => {
    // The server ends a statement or a transaction that was left, as everywhere, but sooner.
    /** Ends what the left sessions wait for. */
    const late: (() => void)[] = [];
    const db = openDatabase(world.database.url, { poolSize: 60, statementTimeoutMs: 3_000 });
    try {
      const shards = openShards(world, { db });
      /** Campaigns by the number of the answer that never comes to their first session. */
      const silent = new Map<number, number>();
      const reached = new Set<number>();
      const begun = new Set<number>();
      const run: typeof runShardSession = (session) => {
        const { resource_id: id } = session.job;
        if (begun.has(id)) return runShardSession(session);
        begun.add(id);
        let answers = 0;
        const plugin = {
          transformQuery: ({ node }: { node: never }) => node,
          transformResult: async ({ result }: { result: never }) => {
            answers += 1;
            if (answers !== silent.get(id)) return result;
            reached.add(id);
            return new Promise<never>((_, reject) => late.push(() => reject(new Error('late'))));
          },
        };
        return runShardSession({
          ...session,
          watch: { ...session.watch, db: session.watch.db.withPlugin(plugin as never) },
        });
      };
      serve(shards, judgedAwake(createRunningJobs(shards.context, { hungMs: HUNG_MS, run })));
      // In portions: each session that hangs keeps a connection of the pool.
      for (let from = 0; from < HANGING.length; from += PORTION) {
        const portion: number[] = [];
        for (const [index, domain] of HANGING.slice(from, from + PORTION).entries()) {
          const own = await newMailboxes(1, domain);
          const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds: own });
          silent.set(campaignId, from + index + 1);
          portion.push(campaignId);
          await shards.handOver(campaignId, userId);
        }
        for (const id of portion) {
          await vi.waitFor(async () => expect(await statusOf(id)).toBe('completed'), 120_000);
        }
        // Those that were left come to life again, and find that nothing is theirs any more.
        for (const end of late.splice(0)) end();
      }
      expect(takenOnce()).toBeGreaterThan(HANGING.length - 10);
      // Each answer of a session was held back in one of them: the last ones had an end before theirs.
      expect(reached.size).toBeGreaterThan(12);
      expect(reached.size).toBeLessThan(HANGING.length);
      const before = takenOnce();
      await sleep(1_000);
      expect(takenOnce()).toBe(before);
    } finally {
      for (const end of late) end();
      await Promise.all(served.splice(0).map((one) => one.stop()));
      await db.destroy();
    }
  }, 300_000);

  it.each(SILENT)(
    'is left where `%s` of a mail server never answers',
    async (call) => {
      const { db } = world.database;
      const { mailTransport } = world.tools();
      const never = () => new Promise<never>(() => undefined);
      let isSilent = true;
      const once = <T>(name: string, work: () => Promise<T>): Promise<T> => {
        if (name !== call || !isSilent) return work();
        isSilent = false;
        return never();
      };
      const silent: typeof mailTransport = {
        ...mailTransport,
        compose: (message) => once('compose', () => mailTransport.compose(message)),
        openSubmission: (access) =>
          once('open', async () => {
            const session = await mailTransport.openSubmission(access);
            const send: typeof session.send = (...input) =>
              once('send', () => session.send(...input));
            return {
              ...session,
              send,
              isUsable: () => session.isUsable(),
              close: () => session.close(),
            };
          }),
      };
      const shards = openShards(world, { mailTransport: silent });
      const own = await newMailboxes(1, `${call}.test`);
      const { campaignId } = await addCampaign(db, userId, { leads: 2, mailboxIds: own });
      await shards.handOver(campaignId, userId);
      serve(shards, judgedAwake(createRunningJobs(shards.context, { hungMs: HUNG_MS })));
      await vi.waitFor(async () => expect(await statusOf(campaignId)).toBe('completed'), 90_000);
      expect(isSilent).toBe(false);
      expect(takenOnce()).toBe(2);
    },
    180_000,
  );
});
