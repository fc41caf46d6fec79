/** The pool over a line that dies without a word, and what the API answers meanwhile. */
import { sql, type Kysely } from 'kysely';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import type { Context } from '../../src/context.ts';
import { openDatabase, poolSizes } from '../../src/db/database.ts';
import type { Database } from '../../src/db/tables.ts';
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { startTcpLink, type TcpLink } from '../support/tools/tcp-link.ts';

/** Of the server; a silent line is given up after five quarters of it. */
const STATEMENT_MS = 1_000;
/** A busy machine may be late, but not for as long as TCP itself would wait. */
const BOUND_MS = 12_000;

let database: TestDatabase;
let link: TcpLink;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await createTestDatabase();
  link = await startTcpLink(Number(new URL(database.url).port));
});
afterAll(async () => {
  await link.close();
  await database.close();
});
beforeEach(() => {
  const url = new URL(database.url);
  url.port = String(link.port);
  db = openDatabase(url.href, { poolSize: 1, statementTimeoutMs: STATEMENT_MS });
});
afterEach(async () => {
  link.heal();
  await db.destroy();
});

const ask = (on: Kysely<Database>) => sql<{ one: number }>`select 1 as one`.execute(on);

/** Repeated: a busy machine may be silent for as long as a line that is given up. */
const answer = (on: Kysely<Database>) => vi.waitFor(() => ask(on), { timeout: 30_000 });

/** What a piece of work failed with, and after how long. */
async function failing(work: Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const startedAt = performance.now();
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, tookMs: performance.now() - startedAt };
}

it('compiles no statement: one that seems long would be compiled at each run', async () => {
  const { rows } = await sql<{ jit: string }>`show jit`.execute(db);
  expect(rows).toEqual([{ jit: 'off' }]);
});

describe('a connection that dies without a word', () => {
  it('fails a read as a database that is down, in bounded time, and is replaced', async () => {
    await answer(db);
    link.break('silent');
    const { error, tookMs } = await failing(ask(db));
    expect(isDatabaseDown(error)).toBe(true);
    expect(tookMs).toBeLessThan(BOUND_MS);
    expect(poolSizes(db).total).toBe(0);
    link.heal();
    expect((await answer(db)).rows).toEqual([{ one: 1 }]);
  });

  it('fails a transaction once, not once more for its rollback', async () => {
    const { error, tookMs } = await failing(
      db.transaction().execute(async (trx) => {
        await ask(trx);
        link.break('silent');
        await ask(trx);
      }),
    );
    expect(isDatabaseDown(error)).toBe(true);
    expect(tookMs).toBeLessThan(BOUND_MS);
    link.heal();
    expect((await answer(db)).rows).toEqual([{ one: 1 }]);
  });

  it('does not hold the process that ends', async () => {
    await answer(db);
    link.break('silent');
    const { tookMs } = await failing(db.destroy());
    expect(tookMs).toBeLessThan(BOUND_MS);
  });

  it('is not one whose statement takes its time within the limit', async () => {
    // A quarter of it, so that a busy machine may be late.
    const patient = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 6_000 });
    onTestFinished(() => patient.destroy());
    const slow = sql<{ done: boolean }>`select pg_sleep(1.5) is not null as done`;
    expect((await slow.execute(patient)).rows).toEqual([{ done: true }]);
  });
});

describe('an API whose database keeps it waiting', () => {
  it('answers 502 with Retry-After where a lock is held too long, and then goes on', async () => {
    const silent = { warn: () => undefined } as unknown as Context['logger'];
    const api: TestApi = await startTestApi({
      database: { db, url: database.url },
      context: { logger: silent },
    });
    const token = await api.jwt('waiting');
    const list = () => api.call('POST', '/v1/lead-lists', { token, body: { name: 'Late' } });
    const locked = await database.db.transaction().execute(async (trx) => {
      await sql`lock table lead_lists in access exclusive mode`.execute(trx);
      return list();
    });
    await vi.waitFor(async () => expect((await list()).status).toBe(201), { timeout: 30_000 });
    await api.close();
    expect([locked.status, locked.body.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
