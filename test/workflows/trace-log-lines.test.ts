/** Log lines of workflows and activities tell which request and which trace they belong to. */
import { Writable } from 'node:stream';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACTIVITY_QUEUE } from '../../src/domain/operations/queues.ts';
import { formatTraceParent } from '../../src/domain/operations/trace-carrier.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { sdkLogger } from '../../src/telemetry/worker-metrics.ts';
import { carryTrace, traceActivities, traceSinks } from '../../src/temporal/trace-calls.ts';
import { withOrigin } from '../../src/tracing/origin.ts';
import { recordSpans } from '../support/tracing/recorded-spans.ts';
import { startTemporal } from '../support/workflows/temporal.ts';
import { endRuntime, workflowCode } from '../support/workflows/workflow-code.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
/** One worker for workflow and activities. */
const taskQueue = ACTIVITY_QUEUE;

const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
    done();
  },
});
const logger = createLogger({ level: 'debug', name: 'worker' }, sink);
let temporal: TestWorkflowEnvironment;

beforeAll(async () => {
  // In place of the tests' own, which says nothing.
  await endRuntime();
  temporal = await startTemporal(() =>
    Runtime.install({
      logger: sdkLogger(logger),
      telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
      shutdownSignals: [],
    }),
  );
});
afterAll(async () => {
  await temporal?.teardown();
  await endRuntime();
});

/** A run whose first activity fails once and writes a line in each attempt. */
async function runOne(requestId: string): Promise<void> {
  let attempts = 0;
  const activities = {
    readMailReports: async () => {
      attempts += 1;
      logger.info('reports are read');
      if (attempts === 1) throw new Error('not yet');
      return { nextId: null, found: 0 };
    },
    pruneMailReports: async () => ({ deleted: 0 }),
  };

  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { code: await workflowCode() },
    activities,
    interceptors: { activity: [traceActivities] },
    sinks: traceSinks,
  });
  const client = new Client({
    connection: temporal.connection,
    interceptors: { workflow: [carryTrace] },
  });
  const traceparent = formatTraceParent({ traceId: TRACE, spanId: 'b7ad6b7169203331', flags: 1 });
  const pace = { retryPace: 0.02, heartbeatSeconds: 10, blockedTimeoutSeconds: 60 };
  const run = () =>
    client.workflow.execute('readMailReports', {
      taskQueue,
      workflowId: requestId,
      args: [{ pace }],
    });
  await worker.runUntil(withOrigin({ requestId, traceparent }, run));
  await connection.close();
}

/** Of a workflow, of an activity, and what the SDK says of one; that they start it says before it knows more. */
const SAID = ['Workflow completed', 'reports are read', 'Activity failed'];

it.each([
  ['request-while-traced', true],
  ['request-untraced-here', false],
])('name request and trace: %s', { timeout: 120_000 }, async (requestId, isTraced) => {
  const recording = isTraced ? await recordSpans() : undefined;
  await runOne(requestId);
  await recording?.stop();
  for (const msg of SAID) {
    const said = lines.filter((line) => line.msg === msg && line.requestId === requestId);
    expect(said).not.toEqual([]);
    // A line of ours is of a trace while this process records it; those of the SDK name what was handed on.
    if (!isTraced && msg === 'reports are read') continue;
    for (const line of said) expect(line).toMatchObject({ traceId: TRACE });
  }
  // None that belongs to the run is without: all others are of no run.
  const silent = lines.filter((line) => SAID.includes(String(line.msg)) && !line.requestId);
  expect(silent).toEqual([]);
});
