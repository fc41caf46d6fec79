/** The loops of a worker, where an answer that they wait for never comes: they are left, and others go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
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
        await vi.waitFor(async () => expect(await job()).toBeUndefined(), 30_000);
        await vi.waitFor(() => expect(silence.answers()).toBeGreaterThan(number + 4), 30_000);
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
    60_000,
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
        await vi.waitFor(() => expect(started).toContain(id), 50_000);
        expect(silence.answers()).toBeGreaterThan(number);
      } finally {
        silence.end();
        await served.stop();
        await sql`delete from shard_jobs`.execute(db);
      }
    },
    60_000,
  );
});
