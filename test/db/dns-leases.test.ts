/** Turns at the DNS records of a domain: one at a time, and taken over from the dead. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withDnsLease } from '../../src/db/dns-leases.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let domainId: number;
let domains = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.insertInto('users').values({ user_id: 'ann', email: 'a@b.test' }).execute();
});
afterAll(() => database.close());
beforeEach(async () => {
  const name = `turn-${(domains += 1)}.com`;
  const row = { user_id: 'ann', name, provider: 'namecom' };
  const { id } = await database.db
    .insertInto('domains')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  domainId = id;
});

const turn = (waitMs: number) => ({ domainId, waitMs, busy: () => new Error('busy') });

/** As if the holder had died a while ago. */
const expire = () =>
  sql`update dns_leases set expires_at = now() where domain_id = ${domainId}`.execute(database.db);

describe('a turn at the records of a domain', () => {
  it('is one at a time, whoever asks', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (inside += 1));
      await sleep(20);
      inside -= 1;
    };
    await Promise.all(
      Array.from({ length: 5 }, () => withDnsLease(database.db, turn(9_000), work)),
    );
    expect(most).toBe(1);
  });

  it('is refused when the one before does not end in time, and given when it failed', async () => {
    const failing = withDnsLease(database.db, turn(0), async () => {
      await sleep(300);
      throw new Error('the registrar is down');
    });
    const outcome = failing.catch((error: Error) => error.message);
    await sleep(50);
    const refused = withDnsLease(database.db, turn(50), async () => 'in');
    await expect(refused).rejects.toThrow('busy');
    expect(await outcome).toBe('the registrar is down');
    expect(await withDnsLease(database.db, turn(0), async () => 'in')).toBe('in');
  });

  it('is taken over from the dead, who may change nothing any more', async () => {
    const dead = withDnsLease(database.db, turn(0), async (assertMine) => {
      await assertMine();
      await expire();
      expect(await withDnsLease(database.db, turn(0), async () => 'taken over')).toBe('taken over');
      await assertMine();
    });
    await expect(dead).rejects.toThrow('busy');
  });

  it('of a dead holder is not ended by it while the next one works', async () => {
    const dead = withDnsLease(database.db, turn(0), async () => {
      await expire();
      await sleep(100);
    });
    await sleep(50);
    const next = withDnsLease(database.db, turn(0), async (assertMine) => {
      await dead;
      await assertMine();
      return 'still mine';
    });
    expect(await next).toBe('still mine');
  });
});
