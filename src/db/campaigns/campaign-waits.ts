/** What ends the wait of a campaign that has nothing to send at the moment. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { wakeShardJobs } from '../shards/shard-jobs.ts';
import type { Database } from '../tables.ts';
import type { SeenChanges } from '../../domain/operations/jobs.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

/** Of the campaign's row: state, settings, mailboxes. */
export const lastChange = sql<string>`campaigns.updated_at::text`;

/** Of a campaign's recipients: the first one that is due and has no mailbox yet. Leads that are added change it. */
export const firstDueOf = (campaignId: RawBuilder<unknown>) => sql<
  string | null
>`(select due_at::text from recipients
  where campaign_id = ${campaignId} and mailbox_id is null and due_at is not null
  order by mailbox_id, recipients.due_at limit 1)`;

export const firstDue = firstDueOf(sql.ref('campaigns.id'));

/** Whether something has changed since; a campaign that is gone has changed. */
export async function hasCampaignChanged(
  db: Kysely<Database>,
  campaignId: number,
  { change, due }: SeenChanges,
): Promise<boolean> {
  const { rows } = await sql<{ has_changed: boolean }>`/*has-campaign-changed*/
    select updated_at is distinct from ${change}::timestamptz
      or ${firstDue}::timestamptz is distinct from ${due}::timestamptz as has_changed
    from campaigns where id = ${campaignId}`.execute(db);
  return rows[0]?.has_changed ?? true;
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

/** Why a campaign stands still, and what its owner should do about it where the service has paused it. */
export async function findPauseWords(db: Kysely<Database>, campaignId: number): Promise<string> {
  const row = await db
    .selectFrom('campaigns')
    .select(['pause_reason', 'warning'])
    .where('id', '=', campaignId)
    .executeTakeFirst();
  const words = [row?.pause_reason, row?.warning].filter(Boolean).join(': ');
  return words === '' ? 'paused' : `paused, ${words}`;
}
