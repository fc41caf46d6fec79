/** Turns at a thing outside: one at a time, taken over from the dead, and no connection held. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLease } from '../../src/db/leases.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSignal } from '../support/tools/signal.ts';

let database: TestDatabase;
let name: string;
let names = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  name = `thing ${(names += 1)}`;
});

const request = (waitMs: number) => ({ name, waitMs, busy: () => new Error('busy') });

/** As if the holder had died a while ago. */
const expire = () =>
  sql`update leases set expires_at = now() where name = ${name}`.execute(database.db);

describe('a turn', () => {
  it('is one at a time, whoever asks', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await sleep(20);
      inside -= 1;
    };
    await Promise.all(
      Array.from({ length: 5 }, () => withLease(database.db, request(50_000), work)),
    );
    expect(most).toBe(1);
  });

  it('is refused when the one before does not end in time, and given when it failed', async () => {
    const [inside, over] = [createSignal(), createSignal()];
    const failing = withLease(database.db, request(0), async () => {
      inside.open();
      await over.opened;
      throw new Error('the registrar is down');
    });
    const outcome = failing.catch((error: Error) => error.message);
    await inside.opened;
    const refused = withLease(database.db, request(50), async () => 'in');
    await expect(refused).rejects.toThrow('busy');
    over.open();
    expect(await outcome).toBe('the registrar is down');
    expect(await withLease(database.db, request(0), async () => 'in')).toBe('in');
  });

  it('is taken over from the dead, who may change nothing any more', async () => {
    const dead = withLease(database.db, request(0), async (assertMine) => {
      await assertMine();
      await expire();
      expect(await withLease(database.db, request(0), async () => 'taken over')).toBe('taken over');
      await assertMine();
    });
    await expect(dead).rejects.toThrow('busy');
  });

  it('of a dead holder is not ended by it while the next one works', async () => {
    const [expired, takenOver] = [createSignal(), createSignal()];
    const dead = withLease(database.db, request(0), async () => {
      await expire();
      expired.open();
      await takenOver.opened;
    });
    await expired.opened;
    const next = withLease(database.db, request(0), async (assertMine) => {
      takenOver.open();
      await dead;
      await assertMine();
      return 'still mine';
    });
    expect(await next).toBe('still mine');
  });
});

describe('work that is left', () => {
  it('keeps its turn no longer, and its renewals until then are not among its own statements', async () => {
    const { db } = database;
    let own = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult({ result }) {
        own += 1;
        return Promise.resolve(result);
      },
    });
    const left = new AbortController();
    const held = { ...request(0), left: left.signal, renewBy: db };
    const inside = createSignal();
    void withLease(counted, held, () => {
      inside.open();
      return new Promise<never>(() => undefined);
    });
    await inside.opened;
    const isHeld = async () =>
      (await sql`select 1 from leases where name = ${name} and expires_at > now()`.execute(db)).rows
        .length > 0;
    const before = own;
    await expire();
    await vi.waitFor(async () => expect(await isHeld()).toBe(true), 25_000);
    expect(own).toBe(before);
    left.abort();
    await expire();
    // Longer than until the next renewal.
    await sleep(11_500);
    expect(await isHeld()).toBe(false);
    expect(await withLease(db, request(0), () => Promise.resolve('theirs'))).toBe('theirs');
  }, 120_000);
});
