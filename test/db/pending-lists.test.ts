/** What was written last does not make searches slow: an index of texts keeps only a short list of it beside. */
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { emptyPendingLists } from '../../activities/shards/pending-lists.ts';
import { serveStanding } from '../../activities/shards/standing-work.ts';
import { startSessionWorld, type SessionWorld } from '../support/campaigns/session-world.ts';
import { openShards } from '../support/campaigns/shard-world.ts';

/** Their keys are some megabytes, just less than Postgres would keep beside. */
const ROWS = 8_000;

let world: SessionWorld;
beforeAll(async () => {
  world = await startSessionWorld([]);
  const { db } = world.database;
  await db.insertInto('users').values({ user_id: 'ann', email: 'ann@example.test' }).execute();
  const many = sql`generate_series(1, ${ROWS}::integer) as n`;
  await sql`insert into suppressions (user_id, kind, value, reason)
    select 'ann', 'email', 'gone' || n || '@firm' || n % 100 || '.test', 'bounce' from ${many}`.execute(
    db,
  );
  await sql`insert into lifted_suppressions (user_id, suppression_id, kind, value, reason, note, lifted_leads)
    select 'ann', n, 'email', 'gone' || n || '@firm' || n % 100 || '.test', 'bounce', '', 0
    from ${many}`.execute(db);
  await sql`insert into leads (user_id, first_name, last_name, name_key, email, email_key)
    select 'ann', 'Ann' || n, 'Lee', 'ann', n || '@firm.test', n || '@firm.test' from ${many}`.execute(
    db,
  );
  await sql`insert into companies (user_id, name, name_key, domain)
    select 'ann', 'Firm ' || n || ' Ltd', 'firm', 'firm' || n || '.test' from ${many}`.execute(db);
});
afterAll(() => world?.close());

interface Plan {
  'Node Type': string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const pagesOfIndex = (plan: Plan): number =>
  plan['Node Type'] === 'Bitmap Index Scan'
    ? plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    : (plan.Plans ?? []).reduce((sum, part) => sum + pagesOfIndex(part), 0);

const TEXTS: [string, RawBuilder<unknown>, number][] = [
  ['suppressions', sql`value`, 40],
  ['lifted_suppressions', sql`value`, 40],
  ['leads', sql`(first_name || ' ' || last_name || chr(10) || coalesce(email, ''))`, 160],
  ['companies', sql`(name || chr(10) || coalesce(domain, ''))`, 160],
];

/** Pages of the index that a search for a text reads that nobody has. */
const pagesRead = (table: string, text: RawBuilder<unknown>): Promise<number> =>
  world.database.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
      explain (analyze, buffers, format json)
      select id from ${sql.table(table)} where ${text} ilike '%wxyzzy%'`.execute(trx);
    return pagesOfIndex(rows[0]!['QUERY PLAN'][0].Plan);
  });

it.each(TEXTS)('a text that nobody of the %s has is found missing in few pages', async (...of) => {
  const [table, text, pages] = of;
  const read = await pagesRead(table, text);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(pages);
});

it('standing work sorts in what was written last, so that no search reads it and no request waits for it', async () => {
  const { db } = world.database;
  const [leads, text] = TEXTS[2]!;
  await sql`update leads set status = 'contacted' where id in (select id from leads limit 400)`.execute(
    db,
  );
  expect(await pagesRead(leads, text)).toBeGreaterThan(10);
  const served = serveStanding(openShards(world).context, 'reconciler');
  try {
    await vi.waitFor(async () => {
      for (const each of TEXTS) expect(await pagesRead(each[0], each[1])).toBeLessThan(10);
    }, 60_000);
  } finally {
    await served.stop();
  }
}, 120_000);

it('they may be sorted in twice at once, and no other index by the app', async () => {
  const { db } = world.database;
  const warnings: unknown[] = [];
  const logger = { warn: (fields: unknown) => void warnings.push(fields) } as never;
  const options = { forMs: 60_000, signal: new AbortController().signal };
  const empty = () => emptyPendingLists({ db, logger }, options);
  await Promise.all([empty(), empty()]);
  expect(warnings).toEqual([]);
  await expect(sql`select empty_pending_list('leads_pkey')`.execute(db)).rejects.toThrow(
    'not an index of texts',
  );
});
