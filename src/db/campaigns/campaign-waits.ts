/** What ends the wait of a campaign that has nothing to send at the moment. */
import { sql, type Kysely } from 'kysely';
import { wakeShardJobs } from '../shards/shard-jobs.ts';
import type { Database } from '../tables.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

/** Changes with the row (state, settings, mailboxes) and with leads that are added. Milliseconds. */
export async function readCampaignSnapshot(
  db: Kysely<Database>,
  campaignId: number,
): Promise<{ updatedAt: number; firstDue: number }> {
  const { rows } = await sql<{ updated_at: Date; first_due: Date | null }>`
    select updated_at, (select due_at from recipients
      where campaign_id = ${campaignId} and mailbox_id is null and due_at is not null
      order by mailbox_id, due_at limit 1) as first_due
    from campaigns where id = ${campaignId}`.execute(db);
  const [row] = rows;
  return {
    updatedAt: row?.updated_at.getTime() ?? 0,
    firstDue: row?.first_due?.getTime() ?? 0,
  };
}

/** A campaign that may be waiting, and the workflow of its latest run. */
export interface WaitingCampaign {
  campaignId: number;
  workflowId: string;
}

/** Wakes those that a shard has, and answers the others, which are runs of before: they hear signals. */
export async function wakeInShards(
  db: Kysely<Database>,
  waiting: readonly WaitingCampaign[],
  now: Date,
): Promise<WaitingCampaign[]> {
  const ids = waiting.map(({ campaignId }) => campaignId);
  const woken = await wakeShardJobs(db, { type: 'campaign', ids, now });
  return waiting.filter(({ campaignId }) => !woken.has(campaignId));
}

/** A mailbox with this many waiting campaigns is shared by more than it has messages a day. */
const MAX_WAITING = 500;

/**
 * Active campaigns, with their workflows, that have a message due before `until` for one of these mailboxes: they
 * may sleep until it is free. A few index lookups for each campaign of the mailboxes.
 */
export async function listWaitingCampaigns(
  db: Kysely<Database>,
  { mailboxIds, until }: { mailboxIds: readonly number[]; until: Date },
): Promise<WaitingCampaign[]> {
  const { rows } = await sql<{ id: number; workflow_id: string; run_key: string | null }>`
    with waiting as (
      select distinct campaigns.id from campaign_mailboxes as assigned
      join campaigns on campaigns.id = assigned.campaign_id and campaigns.status = 'active'
      where assigned.mailbox_id = any (${[...mailboxIds]}::bigint[])
        and (exists (select from recipients
            where campaign_id = campaigns.id and mailbox_id = assigned.mailbox_id
              and due_at <= ${until})
          or (assigned.out_reason is null and exists (select from recipients
            where campaign_id = campaigns.id and mailbox_id is null and due_at <= ${until})))
      limit ${MAX_WAITING}
    )
    select waiting.id, run.workflow_id, run.run_key from waiting cross join lateral (
      select workflow_id, run_key, finished_at from operations
      where resource_type = 'campaign' and resource_id = waiting.id
      order by id desc limit 1
    ) run where run.finished_at is null`.execute(db);
  return rows.map((row) => ({ campaignId: row.id, workflowId: workflowIdOf(row) }));
}
