/** A part of the simulation; the full size is `npm run drill -- simulate`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { countKills } from '../chaos/kill-points.ts';
import { simulate } from './simulate.ts';

/** SIMULATION_SEED=n selects another one. */
const first = Number(process.env['SIMULATION_SEED'] ?? 1);
const seeds = [first, first + 1];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe('campaigns on a virtual clock', () => {
  it.for(seeds)(
    'keep every rule of sending on every message (seed %d)',
    { timeout: 300_000 },
    async (seed) => {
      const size = { recipients: 40, mailboxes: 3, grainMs: 300_000 };
      const result = await simulate(database.db, { seed, ...size });
      expect(result.violations).toEqual([]);
      expect(result.messages).toBeGreaterThan(60);
      // As a shard changed its owner.
      expect(countKills(result.kills)).toBeGreaterThan(0);
    },
  );
});
