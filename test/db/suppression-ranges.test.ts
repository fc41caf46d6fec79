/** Texts of old suppressions are found by what each 200 entries have, whatever is written, lifted and erased meanwhile. */
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepRanges } from '../../activities/suppressions/written-ranges.ts';
import { openDatabase } from '../../src/db/database.ts';
import { findSuppressionIds } from '../../src/db/suppressions/suppression-pages.ts';
import {
  lastCompleteId,
  RANGE_SOURCES,
  type RangeSource,
} from '../../src/db/suppressions/written-ranges.ts';
import type { Database } from '../../src/db/tables.ts';
import {
  CONNECTION_MS,
  createTestDatabase,
  type TestDatabase,
} from '../support/database/database.ts';
import { writeAllRanges } from '../support/database/suppression-ranges.ts';

const ENTRIES = 50_000;
const USER = 'large';
const VALUE = sql`case n when 7001 then 'qz' else '' end || 'gone' || n || '@firm' || n % 1000 || '.test'`;

let database: TestDatabase;
/** One connection, whose reads are told apart from all others. */
let db: Kysely<Database>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, {
    poolSize: 1,
    connectionTimeoutMs: CONNECTION_MS,
    statementTimeoutMs: 120_000,
  });
  for (const userId of [USER, 'other']) {
    const user = { user_id: userId, email: `${userId}@x.test` };
    await db.insertInto('users').values(user).execute();
  }
  // Five of the account, one of another.
  await addEntries(
    'suppressions',
    sql`select case n % 6 when 0 then 'other' else ${USER} end as user_id, n,
    ${VALUE} as value from generate_series(1, ${ENTRIES}::integer) as n`,
  );
  await addEntries(
    'lifted_suppressions',
    sql`select ${USER} as user_id, n,
    ${VALUE} as value from generate_series(1, ${ENTRIES}::integer) as n`,
  );
  await writeAllRanges(db);
  await database.vacuum();
}, 240_000);
afterAll(async () => {
  await db?.destroy();
  await database?.close();
});

async function addEntries(source: RangeSource, rows: ReturnType<typeof sql>): Promise<void> {
  const lifted = source === 'lifted_suppressions';
  await sql`insert into ${sql.table(source)}
      (user_id, kind, value, reason${lifted ? sql`, suppression_id, note, lifted_leads` : sql``})
    select user_id, case n % 10 when 3 then 'domain' else 'email' end, value,
      (array['unsubscribe', 'bounce', 'manual'])[n % 3 + 1]${lifted ? sql`, n, '', 0` : sql``}
    from (${rows}) as entry (user_id, n, value) order by n`.execute(db);
}

const writeAll = (source: RangeSource) => writeAllRanges(db, [source]);

async function rowsReadSoFar(): Promise<{ fetched: number; inSequence: number; ofTexts: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ fetched: number; inSequence: number; ofTexts: number }>`
    select sum(idx_tup_fetch)::int as fetched,
      sum(seq_tup_read) filter (where relname !~ 'marks|counters')::int as "inSequence",
      (select sum(idx_scan)::int from pg_stat_user_indexes
        where indexrelname like '%suppressions_search_blocks') as "ofTexts"
    from pg_stat_user_tables where relname like '%suppression%'`.execute(db);
  return rows[0]!;
}

describe.each(RANGE_SOURCES)('of an account with many %s', (source) => {
  it.each([
    ['that a block far away has very often', 'gone17', 50, true],
    ['of two letters that one has', 'qz', 1, false],
    ['that one has', 'gone12346@', 1, false],
    ['that none has, though some have its parts', 'gone1777one1', 0, false],
    ['that nobody has', 'nobody', 0, false],
    ['in capitals', 'GONE7001@', 1, false],
  ])('a text %s is found in the ranges that may have it', async (_, search, total, isCapped) => {
    const wanted = { filter: { search }, limit: 20 };
    const before = await rowsReadSoFar();
    const found = await findSuppressionIds(db, USER, wanted, source);
    const after = await rowsReadSoFar();
    expect(found.ids).toHaveLength(Math.min(total, 20));
    expect(found.total).toBeGreaterThanOrEqual(total);
    expect(found.isCapped ?? false).toBe(isCapped);
    expect(after.inSequence - before.inSequence).toBe(0);
    expect(after.fetched - before.fetched).toBeLessThan(1_300);
    // Not by the index of texts, of which a block has 16,384 entries.
    expect(after.ofTexts - before.ofTexts).toBe(0);
  });
});

