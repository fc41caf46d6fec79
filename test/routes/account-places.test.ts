/** Requests of an account that wait for its own work hold no connection that others need. Choice 154. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import { lockAccountLeads } from '../../src/db/leads/lead-locks.ts';
import type { Database } from '../../src/db/tables.ts';
import { hintCampaigns } from '../../src/services/campaigns/campaign-wakes.ts';
import { MESSAGE } from '../support/campaigns/campaign-users.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const POOL = 6;
/** More than the pool has, so that all of it could be taken. */
const WAITERS = 3 * POOL;
/** How long a request waits for a connection before it gives up, so who waited for one is not answered 200. */
const AT_ONCE_MS = 10_000;

let database: TestDatabase;
let db: Kysely<Database>;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: POOL, connectionTimeoutMs: AT_ONCE_MS });
  api = await startTestApi({ database: { db, url: database.url } });
});
afterAll(async () => {
  await api?.close();
  await db?.destroy();
  await database?.close();
});

/** What the account has. */
interface Owned {
  userId: string;
  leadId: number;
  campaignId: number;
}

async function newAccount(userId: string): Promise<Owned & { token: string }> {
  const token = await api.jwt(userId);
  const people = [{ firstName: 'Ann', lastName: 'Lee', email: 'ann@client.test' }];
  const body = { company_name: 'Acme', people };
  const answer = await api.call('POST', '/v1/leads', { token, body });
  expect(answer.body).toMatchObject({ success: true });
  const campaign = await api.call('POST', '/v1/campaigns', { token, body: MESSAGE });
  expect(campaign.body).toMatchObject({ success: true });
  const leadId = answer.body.data.leads[0].id;
  return { userId, token, leadId, campaignId: campaign.body.data.id };
}

const LOCKS = {
  leads: {
    hold: (trx: Transaction<Database>, userId: string) => lockAccountLeads(trx, userId),
    request: (token: string, { leadId }: Owned, n: number) =>
      api.call('PATCH', `/v1/leads/${leadId}`, { token, body: { personRole: `Nr ${n}` } }),
    status: 200,
  },
  inbox: {
    hold: (trx: Transaction<Database>, userId: string) => lockInbox(trx, userId),
    request: (token: string, _own: Owned, n: number) =>
      api.call('PATCH', `/v1/inbox/${n + 1}`, { token, body: { archived: true } }),
    // No message has come yet.
    status: 404,
  },
  campaign: {
    hold: (trx: Transaction<Database>, userId: string) =>
      sql`select from campaigns where user_id = ${userId} for update`.execute(trx),
    request: (token: string, { leadId, campaignId }: Owned) =>
      api.call('POST', `/v1/campaigns/${campaignId}/leads`, { token, body: { leadIds: [leadId] } }),
    status: 200,
  },
  'hints after a change': {
    hold: (trx: Transaction<Database>) =>
      sql`lock table operations in access exclusive mode`.execute(trx),
    request: async (_token: string, { userId, campaignId }: Owned) => {
      const context = { db, temporal: undefined as never, clock: { now: () => new Date() } };
      await hintCampaigns(context, [campaignId], userId);
      return { status: 200 };
    },
    status: 200,
  },
};

describe('while an account has more requests that wait for its own work than there are connections', () => {
  it.each(Object.entries(LOCKS))('others are answered at once: %s', async (name, lock) => {
    const busy = await newAccount(`busy-${name}`);
    const other = await newAccount(`other-${name}`);
    let waiting: Promise<{ status: number }[]> | undefined;
    let answered = 0;
    // Of another process, such as a worker that imports.
    await database.db.transaction().execute(async (trx) => {
      await lock.hold(trx, busy.userId);
      waiting = Promise.all(
        Array.from({ length: WAITERS }, async (_, n) => {
          const answer = await lock.request(busy.token, busy, n);
          answered += 1;
          return answer;
        }),
      );
      // They are awaited below, unless what is expected before fails.
      waiting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const started = performance.now();
      const read = await api.call('GET', '/v1/leads', { token: other.token });
      const body = { personRole: 'CEO' };
      const changed = await api.call('PATCH', `/v1/leads/${other.leadId}`, {
        token: other.token,
        body,
      });
      expect([read.status, changed.status]).toEqual([200, 200]);
      expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
      expect(answered).toBe(0);
    });
    const answers = await waiting!;
    expect(answers.map(({ status }) => status)).toEqual(Array(WAITERS).fill(lock.status));
  });
});
