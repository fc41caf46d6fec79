/** Prometheus gauges used by the runbook; each is read at the scrape. */
import type { Client } from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { addDatabaseGauges } from './database-gauges.ts';
import { countOpenFindings, listBookChecks } from '../db/operations/findings.ts';
import { readOperatorNumbers } from '../db/operations/operator-metrics.ts';
import { countBlocked } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import { FINDING_KINDS } from '../domain/operations/findings.ts';
import type { OperationEnds } from './operation-ends.ts';
import { COUNTS, NUMBERS } from './operator-numbers.ts';
import { scrapeRead } from './scrape.ts';
import type { VendorCalls } from './vendor-calls.ts';
import { addVendorCalls } from './vendor-metrics.ts';

export interface MetricsSources {
  db: Kysely<Database>;
  /** A worker's, for its leases. */
  shardDb?: Kysely<Database> | undefined;
  logger: Logger;
  temporal?: Client | undefined;
  operationEnds?: OperationEnds | undefined;
  vendorCalls?: VendorCalls | undefined;
}

const TEMPORAL_TIMEOUT_MS = 2_000;

/** Adds all gauges. While Postgres is down its gauges are missing, the others stay. */
export function addOperatorGauges(registry: Registry, sources: MetricsSources): void {
  addDatabaseGauges(registry, sources.db, sources.shardDb);
  addBlockedGauge(registry, sources);
  addNumbers(registry, sources);
  addBooks(registry, sources);
  addReachability(registry, sources);
  sources.operationEnds?.register(registry);
  if (sources.vendorCalls) addVendorCalls(registry, sources.vendorCalls);
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
