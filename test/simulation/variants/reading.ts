/** What the product says about texts that are compared, all of one moment. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../../src/db/tables.ts';
import type { Decision } from './evidence.ts';
import type { Looks } from './looks.ts';

/** As `campaign.variant_won` tells it. */
export type Told = Omit<Decision, 'at' | 'looks'> & {
  campaignId: number;
  step: number;
  at: string;
};

export interface Reading {
  /** What was told since the last reading. */
  told: Told[];
  /** Of each step that something was noted of. */
  tests: (Looks & { campaignId: number; position: number })[];
}

/**
 * The order of commits is not that of ids: what is below the horizon of the last reading was visible to it; what it
 * has read above that is remembered.
 */
export function createReader(
  db: Kysely<Database>,
  userId: string,
): (campaignIds: readonly number[]) => Promise<Reading> {
  let horizon = '0';
  let known = new Set<string>();
  return async (campaignIds) => {
    const { rows } = await sql<{
      horizon: string;
      tests: Reading['tests'] | null;
      id: string | null;
      payload: Told;
    }>`
      select horizon::text, tests, events.id::text, payload
      from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon,
        (select jsonb_agg(jsonb_build_object('campaignId', campaign_id, 'position', position,
            'looks', looks, 'lookedSends', looked_sends))
          from step_tests where campaign_id = any (${[...campaignIds]}::bigint[])) as tests) as reading
      left join events on user_id = ${userId} and txid >= ${horizon}::xid8
        and type = 'campaign.variant_won'
      order by events.txid, events.id`.execute(db);
    horizon = rows[0]!.horizon;
    const before = known;
    const found = rows.filter(({ id }) => id !== null);
    known = new Set(found.map(({ id }) => id!));
    return {
      told: found.filter(({ id }) => !before.has(id!)).map(({ payload }) => payload),
      tests: rows[0]!.tests ?? [],
    };
  };
}
