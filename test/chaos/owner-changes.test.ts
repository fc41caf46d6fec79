/** The aim of kills at shards that change their owner. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { PROCESS_NAME, renewLeases } from '../../src/db/shards/shard-leases.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSignal } from '../support/tools/signal.ts';
import { asNextOwnerTakes, nextOwner, nowOf, ownerOf } from './owner-changes.ts';

const SHARD = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const first = randomUUID();
beforeEach(async () => {
  await sql`update shards set owner = null, leased_until = '-infinity'`.execute(database.db);
  await sql`delete from shard_workers`.execute(database.db);
  await renewLeases(database.db, first, { keep: [] });
});

/** Beforehand: while the drill holds its lock, nobody changes a lease. */
const endLeasesIn = (seconds: number) =>
  sql`update shards set leased_until = clock_timestamp() + make_interval(secs => ${seconds})`.execute(
    database.db,
  );

/** A worker with a connection of its own, which asks as often as it can once `mayAsk`. */
async function begin(worker: string, mayAsk: Promise<unknown> = Promise.resolve()) {
  const db = openDatabase(database.url, { poolSize: 1 });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  let isOver = false;
  const asking = (async () => {
    await mayAsk;
    while (!isOver) {
      await sql`update shard_workers set seen_at = '-infinity' where id = ${first}`.execute(db);
      await renewLeases(db, worker, { keep: [] });
      await sleep(5);
    }
  })().catch(() => undefined);
  return {
    /** As kill -9 does it: its line ends, and Postgres rolls back what was open. */
    async die() {
      isOver = true;
      await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(database.db);
    },
    async end() {
      isOver = true;
      await asking;
      await db.destroy();
    },
  };
}

/** Until the drill has its lock, or somebody waits behind it. */
async function untilLocked(granted: boolean): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'shards'::regclass
        and granted = ${granted} and mode in ('ShareLock', 'RowExclusiveLock', 'RowShareLock')
        and pid <> pg_backend_pid()`.execute(database.db);
      return rows.length;
    })
    .toBeGreaterThan(0);
}

it('strikes while the next owner takes the shard, which another one gets then', async () => {
  const { db } = database;
  await endLeasesIn(1.5);
  const since = await nowOf(db);
  const locked = createSignal();
  const next = await begin(randomUUID(), locked.opened);
  const seen: unknown[] = [];
  const striking = asNextOwnerTakes(db, {
    shard: SHARD,
    since,
    async strike() {
      seen.push(await ownerOf(db, SHARD));
      await next.die();
    },
  });
  await untilLocked(true);
  locked.open();
  await striking;
  await next.end();
  // Who waits for a lease that is held is about to take nothing.
  expect(seen).toEqual([{ owner: first, process: PROCESS_NAME, isHeld: false }]);
  expect(await ownerOf(db, SHARD)).toMatchObject({ owner: first, isHeld: false });
  const third = randomUUID();
  await renewLeases(db, third, { keep: [] });
  expect(await ownerOf(db, SHARD)).toMatchObject({ owner: third, isHeld: true });
});

it('takes nobody for the next owner whose connection is of before', async () => {
  const { db } = database;
  const locked = createSignal();
  const early = await begin(randomUUID(), locked.opened);
  await endLeasesIn(0);
  const since = await nowOf(db);
  let isStruck = false;
  const striking = asNextOwnerTakes(db, {
    shard: SHARD,
    since,
    strike: () => void (isStruck = true),
  });
  await untilLocked(true);
  locked.open();
  await untilLocked(false);
  // It looks many times meanwhile.
  await sleep(1_000);
  expect(isStruck).toBe(false);
  const late = await begin(randomUUID());
  const begunAt = performance.now();
  await striking;
  expect(performance.now() - begunAt).toBeLessThan(10_000);
  await Promise.all([early.end(), late.end()]);
});

it('waits for another owner that has the shard', async () => {
  const { db } = database;
  let isFound = false;
  const found = nextOwner(db, SHARD, first).then((name) => {
    isFound = true;
    return name;
  });
  await sleep(200);
  expect(isFound).toBe(false);
  await endLeasesIn(0);
  const next = await begin(randomUUID());
  expect(await found).toBe(PROCESS_NAME);
  await next.end();
});
