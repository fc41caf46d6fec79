/** Numbers for the on-call engineer's metrics: one statement each, cheap enough for every scrape. */
import { sql, type Kysely } from 'kysely';
import type { HostTroubleKind } from '../../domain/clusters/host-health.ts';
import type { SendingHold } from '../../domain/clusters/sending-hold.ts';
import { FAILURES_IN_A_ROW } from '../../domain/webhooks/webhook-health.ts';
import type { PauseScope, RefusalClass } from '../../domain/sending/policy-refusals.ts';
import { waitsForWorker } from '../shards/shard-view.ts';
import type { Database } from '../tables.ts';

/** A request without an answer for longer than any request lasts. */
const UNKNOWN_AFTER = sql`interval '2 minutes'`;

/** An endpoint that is paused for failures delays only itself. */
const MANY_FAILURES = sql.raw(String(FAILURES_IN_A_ROW));

export interface OperatorNumbers {
  /** Age in seconds of the operation that has been blocked longest; 0 = none is blocked. */
  oldestBlockedSeconds: number;
  /** Requests to providers, of unfinished operations, whose outcome is unknown. */
  unknownOutcomes: number;
  /** Operations that have had no running workflow for over a minute. */
  rowsWithoutWorkflow: number;
  /** Jobs that wait because as many of their account run as may. */
  jobsWaiting: number;
  /** Validations that wait for a verifier, by what it lacks; what none waits for is absent. */
  validationsWaiting: Record<string, number>;
  /** How long the validation waits that waits longest for one; 0 = none does. */
  oldestValidationSeconds: number;
  /** Names of clients' links in use whose certificate ends within two weeks, or has ended. */
  linkCertificatesEnding: number;
  /** Of each housekeeping Schedule: seconds since a run had last seen all that is due, or came further. */
  scheduleAges: Record<string, number>;
  /** Runs in a row that had at least two to do and advanced none. */
  fruitlessRuns: Record<string, number>;
  /** Due deliveries to enabled endpoints that accept deliveries. */
  webhooksDue: number;
  oldestWebhookSeconds: number;
  /** Mailboxes in use whose inbox cannot be read. */
  inboxesFailing: number;
  /** For how long nobody has looked into the mailbox in use that was looked at longest ago; 0 = there is none. */
  oldestLookSeconds: number;
  /** How long the campaign or warm-up is due that waits longest for a worker; 0 = none does. */
  oldestShardJobSeconds: number;
  /** Shards that no living worker has. */
  freeShards: number;
  /** Jobs of shards whose last three sessions failed. */
  shardJobsFailing: number;
  /** Servers in use that may not send, by reason; reasons without any are absent. */
  serversHeld: Partial<Record<SendingHold, number>>;
  /** Hosts in use with which something is wrong, by what it is; what none has is absent. */
  hostsTroubled: Partial<Record<HostTroubleKind, number>>;
  /** Pauses of sending that run now, by what is paused; scopes without any are absent. */
  sendingPauses: Partial<Record<PauseScope, number>>;
  /** Messages of campaigns that were refused for good since yesterday (UTC), by what the refusal is about. */
  refusals: Record<RefusalClass, number>;
  /** Domains of which others report that messages of our own server fail DMARC. */
  domainsMisaligned: number;
  /** Answers that wait for a language model, and for how long, those beyond the calls of a day left out; 0 = none. */
  interestsWaiting: number;
  oldestInterestSeconds: number;
  /** Answers of the last week that were left without its judgement. */
  interestsLeft: number;
  /**
   * Orders for which an alternate vendor was asked within the last hour, by step; steps without any are
   * absent.
   */
  failOvers: Record<string, number>;
}

