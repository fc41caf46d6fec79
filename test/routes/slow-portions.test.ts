/** Portions whose statements take too long: they rest, and all others go on. Choices 144 and 145. */
import { sql, type Kysely, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { continueChanges } from '../../activities/campaigns/open-portions.ts';
import { createRests } from '../../activities/engine/rests.ts';
import { newWalkTurns, walkDomains } from '../../activities/suppressions/domain-walks.ts';
import { askForWalks } from '../../src/db/suppressions/domain-walks.ts';
import type { Database } from '../../src/db/tables.ts';
import { lockCampaign } from '../../src/db/campaigns/campaigns.ts';
import {
  MESSAGE,
  startCampaignUsers,
  type CampaignUser,
  type CampaignUsers,
} from '../support/campaigns/campaign-users.ts';
import { withoutPatience } from '../support/database/lock-waiters.ts';

let users: CampaignUsers;
let one: CampaignUser;
let two: CampaignUser;
beforeAll(async () => {
  users = await startCampaignUsers();
});
afterAll(async () => {
  await users?.close();
});
beforeEach(async () => {
  one = await users.newUser();
  two = await users.newUser();
});

const db = () => users.database.db;

/** Suppressed domains with so many leads each, whose statuses do not say it. */
async function addWalks({ userId }: CampaignUser, domains: readonly string[], leads: number) {
  await db()
    .transaction()
    .execute(async (trx) => {
      await askForWalks(trx, userId, domains);
      await sql`insert into suppressions (user_id, kind, value, reason)
        select ${userId}, 'domain', domain, 'manual' from unnest(${domains}::text[]) as domain`.execute(
        trx,
      );
    });
  await sql`
    insert into leads (user_id, name_key, email, email_key, status, provenance)
    select ${userId}, '', address, address, 'pending', '{}' from unnest(${domains}::text[]) as domain,
      generate_series(1, ${leads}::integer) as n, lateral (select 'p' || n || '@' || domain as address) as person`.execute(
    db(),
  );
  await sql`update leads set status = 'pending' where user_id = ${userId}`.execute(db());
}

const walksOf = ({ userId }: CampaignUser) =>
  db().selectFrom('domain_walks').selectAll().where('user_id', '=', userId).execute();

/** Until it is done, or for a while. */
async function walk(of: Kysely<Database>, isDone: () => Promise<boolean>) {
  const stop = new AbortController();
  const turns = newWalkTurns();
  const context = { ...users.api.context, db: of };
  const options = { forMs: 50_000, signal: stop.signal, everyMs: 10, portion: 1, turns };
  const walking = walkDomains(context, options);
  const poll = vi.waitFor(async () => expect(await isDone()).toBe(true), {
    timeout: 50_000,
    interval: 20,
  });
  await Promise.race([walking, poll]).finally(() => stop.abort());
  await walking;
  return turns;
}

it('a walk that takes too long rests, and stops no other', async () => {
  await addWalks(one, ['slow.example'], 2);
  await addWalks(two, ['quick.example'], 2);
  await db()
    .transaction()
    .execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${one.userId}, 6204))`.execute(trx);
      const turns = await withoutPatience(db(), () =>
        walk(db(), async () => (await walksOf(two)).length === 0),
      );
      const [slow] = await walksOf(one);
      expect(turns.walks.resting()).toEqual([slow!.id]);
    });
  await walk(db(), async () => (await walksOf(one)).length === 0);
});

it('a domain that cannot be counted is walked all the same', async () => {
  await addWalks(one, ['uncounted.example'], 3);
  let counts = 0;
  const uncounted: KyselyPlugin = {
    transformQuery({ node }) {
      if (!JSON.stringify(node).includes('set leads =')) return node;
      counts += 1;
      throw Object.assign(new Error('canceling statement'), { code: '57014' });
    },
    transformResult: async ({ result }) => result,
  };
  await walk(db().withPlugin(uncounted), async () => (await walksOf(one)).length === 0);
  expect(counts).toBe(1);
});

it('an account with many large domains does not keep the one of another account waiting', async () => {
  const many = Array.from({ length: 25 }, (_, n) => `many${n}.example`);
  await addWalks(one, many, 3);
  await addWalks(two, ['single.example'], 3);
  await walk(db(), async () => (await walksOf(two)).length === 0);
  expect((await walksOf(one)).length).toBeGreaterThan(20);
  await db().deleteFrom('domain_walks').execute();
});

it('a change of a campaign that takes too long rests, and stops no other', async () => {
  const [slow, quick] = [
    await one.ok('POST', '/v1/campaigns', MESSAGE),
    await two.ok('POST', '/v1/campaigns', MESSAGE),
  ];
  await db().updateTable('campaigns').set({ lists_enrolled_to: 1 }).execute();
  const rests = createRests();
  const { context } = users.api;
  const open = async () =>
    (
      await db()
        .selectFrom('campaigns')
        .select('id')
        .where('lists_enrolled_to', 'is not', null)
        .execute()
    ).map(({ id }) => id);
  await db()
    .transaction()
    .execute(async (trx) => {
      await lockCampaign(trx, slow.id);
      expect(await withoutPatience(db(), () => continueChanges(context, rests))).toBe(true);
      expect(await open()).toEqual([slow.id]);
      expect(quick.id).toBeGreaterThan(slow.id);
      expect(rests.resting()).toEqual([slow.id]);
      expect(await continueChanges(context, rests)).toBe(false);
    });
  expect(await continueChanges(context)).toBe(true);
  expect(await open()).toEqual([]);
});
