/** Which errors say that Postgres is out of reach: real ones, and those that are hard to make. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asFailure } from '../../activities/engine/failures.ts';
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import { errorAnswer } from '../../src/http/error-response.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const withCode = (code: string) => Object.assign(new Error('no'), { code });

describe('a database that is down', () => {
  it('is one that let a statement wait too long for a lock: 502, and retried by workflows', async () => {
    for (const [setting, code] of [
      ['statement_timeout', '57014'],
      ['lock_timeout', '55P03'],
    ]) {
      const error = await database.db.transaction().execute(async (holder) => {
        await sql`lock table lead_lists in access exclusive mode`.execute(holder);
        return caught(
          database.db.transaction().execute(async (trx) => {
            await sql`select set_config(${setting}, '100ms', true)`.execute(trx);
            await trx.selectFrom('lead_lists').select('id').execute();
          }),
        );
      });
      expect(error).toMatchObject({ code });
      expect(errorAnswer(error, 'r').body).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
      expect(asFailure(error)).toMatchObject({ type: 'DatabaseUnavailable', nonRetryable: false });
    }
  });

  it('between two statements of a transaction is a 502, and retried by workflows', async () => {
    const error = await caught(
      database.db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]!.pid}::int)`.execute(database.db);
        // The end arrives while no statement waits for it.
        const { pid } = rows[0]!;
        const isThere = async () =>
          (await sql`select 1 from pg_stat_activity where pid = ${pid}::int`.execute(database.db))
            .rows.length > 0;
        await expect.poll(isThere).toBe(false);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await sql`select 1`.execute(trx);
      }),
    );
    expect((error as Error).message).toContain('not queryable');
    expect(errorAnswer(error, 'r').status).toBe(502);
    expect(asFailure(error)).toMatchObject({ type: 'DatabaseUnavailable', nonRetryable: false });
  });

  it('in the middle of a statement is a 502', async () => {
    const error = await caught(
      sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.db),
    );
    expect(errorAnswer(error, 'r').status).toBe(502);
  });

  it.each([
    '08006',
    '53300',
    '53100',
    '57P01',
    '57P03',
    '57014',
    '55P03',
    '25P03',
    'ECONNRESET',
    'EPIPE',
    'ENOTFOUND',
  ])('is what %s says, also as a cause', (code) => {
    expect(isDatabaseDown(withCode(code))).toBe(true);
    expect(isDatabaseDown(new Error('outer', { cause: withCode(code) }))).toBe(true);
    expect(isDatabaseDown(new AggregateError([withCode(code)]))).toBe(true);
  });

  it.each(['23505', '42P01', '25P02', '40001', 'ERR_INVALID_ARG_TYPE'])(
    'is not what %s says',
    (code) => {
      expect(isDatabaseDown(withCode(code))).toBe(false);
      expect(errorAnswer(withCode(code), 'r').status).toBe(500);
    },
  );

  it.each(['40001', '40P01'])('is, for a workflow alone, a transaction that lost: %s', (code) => {
    expect(asFailure(withCode(code))).toMatchObject({ type: 'DatabaseUnavailable' });
  });
});
