/** Changes that nobody tells a shard of: they land while a session ends, after it has looked for the last time. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
import type { Served } from '../../activities/shards/served.ts';
import { runShardSession } from '../../activities/shards/sessions.ts';
import type { Context } from '../../src/context.ts';
import { handOver } from '../../src/db/shards/shard-jobs.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { holdMessages } from '../support/campaigns/held-messages.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { openShards } from '../support/campaigns/shard-world.ts';

const HOUR = 3_600_000;

let world: SessionWorld;
let userId: string;
let mailboxIds: number[];
let served: Served | undefined;
beforeAll(async () => {
  world = await startSessionWorld(['one.test']);
  const { db, cipher } = world.tools();
  userId = await addSender(db);
  mailboxIds = await addMailboxes({ db, cipher }, userId, { count: 1, domain: 'one.test' });
});
afterEach(async () => {
  await served?.stop();
  await sql`delete from shard_jobs`.execute(world.database.db);
  world.smtp.taken.length = 0;
});
afterAll(() => world.close());

/** Makes `change` after the last look of the first session, before its end is written; counts sessions. */
async function serveWith(change: (campaignId: number) => Promise<unknown>) {
  const shards = openShards(world);
  const dueAt = new Date(Date.now() + HOUR);
  const { campaignId } = await addCampaign(world.database.db, userId, {
    leads: 1,
    mailboxIds,
    dueAt,
  });
  let sessions = 0;
  const run: typeof runShardSession = async (session) => {
    const result = await runShardSession(session);
    sessions += 1;
    if (sessions === 1) await change(campaignId);
    return result;
  };
  await shards.handOver(campaignId, userId);
  served = serveShards(shards.context, createRunningJobs(shards.context, { run }));
  return { campaignId, sessions: () => sessions };
}

describe('a campaign that changes while its session ends', () => {
  it('sends what became due meanwhile', async () => {
    const { db } = world.database;
    await serveWith((id) =>
      sql`update recipients set due_at = now() where campaign_id = ${id}`.execute(db),
    );
    await vi.waitFor(() => expect(world.smtp.taken).toHaveLength(1), 45_000);
  });

  it('is looked at once more when its row was changed, and only once', async () => {
    const { db } = world.database;
    const { sessions } = await serveWith((id) =>
      sql`update campaigns set updated_at = now() where id = ${id}`.execute(db),
    );
    await vi.waitFor(() => expect(sessions()).toBe(2), 45_000);
    // Longer than changes are looked for.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(sessions()).toBe(2);
  });
});

describe('a run of a build that workers of another one call', () => {
  it('is called once, and its job goes on where it is handed over once more while messages go out', async () => {
    const { db } = world.database;
    const { config } = world.tools({}, { SEND_MIN_GAP_SECONDS: 1 });
    const build = (name: string, change: Partial<Context> = {}) =>
      openShards(world, { config: { ...config, WORKER_BUILD_ID: name } as never, ...change });
    // Until the job was handed over anew there is something left to send.
    const rest = holdMessages(world.tools().mailTransport, 2);
    const shards = build('0.1.0', { mailTransport: rest.mailTransport });
    const { campaignId } = await addCampaign(db, userId, { leads: 6, mailboxIds });
    const operationId = await build('0.2.0').handOver(campaignId, userId, 1);
    served = serveShards(shards.context, createRunningJobs(shards.context));
    const told = () => [...shards.told.values()].flat();
    await vi.waitFor(() => expect(told()).toHaveLength(1), 45_000);
    expect(told()[0]).toMatchObject({ turn: 0, isDone: false });
    await vi.waitFor(() => expect(world.smtp.taken.length).toBeGreaterThan(1), 45_000);
    expect(world.smtp.taken.length).toBeLessThan(6);
    // What the run does at the call, in the activity of its own build.
    const now = new Date();
    await handOver(db, { operationId, turn: 2, build: '0.2.0', now });
    rest.release();
    await vi.waitFor(() => expect(told()).toHaveLength(2), 60_000);
    expect(told()[1]).toMatchObject({ turn: 2, isDone: true });
    const to = world.smtp.taken.map((message) => message.to);
    expect([to.length, new Set(to).size]).toEqual([6, 6]);
  }, 180_000);
});
