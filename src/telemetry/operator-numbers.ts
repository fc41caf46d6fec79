/** The gauges of `readOperatorNumbers`, by name. */
import type { OperatorNumbers } from '../db/operations/operator-metrics.ts';
import { HOST_TROUBLES } from '../domain/clusters/host-health.ts';
import { SENDING_HOLDS } from '../domain/clusters/sending-hold.ts';
import { PAUSE_SCOPES, REFUSAL_CLASSES } from '../domain/sending/policy-refusals.ts';
import { VERIFIER_WAITS } from '../domain/email-validation/email-validation.ts';
import { HOUSEKEEPING_SCHEDULES } from '../domain/operations/housekeeping.ts';
import { FAIL_OVER_STEPS } from '../domain/operations/operations.ts';

export const NUMBERS: Record<
  string,
  {
    help: string;
    field: Exclude<keyof OperatorNumbers, (typeof COUNTS)[number]['field']>;
  }
> = {
  outreach_operations_blocked_oldest_seconds: {
    help: 'How long the operation waits that waits longest for a person; 0 = none waits',
    field: 'oldestBlockedSeconds',
  },
  outreach_unknown_outcomes: {
    help: 'Requests to vendors of which nobody knows what they did',
    field: 'unknownOutcomes',
  },
  outreach_operations_without_workflow: {
    help: 'Operations that nothing runs for over a minute',
    field: 'rowsWithoutWorkflow',
  },
  outreach_jobs_waiting: {
    help: 'Jobs that wait since as many of their account run as may at once',
    field: 'jobsWaiting',
  },
  outreach_validations_waiting_oldest_seconds: {
    help: 'How long the validation waits that waits longest for a verifier; 0 = none waits',
    field: 'oldestValidationSeconds',
  },
  outreach_link_certificates_ending: {
    help: "Names of clients' links in use whose certificate ends within two weeks, or has ended",
    field: 'linkCertificatesEnding',
  },
  outreach_webhook_deliveries_due: {
    help: "Deliveries to clients' endpoints that are due",
    field: 'webhooksDue',
  },
  outreach_webhook_deliveries_oldest_seconds: {
    help: 'How long the delivery is due that is due longest; 0 = none is',
    field: 'oldestWebhookSeconds',
  },
  outreach_inbox_mailboxes_failing: {
    help: 'Mailboxes whose inbox cannot be read',
    field: 'inboxesFailing',
  },
  outreach_inbox_look_oldest_seconds: {
    help: 'For how long nobody has looked into the mailbox that was looked at longest ago; 0 = there is none',
    field: 'oldestLookSeconds',
  },
  outreach_shard_jobs_oldest_seconds: {
    help: 'How long the campaign or warm-up is due that waits longest for a worker; 0 = none waits',
    field: 'oldestShardJobSeconds',
  },
  outreach_shards_free: {
    help: 'Shards of campaigns, inboxes and warm-ups that no living worker has',
    field: 'freeShards',
  },
  outreach_shard_jobs_failing: {
    help: 'Campaigns, inboxes and warm-ups whose last three sessions failed',
    field: 'shardJobsFailing',
  },
  outreach_domains_misaligned: {
    help: 'Domains of which others report that messages of our own server fail DMARC',
    field: 'domainsMisaligned',
  },
  outreach_interests_waiting: {
    help: 'Answers that wait for a language model to say what they mean',
    field: 'interestsWaiting',
  },
  outreach_interests_oldest_seconds: {
    help: 'How long the answer waits that waits longest for it; 0 = none waits',
    field: 'oldestInterestSeconds',
  },
  outreach_interests_left: {
    help: 'Answers of the last week that were left without its judgement',
    field: 'interestsLeft',
  },
};

/** Counts by a label of which every value is shown, 0 too. */
export const COUNTS = [
  {
    name: 'outreach_validations_waiting',
    help: 'Validations that wait for a verifier, by what it lacks',
    label: 'cause',
    values: VERIFIER_WAITS,
    field: 'validationsWaiting',
  },
  {
    name: 'outreach_schedule_age_seconds',
    help: 'Since a run of a housekeeping Schedule had last seen all that is due, or came further than those since',
    label: 'schedule',
    values: HOUSEKEEPING_SCHEDULES,
    field: 'scheduleAges',
  },
  {
    name: 'outreach_schedule_fruitless_runs',
    help: 'Runs in a row of a housekeeping Schedule that had at least two to do and advanced none',
    label: 'schedule',
    values: HOUSEKEEPING_SCHEDULES,
    field: 'fruitlessRuns',
  },
  {
    name: 'outreach_servers_held',
    help: 'Servers in use that may not send, by reason',
    label: 'reason',
    values: SENDING_HOLDS,
    field: 'serversHeld',
  },
  {
    name: 'outreach_hosts_troubled',
    help: 'Mail hosts in use with which something is wrong, by what it is',
    label: 'trouble',
    values: HOST_TROUBLES,
    field: 'hostsTroubled',
  },
  {
    name: 'outreach_sending_pauses',
    help: 'Pauses of sending for refusals that run now, by what is paused',
    label: 'scope',
    values: PAUSE_SCOPES,
    field: 'sendingPauses',
  },
  {
    name: 'outreach_refusals',
    help: 'Messages of campaigns refused for good since yesterday (UTC), by what it is about',
    label: 'class',
    values: REFUSAL_CLASSES,
    field: 'refusals',
  },
  {
    name: 'outreach_fail_overs_last_hour',
    help: 'Orders for which an alternate vendor was asked within the last hour, by step',
    label: 'step',
    values: FAIL_OVER_STEPS,
    field: 'failOvers',
  },
] as const;
