/** The kills of a simulation hit what they say. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SHARDS } from '../../../src/domain/shards/shards.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { createOwners } from './owners.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Draws these numbers, then only ones by which nothing happens. */
const NOTHING = 0.99;
function openOwners(...drawn: number[]) {
  const breaches: string[] = [];
  const owners = createOwners(database.db, {
    chance: () => drawn.shift() ?? NOTHING,
    changed: () => undefined,
    breach: (rule) => void breaches.push(rule),
    failed: (error) => void breaches.push(String(error)),
  });
  return { owners, breaches };
}

const holders = async () => {
  const { rows } = await sql<{ owner: string; held: number }>`
    select owner, count(*)::int as held from shards where leased_until > clock_timestamp()
    group by owner`.execute(database.db);
  return rows;
};

const [BEFORE, AFTER] = [0.1, 0.4];
const [LOST, KILLED, TOLD] = [0, 0.1, 0.6];

it('the next owner dies at each statement by which it takes the shards, and has none of them', async () => {
  for (let statement = 0; statement < 5; statement += 1) {
    const { owners, breaches } = openOwners(BEFORE, statement / 5);
    const { id, isDead } = await owners.current();
    expect(await holders()).toEqual([{ owner: id, held: SHARDS }]);
    expect([owners.kills(), isDead(), breaches]).toEqual([
      { before: 1, after: 0, inFlight: 0 },
      false,
      [],
    ]);
  }
});

it('the next owner has the shards and dies at one of its first statements; then another one has them', async () => {
  const { owners, breaches } = openOwners(AFTER, 1 / 16);
  const owner = await owners.current();
  const statement = () => sql`select 1`.execute(owner.db);
  await statement();
  await expect(statement()).rejects.toThrow('the process is dead');
  await expect(statement()).rejects.toThrow('the process is dead');
  expect(await owner.gone).toBe('crashed');
  expect(owners.kills()).toEqual({ before: 0, after: 1, inFlight: 0 });
  const next = await owners.current();
  expect(await holders()).toEqual([{ owner: next.id, held: SHARDS }]);
  expect([next.id === owner.id, breaches]).toEqual([false, []]);
});

it.each([
  ['dies', KILLED, { before: 0, after: 0, inFlight: 1 }, true, false],
  ['is told', TOLD, { before: 0, after: 0, inFlight: 0 }, false, true],
  ['notices nothing', NOTHING, { before: 0, after: 0, inFlight: 0 }, false, false],
])(
  'the former owner %s with a message in flight when another one has taken the shards',
  async (_what, fate, kills, isDead, isTold) => {
    const { owners, breaches } = openOwners(NOTHING, LOST, NOTHING, fate);
    const owner = await owners.current();
    let isOn = false;
    const passing = owner.pass().then(() => (isOn = true));
    await owner.gone;
    expect([isOn, owner.isDead(), owner.signal.aborted]).toEqual([false, false, false]);
    const next = await owners.current();
    expect(await holders()).toEqual([{ owner: next.id, held: SHARDS }]);
    await passing;
    expect([owners.kills(), owner.isDead(), owner.signal.aborted]).toEqual([kills, isDead, isTold]);
    expect(breaches).toEqual([]);
  },
);
