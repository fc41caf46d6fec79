/** Statistics of campaigns, from counters that are updated while messages go out. Choice 6. */
import { sql, type Kysely } from 'kysely';
import type { RecipientStatus } from '../../domain/campaigns/campaigns.ts';
import { OUTCOMES } from './campaign-counters.ts';
import { pendingStarts } from './subsequence-starts.ts';
import type { Database } from '../tables.ts';

/** Events are counted on the day (UTC) on which they happened, with the message they belong to. */
export interface Counts {
  sent: number;
  failed: number;
  uncertain: number;
  opened: number;
  clicked: number;
  replied: number;
  auto_replied: number;
  bounced: number;
  unsubscribed: number;
  complained: number;
  rejected: number;
  /** By programs, which the two above leave out. */
  machine_opened: number;
  machine_clicked: number;
}

export interface CampaignStats extends Counts {
  /** Without removed leads. */
  leads: number;
  /** Paused individually; not those of a campaign that is paused. */
  paused: number;
  removed: number;
  /** Ended because somebody of their company has answered. */
  company_replied: number;
  /** Leads that enter it later, by their answers. */
  pending_starts: number;
  /** Leads who got the first message. */
  contacted: number;
}

const sums = sql.join(
  OUTCOMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::integer as ${sql.ref(name)}`),
);

/** Uses an index on their states. */
const leadsIn = (status: RecipientStatus) => sql`select count(*)::integer as leads from recipients
  where recipients.campaign_id = asked.id and status = ${status}`;

/** By campaign. */
export async function readStats(
  db: Kysely<Database>,
  campaignIds: readonly number[],
): Promise<Map<number, CampaignStats>> {
  const { rows } = await sql<CampaignStats & { id: number }>`
    select asked.id, coalesce(max(campaign_sizes.leads), 0) - max(removed.leads) as leads,
      max(paused.leads) as paused, max(removed.leads) as removed,
      max(stopped.leads) as company_replied, ${pendingStarts} as pending_starts, ${sums},
      coalesce(sum(sent) filter (where step = 0), 0)::integer as contacted
    from unnest(${[...campaignIds]}::bigint[]) as asked (id)
    left join campaign_sizes on campaign_sizes.campaign_id = asked.id
    cross join lateral (${leadsIn('paused')}) as paused
    cross join lateral (${leadsIn('removed')}) as removed
    cross join lateral (select count(*)::integer as leads from recipients
      where recipients.campaign_id = asked.id and recipients.status = 'skipped'
        and hold_reason = 'company_replied') as stopped
    left join campaign_counters as counters on counters.campaign_id = asked.id
    group by asked.id`.execute(db);
  return new Map(rows.map(({ id, ...stats }) => [id, stats]));
}

/** Days with any event, oldest first; both ends included, `YYYY-MM-DD`. */
export async function readDailyCounts(
  db: Kysely<Database>,
  campaignId: number,
  { from, to }: { from: string; to: string },
): Promise<(Counts & { day: string })[]> {
  const { rows } = await sql<Counts & { day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day, ${sums} from campaign_counters
    where campaign_id = ${campaignId} and day between ${from}::date and ${to}::date
    group by day order by day`.execute(db);
  return rows;
}

/** By step and variant, in their order. */
export async function readStepCounts(
  db: Kysely<Database>,
  campaignId: number,
): Promise<(Counts & { step: number; variant: number })[]> {
  const { rows } = await sql<Counts & { step: number; variant: number }>`
    select step, variant, ${sums} from campaign_counters
    where campaign_id = ${campaignId}
    group by step, variant order by step, variant`.execute(db);
  return rows;
}