export async function readOperatorNumbers(db: Kysely<Database>): Promise<OperatorNumbers> {
  const { rows } = await sql<OperatorNumbers>`select
    (select coalesce(extract(epoch from now() - min(blocked_at)), 0)::float8 from operations
      where blocked_at is not null) as "oldestBlockedSeconds",
    (select count(*)::int from provider_resources r join operations o on o.id = r.operation_id
      where r.state = 'creating' and r.asked_until < now() - ${UNKNOWN_AFTER}
        and o.finished_at is null) as "unknownOutcomes",
    (select count(*)::int from operations where started_at is null and finished_at is null
      and place is distinct from 'waiting' and place is distinct from 'released'
      and created_at < now() - interval '1 minute') as "rowsWithoutWorkflow",
    (select count(*)::int from operations where place = 'waiting' and finished_at is null
      and started_at is null) as "jobsWaiting",
    (select coalesce(jsonb_object_agg(waiting_reason, count), '{}') from (
      select waiting_reason, count(*)::int as count from email_validation_jobs
      where waiting_reason is not null and status = 'processing' group by 1) as v)
      as "validationsWaiting",
    (select coalesce(extract(epoch from now() - min(waiting_since)), 0)::float8
      from email_validation_jobs where waiting_reason is not null and status = 'processing')
      as "oldestValidationSeconds",
    (select count(*)::int from tracking_domains where status = 'active'
      and certificate_expires_at < now() + interval '14 days') as "linkCertificatesEnding",
    (select coalesce(jsonb_object_agg(schedule, extract(epoch from now() - looked_at)), '{}')
      from housekeeping_runs) as "scheduleAges",
    (select coalesce(jsonb_object_agg(schedule, fruitless), '{}')
      from housekeeping_runs) as "fruitlessRuns",
    due.count as "webhooksDue", due.oldest as "oldestWebhookSeconds",
    (select count(*)::int from mailbox_syncs y join mailboxes m on m.id = y.mailbox_id
      where y.failing_since is not null and m.status = 'active') as "inboxesFailing",
    (select greatest(0, coalesce(extract(epoch from now() - min(
        greatest(y.synced_at, y.looked_at, m.created_at))), 0))::float8
      from mailboxes m left join clusters c on c.id = m.cluster_id
        left join mailbox_syncs y on y.mailbox_id = m.id
      where m.status = 'active' and (c.id is null or c.status = 'active')) as "oldestLookSeconds",
    (select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 from shard_jobs
      where ${waitsForWorker}) as "oldestShardJobSeconds",
    (select count(*)::int from shards where leased_until <= clock_timestamp()) as "freeShards",
    (select count(*)::int from shard_jobs where failures >= 3) as "shardJobsFailing",
    (select coalesce(jsonb_object_agg(sending_hold, count), '{}') from (
      select sending_hold, count(*)::int as count from servers
      where status = 'active' and sending_hold is not null group by sending_hold) as h) as "serversHeld",
    (select coalesce(jsonb_object_agg(kind, count), '{}') from (
      select trouble ->> 'kind' as kind, count(*)::int as count
      from servers s, jsonb_array_elements(troubles) as trouble
      where s.status = 'active' and exists (select from clusters c
        where c.server_id = s.id and c.status in ('active', 'suspended')) group by 1) as t) as "hostsTroubled",
    (select coalesce(jsonb_object_agg(scope, count), '{}') from (
      select scope, count(*)::int as count from sending_pauses
      where until > now() group by scope) as p) as "sendingPauses",
    (select jsonb_build_object('policy', coalesce(sum(rejected), 0),
        'address', coalesce(sum(bounced), 0)) from campaign_counters
      where day >= (now() at time zone 'utc')::date - 1) as refusals,
    (select count(*)::int from domains where alignment_failing_since is not null
      and status = 'active') as "domainsMisaligned",
    asked.waiting as "interestsWaiting", asked.oldest as "oldestInterestSeconds",
    (select count(*)::int from interest_questions
      where left_at > now() - interval '7 days') as "interestsLeft",
    (select coalesce(jsonb_object_agg(step, count), '{}') from (
      select step, count(distinct operation_id)::int as count from operation_events
      where kind = 'failed_over' and at > now() - interval '1 hour' group by step) as s) as "failOvers"
    from (select count(*)::int as count,
        coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as oldest
      from webhook_deliveries join webhooks on webhooks.id = webhook_id
      where state = 'pending' and next_attempt_at <= now()
        and is_active and failures < ${MANY_FAILURES}) as due,
      (select count(*)::int as waiting,
        greatest(0, coalesce(extract(epoch from now() - min(asked_at)
          filter (where problem is distinct from 'daily_limit')), 0))::float8 as oldest
      from interest_questions where left_at is null) as asked`.execute(db);
  return rows[0]!;
}
