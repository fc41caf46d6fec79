/** Alerts, dashboard and runbook name metrics that are exported and sections that exist. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openDatabase, poolSizes } from '../../src/db/database.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { recordBookCheck, recordFindings } from '../../src/db/operations/findings.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { DESTROY_STEPS, PROVISION_STEPS } from '../../src/domain/operations/operations.ts';
import { WORKER_ROLES } from '../../src/domain/operations/queues.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createOperationEnds } from '../../src/telemetry/operation-ends.ts';
import { addOperatorGauges } from '../../src/telemetry/operator-metrics.ts';
import { createVendorCalls } from '../../src/telemetry/vendor-calls.ts';
import { addWorkerRoles } from '../../src/telemetry/worker-roles.ts';
import { servedRoles } from '../../src/temporal/temporal-workers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { shellBlocks } from '../support/sources/runbook.ts';
import { startTcpLink } from '../support/tools/tcp-link.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addProvisioning } from '../support/workflows/operations.ts';
import { root } from './documents.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface Recording {
  record: string;
  expr: string;
}

let database: TestDatabase;
let connection: Connection;
let registry: Registry;
let rules: Rule[];
/** What the recording rules make of metrics. */
let recorded: string[];
let expressions: string[];
let runbook: string;

const read = (path: string) => readFile(join(root, path), 'utf8');

beforeAll(async () => {
  database = await createTestDatabase();
  registry = new Registry();
  // Nobody listens there.
  connection = Connection.lazy({ address: '127.0.0.1:9' });
  const temporal = new Client({ connection });
  const logger = pino({ level: 'silent' });
  const operationEnds = createOperationEnds();
  const vendorCalls = createVendorCalls();
  addOperatorGauges(registry, { db: database.db, logger, temporal, operationEnds, vendorCalls });
  addWorkerRoles(registry, { mode: 'live', roles: servedRoles([]) }, () => true);
  const files = await Promise.all(
    ['alerts', 'slo.rules'].map((name) => read(`docs/monitoring/${name}.yml`)),
  );
  const all = files
    .map((text) => parse(text) as { groups: { rules: (Rule | Recording)[] }[] })
    .flatMap(({ groups }) => groups.flatMap((group) => group.rules));
  rules = all.filter((rule) => 'alert' in rule);
  recorded = all.flatMap((rule) => ('record' in rule ? [rule.record] : []));
  const dashboard = JSON.parse(await read('docs/monitoring/grafana-dashboard.json')) as {
    panels: { description: string; targets: { expr: string }[] }[];
  };
  const chart = parse(await read('deploy/helm/outreach/values.yaml')) as {
    keda: { prometheus: { query: string } };
  };
  expressions = [
    ...all.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    // What scales the workers for mail.
    chart.keda.prometheus.query,
  ];
  runbook = await read('docs/runbook.md');
});

afterAll(async () => {
  await connection?.close();
  await database?.close();
});

/** Names of metrics in an expression: whatever is no function, label, string or number. */
const metricsIn = (expr: string): string[] =>
  [
    ...expr
      .replaceAll(/"[^"]*"/g, '')
      .replaceAll(/\{[^}]*\}/g, '')
      .replaceAll(/\b(by|without) \([^)]*\)/g, '')
      .matchAll(/\b[a-z][\w:]+\b(?!\s*\()/g),
  ]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'by', 'up', 'm', 's'].includes(name));

