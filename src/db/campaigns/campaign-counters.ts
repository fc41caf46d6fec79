/** Totals of campaigns by day, step and variant, so that reading them costs the same at any size. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { CampaignCountersTable } from './campaign-tables.ts';
import type { Database } from '../tables.ts';

export type CountedOutcome = Exclude<
  keyof CampaignCountersTable,
  'campaign_id' | 'day' | 'step' | 'variant'
>;

export interface Counted {
  send: { campaign_id: number; step: number; variant: number };
  outcome: CountedOutcome;
  by: number;
  /** Where it counts at another time: a proven outcome counts at the time when it was still unknown. */
  at?: Date;
}

/** The columns that count. */
export const OUTCOMES = [
  'sent',
  'failed',
  'uncertain',
  'opened',
  'clicked',
  'replied',
  'auto_replied',
  'bounced',
  'unsubscribed',
  'complained',
  'rejected',
  'machine_opened',
  'machine_clicked',
] as const satisfies readonly CountedOutcome[];

export async function addToCounters(
  trx: Transaction<Database>,
  at: Date,
  counted: readonly Counted[],
): Promise<void> {
  for (const change of counterChanges(at, counted)) await change.execute(trx);
}

/** Adds to the days (UTC) of `at`, in one statement, or none; the rows are locked in a fixed order. */
export function counterChanges(at: Date, counted: readonly Counted[]): RawBuilder<unknown>[] {
  if (counted.length === 0) return [];
  const rows = counted.map(({ send: { campaign_id, step, variant }, outcome, by, at: own }) => ({
    campaign_id,
    day: (own ?? at).toISOString().slice(0, 10),
    step,
    variant,
    [outcome]: by,
  }));
  const columns = sql.join(OUTCOMES.map((name) => sql.ref(name)));
  const sums = sql.join(OUTCOMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::integer`));
  const types = sql.raw(OUTCOMES.map((name) => `${name} integer`).join(', '));
  const added = sql.raw(
    OUTCOMES.map((name) => `${name} = campaign_counters.${name} + excluded.${name}`).join(', '),
  );
  const change = sql`/*add-to-counters*/
    insert into campaign_counters (campaign_id, day, step, variant, ${columns})
    select campaign_id, day, step, variant, ${sums}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as counted (campaign_id bigint, day date, step integer, variant integer, ${types})
    group by campaign_id, day, step, variant
    order by campaign_id, day, step, variant
    on conflict (campaign_id, day, step, variant) do update set ${added}`;
  return [change];
}
