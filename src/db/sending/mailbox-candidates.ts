/** The mailboxes of a campaign in sending order, read without locks. */
import { sql, type RawBuilder } from 'kysely';
import type { WarmupStanding } from '../../domain/warmup/warmup-hold.ts';
import { coversMailbox } from './rejections.ts';

export interface Candidate {
  id: number;
  email: string;
  status: string;
  /** Null for a connected mailbox, whose domain has no limit of ours. */
  domain_id: number | null;
  daily_limit: number | null;
  hourly_limit: number | null;
  min_gap_seconds: number | null;
  next_send_at: Date | null;
  /** Its own, or what keeps its server from sending. */
  failing_reason: string | null;
  out_reason: string | null;
  is_shared: boolean;
  yields: boolean;
  warmup: WarmupStanding | null;
  /**
   * Until when it, its domain or its server is paused for spam refusals, whatever else keeps it from sending.
   */
  paused_until: Date | null;
}

export const candidatesOf = (
  campaignId: number,
  now: Date,
): RawBuilder<Candidate> => sql`/*list-candidates*/
    with running as materialized (
      select scope, subject, until from sending_pauses
      where user_id = (select user_id from campaigns where id = ${campaignId}) and until > ${now}
    )
    select mailboxes.id, mailboxes.email, mailboxes.status, host.domain_id,
      mailboxes.daily_limit, mailboxes.hourly_limit, mailboxes.min_gap_seconds,
      mailboxes.next_send_at, mine.out_reason,
      coalesce(mailboxes.failing_reason, host.sending_hold) as failing_reason,
      coalesce(others.is_shared, false) as is_shared, coalesce(others.yields, false) as yields,
      case when warmups.mailbox_id is not null then json_build_object('status', warmups.status,
        'day', warmups.day, 'cold_day', warmups.cold_day) end as warmup,
      (select max(until) from running where ${coversMailbox('running')}) as paused_until
    from campaign_mailboxes mine
    join mailboxes on mailboxes.id = mine.mailbox_id
    join mailbox_hosts as host on host.mailbox_id = mailboxes.id
    left join warmups on warmups.mailbox_id = mine.mailbox_id
    cross join lateral (
      select bool_or(true) as is_shared, bool_or(theirs.wants_until > ${now}
        and (coalesce(theirs.served_at, '-infinity'), theirs.campaign_id)
          < (coalesce(mine.served_at, '-infinity'), mine.campaign_id)) as yields
      from campaign_mailboxes theirs
      where theirs.mailbox_id = mine.mailbox_id and theirs.campaign_id <> ${campaignId}
        -- As a join, all campaigns are read for each mailbox while Postgres has counted no rows of a new one.
        and (select status from campaigns where id = theirs.campaign_id) = 'active'
    ) others
    where mine.campaign_id = ${campaignId}
    order by mine.served_at nulls first, mailboxes.id`;