const anchorOf = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');
const sections = () =>
  Object.fromEntries(
    runbook
      .split(/^## /m)
      .slice(1)
      .map((text) => [anchorOf(text.slice(0, text.indexOf('\n'))), text]),
  );

describe('alerts, dashboard and chart', () => {
  it('ask only for metrics that a process of ours exports', async () => {
    const exported = `${await registry.metrics()}\n${await createMetrics(database.db).text()}`;
    const known = [...exported.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
    );
    const asked = [...new Set(expressions.flatMap(metricsIn))]
      // The SDK's own: test/sdk-metrics.test.ts asks a worker for them.
      .filter((name) => !name.startsWith('temporal_'));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => ![...known, ...recorded].includes(name))).toEqual([]);
  });

  it('lead to a section of the runbook that names the alert and says what to do', () => {
    const wrong = rules.filter(({ alert, annotations }) => {
      const [file, anchor = ''] = annotations.runbook_url.split('#');
      const section = sections()[anchor];
      const parts = ['Symptom', 'Query', 'Cause', 'Cure'].map((part) => `**${part}.**`);
      return (
        file !== 'runbook.md' ||
        !section?.includes(`\`${alert}\``) ||
        !parts.every((part) => section.includes(part))
      );
    });
    expect(rules.length).toBeGreaterThan(10);
    expect(wrong.map(({ alert }) => alert)).toEqual([]);
  });

  it('page somebody when no API, worker or Postgres is there, and when the API fails', () => {
    const pages = [
      'OutreachApiDown',
      'OutreachApiErrors',
      'OutreachPostgresUnreachable',
      'OutreachRoleWithoutWorker',
      'OutreachWorkerDown',
    ];
    const severities = pages.map((name) => rules.find(({ alert }) => alert === name)?.labels);
    expect(severities).toEqual(pages.map(() => ({ severity: 'page' })));
  });

  it('ask for a worker of each role, and count none of test mode', () => {
    const { expr } = rules.find(({ alert }) => alert === 'OutreachRoleWithoutWorker')!;
    const asked = [...expr.matchAll(/absent\(outreach_worker_role\{([^}]*)\}\)/g)].map(
      ([, labels]) => labels,
    );
    expect(asked).toEqual(Object.keys(WORKER_ROLES).map((role) => `role="${role}", mode="live"`));
  });

  it('are unique and say in one line what is wrong', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(rules.every(({ annotations }) => annotations.summary.length > 10)).toBe(true);
  });
});

describe('the runbook', () => {
  it('has commands in every section that has something to ask or to do', () => {
    const blocks = shellBlocks(runbook);
    expect(blocks.length).toBeGreaterThan(20);
    expect(
      blocks.every(({ command }) => /^(outreach|temporal|curl|pg_ctl|mv \$PGDATA) /.test(command)),
    ).toBe(true);
  });
});

