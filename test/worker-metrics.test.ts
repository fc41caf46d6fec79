/** What a worker tells: its metrics while Postgres is down, and the SDK's lines in our form. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Runtime } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { redaction } from '../src/telemetry/logger.ts';
import { serveWorkerMetrics } from '../src/telemetry/worker-metrics.ts';
import { servedRoles } from '../src/temporal/temporal-workers.ts';
import { endRuntime } from './support/workflows/workflow-code.ts';

const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
    done();
  },
});
const logger = pino({ level: 'info', redact: redaction }, sink);
// Nobody listens there.
const db = openDatabase('postgres://127.0.0.1:9/none', { poolSize: 1 });
let server: Server;
let isReady = false;
const serves = { mode: 'live' as const, roles: servedRoles(['mail', 'webhooks']) };

beforeAll(async () => {
  // A worker process has none before; this one may have run other files.
  await endRuntime();
  server = await serveWorkerMetrics(
    { db, logger },
    { port: 0, host: '127.0.0.1', serves, isReady: () => isReady },
  );
});
afterAll(async () => {
  server.close();
  await db.destroy();
  await endRuntime();
});

describe('the metrics of a worker', () => {
  it('are there before it polls, and /ready tells when it does', async () => {
    const { port } = server.address() as AddressInfo;
    const statusOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const rolesTold = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return text.split('\n').filter((line) => line.startsWith('outreach_worker_role{'));
    };
    expect([await statusOf('/metrics'), await statusOf('/ready')]).toEqual([200, 503]);
    expect(await rolesTold()).toEqual([]);
    isReady = true;
    expect(await statusOf('/ready')).toBe(200);
    expect(await rolesTold()).toEqual([
      'outreach_worker_role{role="mail",mode="live"} 1',
      'outreach_worker_role{role="webhooks",mode="live"} 1',
    ]);
  });

  it('are there while Postgres is down, without what it would have told', async () => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('process_cpu_user_seconds_total');
    expect(text).not.toMatch(/^outreach_operations_blocked\{/m);
  });
});

describe('what the SDK logs', () => {
  it('is one line of ours, with the error and without secrets', async () => {
    const error = new Error('the vendor said no');
    const facts = { workflowId: 'cluster/7/1', taskToken: 't0ken', password: 'p4ss', error };
    Runtime.instance().logger.warn('Activity failed', facts);
    await expect.poll(() => lines.at(-1)?.msg).toBe('Activity failed');
    expect(lines.at(-1)).toMatchObject({
      level: 40,
      workflowId: 'cluster/7/1',
      err: { message: 'the vendor said no' },
      taskToken: '[secret]',
      password: '[secret]',
    });
  });

  it('is left out below the level of ours', async () => {
    Runtime.instance().logger.debug('Workflow started');
    Runtime.instance().logger.info('Worker state changed');
    await expect.poll(() => lines.at(-1)?.msg).toBe('Worker state changed');
    expect(lines.some(({ msg }) => msg === 'Workflow started')).toBe(false);
  });
});
