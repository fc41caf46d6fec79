/** What triggers count of suppressions and threads is what a count of the rows would be, whoever writes. */
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { migrate } from '../../src/db/migrate.ts';
import { insertThreads } from '../../src/db/inbox/message-threads.ts';
import {
  listSuppressions,
  searchSuppressions,
} from '../../src/db/suppressions/suppression-pages.ts';
import { insertSuppressions } from '../../src/db/suppressions/suppressions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { migrateTo, newDatabase } from '../support/database/unmigrated-database.ts';
import { addMailbox } from '../support/inbox/inbox-messages.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

async function newUser(userId: string): Promise<string> {
  const email = `${userId}@example.test`;
  await database.db.insertInto('users').values({ user_id: userId, email }).execute();
  return userId;
}

const bothWays = async (db: TestDatabase['db']) => {
  const { rows } = await sql<{ kept: object; counted: object }>`
    select jsonb_build_object('threads',
        (select jsonb_object_agg(user_id, threads) from thread_counts where threads <> 0),
        'suppressions', (select jsonb_object_agg(of, entries) from (
          select user_id || kind || reason as of, sum(entries) as entries from suppression_counters
          group by 1 having sum(entries) <> 0) as kept)) as kept,
      jsonb_build_object('threads', (select jsonb_object_agg(user_id, threads) from (
          select user_id, count(*) as threads from threads group by 1) as counted),
        'suppressions', (select jsonb_object_agg(of, entries) from (
          select user_id || kind || reason as of, count(*) as entries from suppressions
          group by 1) as counted)) as counted`.execute(db);
  return rows[0]!;
};

describe('the counters', () => {
  it('follow what is added, takes a weightier reason, and is removed, at the same time', async () => {
    const { db } = database;
    const userId = await newUser('counted');
    const { mailboxId } = await addMailbox(db, userId);
    const write = async (n: number) => {
      const reason = (['manual', 'bounce', 'unsubscribe'] as const)[n % 3]!;
      const values = [n % 5, n % 7, n + 10].map((at) => `p${at}@x.test`);
      await despiteDeadlocks(() =>
        db.transaction().execute(async (trx) => {
          const entries = values.map(
            (value) => ({ kind: 'email', value, reason, note: null }) as const,
          );
          await insertSuppressions(trx, userId, entries);
          const thread = {
            campaignId: null,
            leadId: null,
            subject: 's',
            lastMessageAt: new Date(),
          };
          await insertThreads(trx, { userId, mailboxId }, [thread, thread]);
        }),
      );
      if (n % 4 > 0) return;
      await despiteDeadlocks(() =>
        db
          .deleteFrom('suppressions')
          .where('value', '=', `p${n % 7}@x.test`)
          .execute(),
      );
      await sql`delete from threads where id = (select max(id) from threads)`.execute(db);
    };
    await Promise.all(Array.from({ length: 40 }, (_, n) => write(n)));
    const meanwhile = await bothWays(db);
    expect(meanwhile.kept).toEqual(meanwhile.counted);
    for (let n = 40; n < 50; n += 1) await write(n);
    const { kept, counted } = await bothWays(db);
    expect(kept).toEqual(counted);
  });

  it('begin with what was there', async () => {
    const { ownerUrl, appUrl, drop } = await newDatabase();
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    try {
      await migrateTo(ownerUrl, '0210-search-without-columns');
      await owner.query(`
        insert into users (user_id, email) values ('u', 'u@example.test'), ('v', 'v@example.test');
        insert into suppressions (user_id, kind, value, reason)
          select 'u', case n % 2 when 0 then 'email' else 'domain' end, n || '.test',
            case n % 3 when 0 then 'manual' else 'bounce' end from generate_series(1, 50) as n;
        set session_replication_role = replica;
        insert into threads (user_id, mailbox_id, subject, last_message_at)
          select case n % 4 when 0 then 'v' else 'u' end, 1, 's', now() from generate_series(1, 30) as n;`);
      await migrate({ ownerUrl });
      const db = openDatabase(appUrl, { poolSize: 1 });
      const { kept, counted } = await bothWays(db);
      expect(kept).toEqual(counted);
      expect(kept).toMatchObject({ threads: { u: 23, v: 7 } });
      await db.destroy();
    } finally {
      await owner.end();
      await drop();
    }
  });
});

describe('a search for part of a suppression', () => {
  const ENTRIES = 12_000;

  it.each([
    ['that all have', '@x.test'],
    ['that some have', '77'],
    ['that the oldest have', 'old'],
    ['that nobody has', 'nobody'],
  ])('%s has the pages of all that fit, newest first', async (_, search) => {
    const { db } = database;
    const userId = await newUser(`searched ${search}`);
    await sql`insert into suppressions (user_id, kind, value, reason)
      select ${userId}, 'email', case when n <= 90 then 'old' else '' end || n || '@x.test',
        case n % 2 when 0 then 'bounce' else 'manual' end
      from generate_series(1, ${ENTRIES}::integer) as n`.execute(db);
    for (const filter of [{ search }, { search, reason: 'bounce' } as const]) {
      const { rows: all } = await sql<{ id: number }>`
        select id from suppressions where user_id = ${userId} and value like ${`%${search}%`}
          and (${filter.reason ?? null}::text is null or reason = ${filter.reason ?? null})
        order by id desc`.execute(db);
      const ids = all.map(({ id }) => id);
      for (const offset of [0, 40]) {
        const page = await searchSuppressions(db, userId, { filter, limit: 30, offset });
        expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 30));
        // Exact, or the page and 50 at least.
        const least = page.isCapped ? Math.max(50, offset + 30) : ids.length;
        expect(page.total).toBeGreaterThanOrEqual(least);
        expect(page.total).toBeLessThanOrEqual(ids.length);
      }
      for (const before of [undefined, ids[5], ids[70]]) {
        const page = await listSuppressions(db, userId, { filter, limit: 60, before });
        const from = before === undefined ? 0 : ids.indexOf(before) + 1;
        expect(page.map(({ id }) => id)).toEqual(ids.slice(from, from + 60));
      }
    }
  });
});