describe('the SQL of the runbook', () => {
  const statements = () =>
    [...runbook.matchAll(/^ +```sql\n([\s\S]*?)^ +```$/gm)].map(([, text]) => text!);

  it('brings a wallet back to what the ledger says', async () => {
    const userId = await userWith(database.db, 5_000);
    await sql`update wallets set available_cents = 7, held_cents = 3
      where user_id = ${userId}`.execute(database.db);
    expect(await auditWallets(database.db)).not.toEqual([]);
    const cure = statements().find((text) => text.includes('update wallets'))!;
    await database.db
      .connection()
      .execute((one) => sql.raw(cure.replaceAll('USER', userId)).execute(one));
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it('runs as it stands', async () => {
    for (const text of statements()) await sql.raw(text).execute(database.db);
    expect(statements().length).toBeGreaterThan(1);
  });
});

describe('the tables of steps in the runbook', () => {
  /** First cells of the tables' rows. */
  const listed = () => [...runbook.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name!);

  it('have every step of every flow once, with a cause and a cure', async () => {
    const files = await readdir(join(root, 'workflows'), { recursive: true });
    const sources = await Promise.all(
      files.filter((name) => name.endsWith('.ts')).map((name) => read(`workflows/${name}`)),
    );
    const steps = sources.flatMap((text) =>
      [...text.matchAll(/^ +name: '(\w+)',$/gm)].map(([, name]) => name!),
    );
    expect(steps).toEqual(expect.arrayContaining([...PROVISION_STEPS, ...DESTROY_STEPS]));
    expect(listed().toSorted()).toEqual([...new Set(steps)].toSorted());
    const rows = runbook.match(/^\| `\w+` .+$/gm)!.map((row) => row.split('|').slice(1, -1));
    // Of other flows the table names the flow, too.
    const isWhole = (cells: string[]) =>
      cells.length ===
        (PROVISION_STEPS.some((step) => cells[0]!.includes(`\`${step}\``)) ? 3 : 4) &&
      cells.every((cell) => cell.trim() !== '');
    expect(rows.filter((cells) => !isWhole(cells))).toEqual([]);
  });

  it('begin with a provisioning, in its order', () => {
    expect(listed().slice(0, PROVISION_STEPS.length)).toEqual([...PROVISION_STEPS]);
  });
});

describe('the gauges', () => {
  const valueOf = async (name: string) => {
    // Only this one is read, and may be missing in a scrape that was late: asking Temporal, which is not there, takes its time.
    const text = await registry.getSingleMetricAsString(/^\w+/.exec(name)![0]);
    return text
      .split('\n')
      .filter((line) => line.startsWith(name) && !line.startsWith('#'))
      .map((line) => line.slice(name.length).trim());
  };

  it('are zero where nothing is wrong, and say that Temporal does not answer', async () => {
    await expect.poll(() => valueOf('outreach_unknown_outcomes')).toEqual(['0']);
    await expect.poll(() => valueOf('outreach_operations_blocked{')).toEqual([]);
    await expect.poll(() => valueOf('outreach_operations_blocked_oldest_seconds')).toEqual(['0']);
    await expect
      .poll(() => valueOf('outreach_fail_overs_last_hour{step="server_create"}'))
      .toEqual(['0']);
    await expect.poll(() => valueOf('outreach_temporal_up')).toEqual(['0']);
  });

  it('count what waits, what differs and which vendor refuses us', async () => {
    const { db } = database;
    const userId = await userWith(db);
    const operation = await addProvisioning(db, userId);
    const at = new Date(Date.now() - 600_000);
    await db
      .updateTable('operations')
      .set({ state: 'blocked', step: 'server_create', blocked_at: at, started_at: at })
      .where('id', '=', operation.id)
      .execute();
    await db
      .insertInto('provider_resources')
      .values({
        operation_id: operation.id,
        step: 'server_create',
        generation: 1,
        provider: 'hetzner',
        token: 'outreach-1-1',
        external_id: null,
        asked_until: at,
      })
      .execute();
    await insertOperationEvent(db, {
      operationId: operation.id,
      kind: 'failed_over',
      step: 'server_create',
      actor: 'system',
      reason: 'hetzner had no capacity, ordered at vultr',
    });
    const finding = { kind: 'orphan_server', subject: 'hetzner/1', operationId: null, detail: {} };
    await recordFindings(db, 'vps/hetzner', [{ ...finding, kind: 'orphan_server' }], at);
    await recordBookCheck(db, { book: 'vps/hetzner', at, error: null });
    const error = { kind: 'auth', message: 'expired' };
    await recordBookCheck(db, { book: 'vps/hetzner', at: new Date(), error });

    const blocked = 'outreach_operations_blocked{state="blocked",step="server_create"}';
    await expect.poll(() => valueOf(blocked)).toEqual(['1']);
    await expect.poll(() => valueOf('outreach_unknown_outcomes')).toEqual(['1']);
    await expect
      .poll(() => valueOf('outreach_fail_overs_last_hour{step="server_create"}'))
      .toEqual(['1']);
    await expect
      .poll(() => valueOf('outreach_fail_overs_last_hour{step="domain_purchase"}'))
      .toEqual(['0']);
    const seconds = async (name: string) => Number((await valueOf(name))[0]);
    await expect
      .poll(() => seconds('outreach_operations_blocked_oldest_seconds'))
      .toBeGreaterThan(590);
    const kind = 'outreach_reconcile_findings{kind="orphan_server"}';
    await expect.poll(() => valueOf(kind)).toEqual(['1']);
    const age = 'outreach_reconcile_age_seconds{book="vps/hetzner"}';
    await expect.poll(() => seconds(age)).toBeGreaterThan(590);
    const refused = 'outreach_reconcile_refused{book="vps/hetzner",error="auth"}';
    await expect.poll(() => valueOf(refused)).toEqual(['1']);
  });
});

describe('a scrape', () => {
  it('ends in time while Postgres hangs, says so, and takes no connection after the other', async () => {
    const { hostname, port } = new URL(database.url);
    expect(hostname).toMatch(/^(127\.0\.0\.1|localhost)$/);
    const link = await startTcpLink(Number(port));
    const url = new URL(database.url);
    url.host = `127.0.0.1:${link.port}`;
    const db = openDatabase(url.href, { poolSize: 10 });
    const ours = new Registry();
    addOperatorGauges(ours, { db, logger: pino({ level: 'silent' }) });
    const scrape = async () => {
      const startedAt = performance.now();
      const text = await ours.metrics();
      return { text, tookMs: performance.now() - startedAt };
    };
    try {
      await expect.poll(async () => (await scrape()).text).toContain('outreach_database_up 1');
      link.break('silent');
      // Not within the second that scrapes share.
      await expect.poll(async () => (await scrape()).text).toContain('outreach_database_up 0');
      const { text, tookMs } = await scrape();
      // Prometheus gives up then.
      expect(tookMs).toBeLessThan(10_000);
      expect(text).toContain('outreach_database_up 0');
      expect(text).not.toMatch(/^outreach_unknown_outcomes \d/m);
      expect(poolSizes(db).total).toBeLessThanOrEqual(5);
      link.heal();
      await expect
        .poll(async () => (await scrape()).text, { timeout: 30_000 })
        .toMatch(/^outreach_unknown_outcomes \d/m);
      await expect.poll(async () => (await scrape()).text).toContain('outreach_database_up 1');
    } finally {
      link.heal();
      await db.destroy();
      await link.close();
    }
  }, 90_000);
});
