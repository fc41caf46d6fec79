/** The loops of a worker, where an answer that they wait for never comes: they are left, and others go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
import type { runShardSession } from '../../activities/shards/sessions.ts';
import { serveStanding } from '../../activities/shards/standing-work.ts';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { openShards } from '../support/campaigns/shard-world.ts';
import { silentAt } from '../support/tools/silence.ts';

/** More than the loop waits for in its first two rounds. */
const ANSWERS = Array.from({ length: 14 }, (_, n) => n + 1);
/** Longer than a look and its pause. */
const HUNG_MS = 1_700;
/** The server ends what was left, as everywhere, but sooner. */
const STATEMENT_MS = 1_200;

let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld(ANSWERS.map((n) => `loop-${n}.test`));
  userId = await addSender(world.database.db);
});
afterAll(() => world.close());

describe('the loop over the shards', () => {
  it.each(ANSWERS)(
    'goes on after answer %i of its database has not come',
    async (number) => {
      const { db, cipher } = world.tools();
      const own = openDatabase(world.database.url, {
        poolSize: 4,
        statementTimeoutMs: STATEMENT_MS,
      });
      const silence = silentAt(number);
      const shards = openShards(world, { db: silence.db(own) });
      const mailboxIds = await addMailboxes({ db, cipher }, userId, {
        count: 1,
        domain: `loop-${number}.test`,
      });
      const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
      const sessions = createRunningJobs(openShards(world).context);
      const handing = openShards(world);
      const operationId = await handing.handOver(campaignId, userId);
      const before = world.smtp.taken.length;
      const served = serveShards(shards.context, sessions, { hungMs: HUNG_MS });
      try {
        const job = () =>
          db
            .selectFrom('shard_jobs')
            .select('operation_id')
            .where('operation_id', '=', operationId)
            .executeTakeFirst();
        // Told and removed: also what is told beside the loop goes on.
        await vi.waitFor(async () => expect(await job()).toBeUndefined(), 60_000);
        await vi.waitFor(() => expect(silence.answers()).toBeGreaterThan(number + 4), 60_000);
        expect([...shards.told.values()].flat()).toContainEqual(
          expect.objectContaining({ isDone: true }),
        );
        silence.end();
        await sleep(300);
        expect(world.smtp.taken.length - before).toBe(1);
      } finally {
        silence.end();
        await served.stop();
        await own.destroy();
        await sql`delete from shard_jobs`.execute(db);
      }
    },
    180_000,
  );
});

describe('standing work', () => {
  const LEASE_MS = 900;
  /** Notes which operations it would start. */
  const worker = (context: Context, started: number[]) => {
    const startOperation = ({ id }: { id: number }) => {
      started.push(id);
      return Promise.resolve(true);
    };
    return serveStanding({ ...context, startOperation } as never, 'reconciler', {
      leaseMs: LEASE_MS,
    });
  };

  it.each([1, 2, 3])(
    'goes on after answer %i to the renewal of its lease has not come',
    async (number) => {
      const { db, cipher } = world.tools();
      const silence = silentAt(number, /standing_leases/);
      const started: number[] = [];
      const { context } = openShards(world, { db: silence.db(db) });
      const served = worker(context, started);
      try {
        await vi.waitFor(() => expect(silence.isReached()).toBe(true), 30_000);
        const mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1 });
        const { campaignId } = await addCampaign(db, userId, { leads: 1, mailboxIds });
        const id = await openShards(world).handOver(campaignId, userId);
        await sql`update operations set created_at = now() - interval '1 minute'
          where id = ${id}`.execute(db);
        await vi.waitFor(() => expect(started).toContain(id), 90_000);
        expect(silence.answers()).toBeGreaterThan(number);
      } finally {
        silence.end();
        await served.stop();
        await sql`delete from shard_jobs`.execute(db);
      }
    },
    180_000,
  );
});

