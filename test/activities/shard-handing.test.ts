/** A shard that is given up to another worker while a session of it is slow: it stands still for a moment only. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUpkeep } from '../../activities/campaigns/upkeep.ts';
import { createRunningJobs } from '../../activities/shards/running-jobs.ts';
import { serveShards } from '../../activities/shards/serve-shards.ts';
import type { Served } from '../../activities/shards/served.ts';
import type { runShardSession } from '../../activities/shards/sessions.ts';
import { SHARDS } from '../../src/domain/shards/shards.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { MailboxAccess } from '../../src/providers/mail-transport/port.ts';
import { addCampaign, addMailboxes, addSender } from '../support/campaigns/campaign-world.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { openShards } from '../support/campaigns/shard-world.ts';

let world: SessionWorld;
let userId: string;
beforeAll(async () => {
  world = await startSessionWorld([]);
  userId = await addSender(world.database.db);
});
afterAll(() => world.close());

const served: Served[] = [];
afterEach(async () => {
  await Promise.all(served.splice(0).map((one) => one.stop()));
  await sql`delete from shard_jobs`.execute(world.database.db);
  world.smtp.taken.length = 0;
});

let domains = 0;
const newMailboxes = (count: number, name: string) => {
  const { db, cipher } = world.tools();
  return addMailboxes({ db, cipher }, userId, { count, domain: `${name}-${(domains += 1)}.test` });
};

describe('a shard that a worker has beyond its share', () => {
  it('is served by the other one soon, also where a session never ends', async () => {
    const shards = openShards(world);
    const { db } = world.database;
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    // It is no hang: its rows go on being read.
    const slow: typeof runShardSession = async ({ job, watch }) => {
      begun.push(job.operation_id);
      let isOver = false;
      ends.push(() => (isOver = true));
      while (!isOver) {
        await sql`select 1`.execute(watch.db);
        await sleep(100);
      }
      return { state: 'active', isDone: false, nextAt: null, progress: '' };
    };
    const operationIds: number[] = [];
    for (let n = 0; n < SHARDS; n += 1) {
      operationIds.push(await shards.handOver(4_000_000 + n, userId));
    }
    const jobs = createRunningJobs(shards.context, { run: slow, endingMs: 3_000 });
    served.push(serveShards(shards.context, jobs));
    try {
      await vi.waitFor(() => expect(begun.length).toBe(SHARDS), 60_000);
      const other: number[] = [];
      const quick: typeof runShardSession = ({ job }) => {
        other.push(job.operation_id);
        const nextAt = new Date(Date.now() + 3_600_000).toISOString();
        return Promise.resolve({ state: 'active', isDone: false, nextAt, progress: '' });
      };
      served.push(serveShards(shards.context, createRunningJobs(shards.context, { run: quick })));
      await vi.waitFor(() => expect(new Set(other).size).toBe(SHARDS / 2), 60_000);
      // Those that stay are not disturbed.
      expect(begun.length).toBe(SHARDS);
      const { rows } = await sql<{ held: number }>`select count(*)::int as held from shards
        where leased_until > clock_timestamp()`.execute(db);
      expect(rows[0]!.held).toBe(SHARDS);
    } finally {
      for (const end of ends) end();
    }
  }, 180_000);
});

describe('a campaign whose mailboxes are refused by a slow host', () => {
  const refused = (mailboxIds: readonly number[]) =>
    world.database.db
      .updateTable('mailboxes')
      .set({ failing_reason: 'login_refused', failing_since: new Date() })
      .where('id', 'in', [...mailboxIds])
      .execute();
  const failing = async (mailboxIds: readonly number[]) => {
    const rows = await world.database.db
      .selectFrom('mailboxes')
      .select('id')
      .where('id', 'in', [...mailboxIds])
      .where('failing_reason', 'is not', null)
      .execute();
    return rows.length;
  };
  const checking = (check: (access: MailboxAccess) => Promise<void>) => {
    const tools = world.tools();
    return { ...tools, mailTransport: { ...tools.mailTransport, checkSubmission: check } };
  };
  const refusal = () =>
    new ProviderError('rejected', 'Authentication failed', { provider: 'mailbox' });

  it('looks after its messages every few seconds, and after each mailbox in its turn', async () => {
    const fine = await newMailboxes(1, 'one');
    const slow = await newMailboxes(12, 'slow');
    const { campaignId } = await addCampaign(world.database.db, userId, {
      leads: 1,
      mailboxIds: [...fine, ...slow],
    });
    await refused(slow);
    const asked: string[] = [];
    /** Those that have not answered yet. */
    const waiting: (() => void)[] = [];
    const tools = checking(({ email }) => {
      asked.push(email);
      // The last two that are asked work again.
      const answer = asked.length > 10 ? undefined : refusal();
      return new Promise((resolve, reject) => {
        waiting.push(() => (answer ? reject(answer) : resolve()));
      });
    });
    const upkeep = createUpkeep(tools, campaignId);
    // None has answered yet: a look that waited for answers would not end.
    for (const count of [3, 6, 9, 12]) {
      expect(await upkeep(tools)).toBe(false);
      expect(asked).toHaveLength(count);
      expect(waiting).toHaveLength(3);
      for (const answer of waiting.splice(0)) answer();
    }
    expect(upkeep.isOpen()).toBe(true);
    expect(await upkeep(tools)).toBe(false);
    expect(await failing(slow)).toBe(10);
    expect(new Set(asked).size).toBe(12);
    expect(asked).toHaveLength(12);
  }, 180_000);

  it('ends at once with its session', async () => {
    const slow = await newMailboxes(2, 'slow');
    const { campaignId } = await addCampaign(world.database.db, userId, {
      leads: 1,
      mailboxIds: [...(await newMailboxes(1, 'one')), ...slow],
    });
    await refused(slow);
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const tools = { ...checking(never), signal: AbortSignal.abort() };
    await createUpkeep(tools, campaignId)(tools);
    expect(asked).toBe(0);
  });

  it('asks one that does not answer no more than a few times, and is not paused before all were asked', async () => {
    const silent = await newMailboxes(20, 'silent');
    const [works] = await newMailboxes(1, 'one');
    const all = [...silent, works!];
    const { campaignId } = await addCampaign(world.database.db, userId, {
      leads: 1,
      mailboxIds: all,
    });
    await refused(all);
    let asked = 0;
    const tools = checking(async ({ host }) => {
      if (host.startsWith('mail.one')) return sleep(2_500);
      asked += 1;
      await sleep(1_000);
      throw new ProviderError('unavailable', 'No answer', { provider: 'mailbox' });
    });
    const upkeep = createUpkeep(tools, campaignId);
    await vi.waitFor(async () => {
      expect(await upkeep(tools)).toBe(false);
      expect(await failing([works!])).toBe(0);
    }, 40_000);
    expect(asked).toBeLessThanOrEqual(3);
    expect(upkeep.isOpen()).toBe(false);
  }, 180_000);
});
