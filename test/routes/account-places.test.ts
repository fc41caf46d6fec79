/** Requests of an account that wait for its own work hold no connection that others need. Choice 154. */
import type { Kysely, Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { lockInbox } from '../../src/db/inbox/inbox-counts.ts';
import { lockAccountLeads } from '../../src/db/leads/lead-locks.ts';
import type { Database } from '../../src/db/tables.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const POOL = 6;
/** More than the pool has, so that all of it could be taken. */
const WAITERS = 3 * POOL;
/** Less than a request waits for a connection before it gives up. */
const AT_ONCE_MS = 2_500;

let database: TestDatabase;
let db: Kysely<Database>;
let api: TestApi;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { poolSize: POOL });
  api = await startTestApi({ database: { db, url: database.url } });
});
afterAll(async () => {
  await api?.close();
  await db?.destroy();
  await database?.close();
});

async function addLead(token: string): Promise<string> {
  const people = [{ firstName: 'Ann', lastName: 'Lee', email: 'ann@client.test' }];
  const body = { company_name: 'Acme', people };
  const answer = await api.call('POST', '/v1/leads', { token, body });
  expect(answer.body).toMatchObject({ success: true });
  return `/v1/leads/${answer.body.data.leads[0].id}`;
}

const LOCKS = {
  leads: {
    hold: (trx: Transaction<Database>, userId: string) => lockAccountLeads(trx, userId),
    request: (token: string, lead: string, n: number) =>
      api.call('PATCH', lead, { token, body: { personRole: `Nr ${n}` } }),
    status: 200,
  },
  inbox: {
    hold: (trx: Transaction<Database>, userId: string) => lockInbox(trx, userId),
    request: (token: string, _lead: string, n: number) =>
      api.call('PATCH', `/v1/inbox/${n + 1}`, { token, body: { archived: true } }),
    // No message has come yet.
    status: 404,
  },
};

describe('while an account has more requests that wait for its own work than there are connections', () => {
  it.each(Object.entries(LOCKS))('others are answered at once: %s', async (name, lock) => {
    const busy = await api.jwt(`busy-${name}`);
    const other = await api.jwt(`other-${name}`);
    const lead = await addLead(busy);
    const others = await addLead(other);
    let waiting: Promise<{ status: number }[]> | undefined;
    let answered = 0;
    // Of another process, such as a worker that imports.
    await database.db.transaction().execute(async (trx) => {
      await lock.hold(trx, `busy-${name}`);
      waiting = Promise.all(
        Array.from({ length: WAITERS }, async (_, n) => {
          const answer = await lock.request(busy, lead, n);
          answered += 1;
          return answer;
        }),
      );
      // They are awaited below, unless what is expected before fails.
      waiting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const started = performance.now();
      const read = await api.call('GET', '/v1/leads', { token: other });
      const body = { personRole: 'CEO' };
      const changed = await api.call('PATCH', others, { token: other, body });
      expect([read.status, changed.status]).toEqual([200, 200]);
      expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
      expect(answered).toBe(0);
    });
    const answers = await waiting!;
    expect(answers.map(({ status }) => status)).toEqual(Array(WAITERS).fill(lock.status));
  });
});
