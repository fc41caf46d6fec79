/** Prometheus gauges used by the runbook; each is read at the scrape. */
import type { Client } from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { addDatabaseGauges } from './database-gauges.ts';
import { countOpenFindings, listBookChecks } from '../db/operations/findings.ts';
import { readOperatorNumbers, type OperatorNumbers } from '../db/operations/operator-metrics.ts';
import { countBlocked } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import { HOST_TROUBLES } from '../domain/clusters/host-health.ts';
import { SENDING_HOLDS } from '../domain/clusters/sending-hold.ts';
import { FINDING_KINDS } from '../domain/operations/findings.ts';
import { FAIL_OVER_STEPS } from '../domain/operations/operations.ts';
import type { OperationEnds } from './operation-ends.ts';
import { scrapeRead } from './scrape.ts';

export interface MetricsSources {
  db: Kysely<Database>;
  logger: Logger;
  temporal?: Client | undefined;
  operationEnds?: OperationEnds | undefined;
}

const TEMPORAL_TIMEOUT_MS = 2_000;

/** Adds all gauges. While Postgres is down its gauges are missing, the others stay. */
export function addOperatorGauges(registry: Registry, sources: MetricsSources): void {
  addDatabaseGauges(registry, sources.db);
  addBlockedGauge(registry, sources);
  addNumbers(registry, sources);
  addBooks(registry, sources);
  addReachability(registry, sources);
  sources.operationEnds?.register(registry);
}

function addBlockedGauge(registry: Registry, { db, logger }: MetricsSources): void {
  const read = quietly(logger, 'blocked operations', () => countBlocked(db));
  new Gauge({
    name: 'outreach_operations_blocked',
    help: 'Operations that wait for a person, by step',
    labelNames: ['state', 'step'],
    registers: [registry],
    async collect() {
      const blocked = (await read()) ?? [];
      this.reset();
      for (const { state, step, count } of blocked) this.labels(state, step).set(count);
    },
  });
}

const NUMBERS: Record<
  string,
  {
    help: string;
    field: Exclude<keyof OperatorNumbers, 'failOvers' | 'serversHeld' | 'hostsTroubled'>;
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
  outreach_shard_jobs_oldest_seconds: {
    help: 'How long the campaign or warm-up is due that is due longest; 0 = none waits',
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
const COUNTS = [
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
    name: 'outreach_fail_overs_last_hour',
    help: 'Orders for which an alternate vendor was asked within the last hour, by step',
    label: 'step',
    values: FAIL_OVER_STEPS,
    field: 'failOvers',
  },
] as const;

function addNumbers(registry: Registry, { db, logger }: MetricsSources): void {
  const read = () => readOperatorNumbers(db);
  const numbers = quietly(logger, 'numbers for the on-call engineer', read);
  for (const [name, { help, field }] of Object.entries(NUMBERS)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const now = await numbers();
        if (now) this.set(now[field]);
        else this.remove();
      },
    });
  }
  for (const { name, help, label, values, field } of COUNTS) {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        this.reset();
        const now = await numbers();
        if (!now) return;
        const counts: Readonly<Record<string, number>> = now[field];
        for (const value of values) this.labels(value).set(counts[value] ?? 0);
      },
    });
  }
}

function addBooks(registry: Registry, { db, logger }: MetricsSources): void {
  const findings = quietly(logger, 'findings', () => countOpenFindings(db));
  new Gauge({
    name: 'outreach_reconcile_findings',
    help: "What differs between the vendors' books and ours, by kind",
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      const open = await findings();
      if (!open) return;
      for (const kind of FINDING_KINDS) {
        this.labels(kind).set(open.find((one) => one.kind === kind)?.count ?? 0);
      }
    },
  });
  const checks = quietly(logger, 'comparisons of books', () => listBookChecks(db));
  new Gauge({
    name: 'outreach_reconcile_age_seconds',
    help: 'Since when a book was last compared completely; -1 = never',
    labelNames: ['book'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { book, succeededAt } of (await checks()) ?? []) {
        const age = succeededAt ? (Date.now() - succeededAt.getTime()) / 1_000 : -1;
        this.labels(book).set(age);
      }
    },
  });
  new Gauge({
    name: 'outreach_reconcile_refused',
    help: 'Whether the last comparison of a book failed, by the kind of error (auth, unavailable)',
    labelNames: ['book', 'error'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { book, errorKind } of (await checks()) ?? []) {
        if (errorKind !== null) this.labels(book, errorKind).set(1);
      }
    },
  });
}

function addReachability(registry: Registry, { temporal }: MetricsSources): void {
  if (!temporal) return;
  new Gauge({
    name: 'outreach_temporal_up',
    help: 'Whether Temporal answers this process: 1 or 0',
    registers: [registry],
    async collect() {
      const { connection } = temporal;
      const deadline = Date.now() + TEMPORAL_TIMEOUT_MS;
      const asked = connection.withDeadline(deadline, () =>
        connection.workflowService.getSystemInfo({}),
      );
      this.set(
        await asked.then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
}

/**
 * A read of Postgres for a scrape. Undefined where it is down or does not answer: then the other metrics are
 * needed most.
 */
const quietly = <T>(logger: Logger, what: string, read: () => Promise<T>) =>
  scrapeRead(read, (err) => logger.warn({ err, what }, 'metrics are missing'));