/** Numbers as in the entries, so that parts are met and missed. */
function* texts(seed: number, count: number): Generator<string> {
  let state = seed;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const special = [
    '%',
    '_',
    '\\',
    "'",
    'É',
    'ÉÀ',
    'Σ',
    'aé',
    'x_y',
    'a\\b',
    "o'b",
    '10%',
    'É%',
    'ß',
    '  ',
    'a b',
  ];
  for (let at = 0; at < count; at += 1) {
    const n = String(next(12_000));
    yield [
      `gone${n}`,
      n,
      `${n}@firm`,
      `GONE${n.slice(0, 2)}`,
      `m${n.slice(0, 3)}.`,
      n.slice(0, 2),
      n.slice(0, 1),
      special[next(special.length)]!,
      `${special[next(special.length)]!}${n.slice(0, 1)}`,
    ][next(9)]!;
  }
}

interface Answer {
  search: string;
  first: number[];
  total: number | 'some';
  later: number[];
  filtered: number[];
}

/** What a search answers, and what a look at each entry does. */
async function bothAnswers(
  { source, search, limit }: { source: RangeSource; search: string; limit: number },
  userId: string,
): Promise<[Answer, Answer]> {
  const all = await sql<{ id: number; isOther: boolean }>`
    select id, kind = 'domain' and reason = 'bounce' as "isOther" from ${sql.table(source)}
    where user_id = ${userId} and position(lower(${search}) in lower(value)) > 0
    order by id desc`.execute(db);
  const ids = all.rows.map(({ id }) => id);
  const others = all.rows.filter(({ isOther }) => isOther).map(({ id }) => id);
  const before = ids[Math.floor(ids.length / 2)] ?? 1_000;
  const find = (more: object) =>
    findSuppressionIds(db, userId, { filter: { search }, limit, ...more }, source);
  const found = await find({});
  const filter = { search, kind: 'domain', reason: 'bounce' };
  const isRight = found.isCapped ? found.total <= ids.length : found.total === ids.length;
  return [
    {
      search,
      first: found.ids,
      total: isRight ? 'some' : found.total,
      later: (await find({ before })).ids,
      filtered: (await find({ filter, offset: 1 })).ids,
    },
    {
      search,
      first: ids.slice(0, limit),
      total: 'some',
      later: ids.filter((id) => id < before).slice(0, limit),
      filtered: others.slice(1, 1 + limit),
    },
  ];
}

describe('the answer is that of a look at each entry', () => {
  const MIXED = 'mixed';
  beforeAll(async () => {
    await db.insertInto('users').values({ user_id: MIXED, email: 'mixed@x.test' }).execute();
  });
  const add = (source: RangeSource, from: number, to: number) =>
    addEntries(
      source,
      sql`select ${MIXED} as user_id, n, case n % 97 when 1 then 'Éà' || n || 'x_y' when 2 then 'a\\b10%' || n
          when 3 then 'o''b a b' || n when 4 then 'ΣΊΣ aéß' || n else 'Gone' || n end || '@firm' || n % 100 || '.test' as value
        from generate_series(${from}::integer, ${to}::integer) as n`,
    );

  it.each(RANGE_SOURCES)(
    'of %s',
    async (source) => {
      const answers = async (seed: number) => {
        const both: [Answer, Answer][] = [];
        for (const search of texts(seed, 40)) {
          const limit = [3, 20, 60][both.length % 3]!;
          both.push(await bothAnswers({ source, search, limit }, MIXED));
        }
        return [both.map(([found]) => found), both.map(([, looked]) => looked)] as const;
      };
      const check = async (seed: number) => {
        const [found, looked] = await answers(seed);
        expect(found).toEqual(looked);
      };
      await add(source, 1, 3_000);
      const [found, looked] = await answers(11);
      expect(found).toEqual(looked);
      await writeAll(source);
      await check(12);
      // Since the last range, within one, and whole ranges that none is written of yet.
      await add(source, 3_001, 3_700);
      await check(13);
      await add(source, 3_701, 9_000);
      await check(14);
      await writeAll(source);
      await sql`delete from ${sql.table(source)} where user_id = ${MIXED} and id % 5 = 0`.execute(
        db,
      );
      await check(15);
      await writeAll(source);
      await check(16);
      await sql`delete from ${sql.table(source)} where user_id = ${MIXED}
      and value like '%one4%'`.execute(db);
      await writeAll(source);
      await add(source, 9_001, 12_000);
      await writeAll(source);
      await check(17);
    },
    180_000,
  );
});

const rangesOf = (userId: string, text: string) =>
  sql<{ from_id: number; to_id: number }>`
    select from_id, to_id from ranges_with('suppressions', ${userId}, ${text}, null, 100)`
    .execute(db)
    .then(({ rows }) => rows);