describe('the lease of standing work', () => {
  it('is held while all connections of other work are in use', async () => {
    const { db, url } = world.database;
    const sessionDb = openDatabase(url, { poolSize: 1, connectionTimeoutMs: 100_000 });
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => void (release = resolve));
    const busy = sessionDb.connection().execute(() => released);
    const { context } = openShards(world, { db: sessionDb });
    const served = serveStanding(context, 'reconciler', { leaseDb: db });
    const lease = async () => {
      const row = await db
        .selectFrom('standing_leases')
        .select('leased_until')
        .where('name', '=', 'reconciler')
        .executeTakeFirst();
      return row?.leased_until.getTime() ?? 0;
    };
    try {
      await vi.waitFor(async () => expect(await lease()).toBeGreaterThan(Date.now()), 30_000);
      const first = await lease();
      // Renewed.
      await vi.waitFor(async () => expect(await lease()).toBeGreaterThan(first + 3_000), 30_000);
    } finally {
      release();
      await busy;
      await served.stop();
      await sessionDb.destroy();
    }
  }, 180_000);
});

describe('leases of shards', () => {
  /** The same database, whose answers about these words come later. */
  const slowly = (db: Context['db'], about: RegExp, ms: number) => {
    const slow = new WeakSet<object>();
    const plugin: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (about.test(JSON.stringify(node))) slow.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (slow.has(queryId)) await sleep(ms);
        return result;
      },
    };
    return db.withPlugin(plugin);
  };

  it('are kept, and no session ends, while what looks for due work takes long', async () => {
    const { db } = world.database;
    const shards = openShards(world, { db: slowly(db, /shard_jobs/, 6_000) });
    const operationId = await openShards(world).handOver(5_000_000, userId);
    const begun: AbortSignal[] = [];
    const stop = new AbortController();
    const run: typeof runShardSession = async ({ signal, watch }) => {
      begun.push(signal);
      while (!signal.aborted && !stop.signal.aborted) {
        await sql`select 1`.execute(watch.db);
        await sleep(200);
      }
      return { state: 'active', isDone: false, nextAt: null, progress: '' };
    };
    const served = serveShards(
      shards.context,
      createRunningJobs(openShards(world).context, { run }),
    );
    try {
      await vi.waitFor(() => expect(begun).toHaveLength(1), 90_000);
      const { leased_until: first } = await leaseOf(operationId);
      // Longer than a lease.
      await sleep(18_000);
      expect(begun.map(({ aborted }) => aborted)).toEqual([false]);
      const { leased_until: until } = await leaseOf(operationId);
      expect(until.getTime()).toBeGreaterThan(first.getTime() + 12_000);
    } finally {
      stop.abort();
      await served.stop();
      await sql`delete from shard_jobs`.execute(db);
    }
  }, 180_000);

  const leaseOf = (operationId: number) =>
    world.database.db
      .selectFrom('shards')
      .innerJoin('shard_jobs as job', 'job.shard', 'shards.shard')
      .select('shards.leased_until')
      .where('job.operation_id', '=', operationId)
      .executeTakeFirstOrThrow();
});

describe('a session that hangs', () => {
  it('is left also while Postgres does not answer the loops', async () => {
    const own = openDatabase(world.database.url, { poolSize: 2 });
    const shards = openShards(world, { db: own });
    await openShards(world).handOver(5_000_001, userId);
    let left: AbortSignal | undefined;
    const run: typeof runShardSession = (session) => {
      ({ left } = session);
      return new Promise(() => undefined);
    };
    const jobs = createRunningJobs(openShards(world).context, { run, hungMs: 6_000 });
    const served = serveShards(shards.context, jobs);
    try {
      await vi.waitFor(() => expect(left).toBeDefined(), 60_000);
      // Every renewal fails from now on.
      await own.destroy();
      await vi.waitFor(() => expect(left!.aborted).toBe(true), 60_000);
    } finally {
      await Promise.race([served.stop(), sleep(1_000)]);
      await sql`delete from shard_jobs`.execute(world.database.db);
    }
  }, 180_000);
});
