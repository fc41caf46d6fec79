/** Places of the probe at providers, and rests from them, over all processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProbePlaces,
  FIRST_REST_SECONDS,
  MAX_REST_SECONDS,
} from '../../src/db/email-validation/probe-places.ts';
import type { ProbePlaces } from '../../src/domain/email-validation/probe-places.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSignal } from '../support/tools/signal.ts';

let database: TestDatabase;
let places: ProbePlaces;
let others: ProbePlaces;

beforeAll(async () => {
  database = await createTestDatabase();
  places = createProbePlaces(database.db);
  others = createProbePlaces(database.db);
});
afterAll(() => database.close());

const never = new AbortController().signal;
const two = { limit: 2, signal: never };

describe('a place at a provider', () => {
  it('is one of so many, whichever process asks', async () => {
    let inside = 0;
    let most = 0;
    const both = createSignal();
    const work = async () => {
      most = Math.max(most, (inside += 1));
      if (inside === two.limit) both.open();
      await both.opened;
      await sleep(30);
      inside -= 1;
    };
    const all = [places, others, places, others, places, others];
    await Promise.all(all.map((each) => each.at('one.example', two, work)));
    expect({ most, inside }).toEqual({ most: 2, inside: 0 });
  });

  it('is given to who waits before it is given again to who has just left', async () => {
    // A mark is good for half a second: where the machine stood still for so long, it is tried once more.
    for (let round = 0; ; round += 1) {
      const { order, tookMs } = await whoComesFirst(`fair${round}.example`);
      expect(order).toHaveLength(2);
      if (tookMs > 400 && round < 20) continue;
      expect(order[0]).toBe('waited');
      return;
    }
  });

  it('is taken over from the dead', async () => {
    await sql`insert into leases (name, owner, expires_at)
      values ('probe 1 dead.example', gen_random_uuid(), now())`.execute(database.db);
    let ran = false;
    await places.at('dead.example', { limit: 1, signal: never }, async () => void (ran = true));
    expect(ran).toBe(true);
  });

  it('is not waited for by who was stopped', async () => {
    const [inside, over] = [createSignal(), createSignal()];
    const one = { limit: 1, signal: never };
    const holder = places.at('stop.example', one, async () => {
      inside.open();
      await over.opened;
    });
    await inside.opened;
    const stopped = { limit: 1, signal: AbortSignal.timeout(50) };
    await expect(others.at('stop.example', stopped, async () => undefined)).rejects.toThrow(
      'abort',
    );
    over.open();
    await holder;
  });
});

/** Somebody leaves the only place while another one waits, and comes again at once. */
async function whoComesFirst(provider: string): Promise<{ order: string[]; tookMs: number }> {
  const one = { limit: 1, signal: never };
  const order: string[] = [];
  const [inside, over] = [createSignal(), createSignal()];
  const first = places.at(provider, one, async () => {
    inside.open();
    await over.opened;
  });
  await inside.opened;
  const startedAt = performance.now();
  const waiting = others.at(provider, one, async () => void order.push('waited'));
  // The first look of who waits leaves its mark.
  await expect.poll(async () => (await marks(provider)).length, { interval: 10 }).toBe(1);
  over.open();
  await first;
  const again = places.at(provider, one, async () => void order.push('again'));
  await Promise.race([waiting, again]);
  const tookMs = performance.now() - startedAt;
  await Promise.all([waiting, again]);
  return { order, tookMs };
}

const marks = async (provider: string) =>
  (await sql`select 1 from leases where name = ${`probe waiting ${provider}`}`.execute(database.db))
    .rows;

describe('a rest', () => {
  const secondsLeft = async (provider: string) => {
    const { rows } = await sql<{ left: string }>`
      select extract(epoch from rests_until - now()) as left
      from probe_rests where provider = ${provider}`.execute(database.db);
    return Number(rows[0]!.left);
  };
  const age = (provider: string, seconds: number) =>
    sql`update probe_rests set rests_until = now() - make_interval(secs => ${seconds})
      where provider = ${provider}`.execute(database.db);

  it('holds for all processes, for this provider alone, and is one however many ask', async () => {
    expect(await others.isResting('lists.example')).toBe(false);
    await Promise.all([places, others, places].map((each) => each.rest('lists.example')));
    expect(await others.isResting('lists.example')).toBe(true);
    expect(await others.isResting('other.example')).toBe(false);
    const work = () => Promise.reject(new Error('nobody goes there'));
    expect(await others.at('lists.example', two, work)).toBe('resting');
    expect(await secondsLeft('lists.example')).toBeCloseTo(FIRST_REST_SECONDS, -2);
  });

  it('doubles each time up to a day, and begins anew after a quiet week', async () => {
    const lengths: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await places.rest('grows.example');
      lengths.push(Math.round((await secondsLeft('grows.example')) / 60));
      await age('grows.example', 1);
    }
    const hour = FIRST_REST_SECONDS / 60;
    const expected = [1, 2, 4, 8, 16, 24, 24].map((hours) => hours * hour);
    expect(lengths).toEqual(expected);
    expect(expected.at(-1)).toBe(MAX_REST_SECONDS / 60);
    await age('grows.example', 8 * 24 * 3_600);
    await places.rest('grows.example');
    expect(await secondsLeft('grows.example')).toBeCloseTo(FIRST_REST_SECONDS, -2);
  });
});