describe('an entry that is erased', () => {
  it('leaves none of its parts after the next look', async () => {
    await db.insertInto('users').values({ user_id: 'erased', email: 'e@x.test' }).execute();
    await addEntries(
      'suppressions',
      sql`select 'erased' as user_id, n,
      case n when 100 then 'zqwerty@x.test' else n || '@x.test' end as value from generate_series(1, 600) as n`,
    );
    await writeAll('suppressions');
    expect(await rangesOf('erased', 'zqwerty')).toHaveLength(1);
    expect(await rangesOf('erased', '@x.test')).toHaveLength(3);
    await db.deleteFrom('suppressions').where('value', '=', 'zqwerty@x.test').execute();
    await writeAll('suppressions');
    expect(await rangesOf('erased', 'zqw')).toEqual([]);
    expect(await rangesOf('erased', '@x.test')).toHaveLength(3);
    const { rows } = await sql`select from suppression_range_gaps`.execute(db);
    expect(rows).toEqual([]);
  });

  it('that was the last of its range takes the range with it', async () => {
    await db.deleteFrom('suppressions').where('user_id', '=', 'erased').execute();
    await writeAll('suppressions');
    expect(await rangesOf('erased', '@x.test')).toEqual([]);
    const left = db
      .selectFrom('suppression_ranges')
      .select('to_id')
      .where('user_id', '=', 'erased');
    expect(await left.execute()).toEqual([]);
  });
});

describe('an entry that is committed late', () => {
  const LATE = 'late';
  const addNumbered = (from: number, to: number) =>
    addEntries(
      'suppressions',
      sql`select ${LATE} as user_id, n, 'n' || n || '@x.test' as value
      from generate_series(${from}::integer, ${to}::integer) as n`,
    );

  it('is within no range that was written before, and is found', async () => {
    await db.insertInto('users').values({ user_id: LATE, email: 'late@x.test' }).execute();
    const slow = new Client({ connectionString: database.url });
    await slow.connect();
    try {
      await addNumbered(1, 300);
      await slow.query('begin');
      await slow.query(`insert into suppressions (user_id, kind, value, reason)
        values ('${LATE}', 'email', 'wxyzzy@x.test', 'manual')`);
      await addNumbered(301, 1_200);
      // Nobody knows of it yet, and none is written beyond it.
      expect(await lastCompleteId(db, 'suppressions', 200)).toBeUndefined();
      await slow.query('commit');
      await writeAll('suppressions');
      expect(await rangesOf(LATE, '@x.test')).toHaveLength(6);
      const wanted = { filter: { search: 'wxyzzy' }, limit: 5 };
      expect(await findSuppressionIds(db, LATE, wanted)).toMatchObject({ total: 1 });
    } finally {
      await slow.end();
    }
  });

  it('is waited for by nobody who begins to write later', async () => {
    const slow = new Client({ connectionString: database.url });
    await slow.connect();
    try {
      await slow.query('begin');
      await slow.query(`insert into suppressions (user_id, kind, value, reason)
        values ('${LATE}', 'email', 'before@x.test', 'manual')`);
      await addNumbered(1_201, 1_202);
      const { rows } = await sql<{
        last: number;
      }>`select max(id) as last from suppressions`.execute(db);
      const asked = lastCompleteId(db, 'suppressions', 10_000);
      const later = new Client({ connectionString: database.url });
      await later.connect();
      await later.query('begin');
      await new Promise((resolve) => setTimeout(resolve, 200));
      await later.query(`insert into suppressions (user_id, kind, value, reason)
        values ('${LATE}', 'email', 'after@x.test', 'manual')`);
      await slow.query('rollback');
      expect(await asked).toBe(rows[0]!.last);
      await later.query('rollback');
      await later.end();
    } finally {
      await slow.end();
    }
  });
});

it('standing work writes what is new, and ends', async () => {
  await db.insertInto('users').values({ user_id: 'new', email: 'new@x.test' }).execute();
  await addEntries(
    'lifted_suppressions',
    sql`select 'new' as user_id, n, 'n' || n || '@x.test' as value
      from generate_series(1, 450) as n`,
  );
  const { signal } = new AbortController();
  const logger = { warn: (...words: unknown[]) => expect.fail(JSON.stringify(words)) };
  await keepRanges({ db, logger } as never, { forMs: 30_000, signal });
  const { rows } = await sql`select from suppression_ranges where user_id = 'new'`.execute(db);
  expect(rows).toHaveLength(2);
});
