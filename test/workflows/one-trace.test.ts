/** One trace: from the request that orders a cluster to the last statement, through a fault and its retry. */
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getOperation, type Operation } from '../../src/db/operations/operations.ts';
import {
  findOperationReport,
  type OperationReport,
} from '../../src/db/operations/operator-views.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { parseTraceParent, TRACE_HEADER } from '../../src/domain/operations/trace-carrier.ts';
import { traceSinks } from '../../src/temporal/trace-calls.ts';
import { createDataConverter } from '../../src/temporal/payload-codec.ts';
import { workflowCode } from '../support/workflows/workflow-code.ts';
import { registrarAccounts } from '../../src/sandbox/registrar-accounts.ts';
import type { Context } from '../../src/context.ts';
import { startTestApi, type CallOptions, type TestApi } from '../support/api/api.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { recordSpans, type RecordedSpan } from '../support/tracing/recorded-spans.ts';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

const REQUEST_ID = 'request-of-the-trace-7';
/** Where it is in a span, somebody could read it there. */
const CANARY = 'canary-a1b2c3';
const TRACE_OF_THE_CLIENT = '0af7651916cd43dd8448eb211c80319c';

let world: ProvisioningWorld;
let spans: RecordedSpan[];
let text: string;
let secrets: string[];
/** Ordered by a request. */
let operation: Operation;
/** Ordered while Temporal was away, and started by somebody else later. */
let late: Operation;
let details: string | undefined;
let report: OperationReport | undefined;
let history: History;

beforeAll(async () => {
  const recording = await recordSpans();
  world = await startProvisioningWorld();
  const { context, sandbox } = world;
  // Each API has counters of its own.
  const { httpStores: _, ...shared } = context;
  const apiOf = (startOperation: Context['startOperation']) =>
    startTestApi({
      database: { db: context.db, url: world.database.url },
      context: { ...shared, startOperation },
    });
  const api = await apiOf(context.startOperation);
  const apiWithoutTemporal = await apiOf(async () => false);
  await sandbox.control('POST', '/faults', {
    vendor: 'namecom',
    operation: 'POST /domains/{domainName}/records',
    kind: 'error_500',
    times: 1,
  });
  const userId = await world.fundedUser(10_000);
  const token = await api.jwt(userId);
  const headers = {
    'x-request-id': REQUEST_ID,
    traceparent: `00-${TRACE_OF_THE_CLIENT}-b7ad6b7169203331-01`,
    'user-agent': CANARY,
  };
  operation = await order(api, { token, headers, body: { domain: 'one-trace.com' } });
  details = await endOf(operation);
  report = await findOperationReport(context.db, operation.id);
  history = await context.temporal.workflow.getHandle(workflowIdOf(operation)).fetchHistory();

  const later = { domain: 'later-trace.com', useExistingVps: true };
  const laterHeaders = { 'x-request-id': 'request-while-temporal-is-down' };
  late = await order(apiWithoutTemporal, { token, headers: laterHeaders, body: later });
  await context.startOperation(late);
  await endOf(late);

  await api.call('GET', `/v1/clusters?search=${CANARY}`, { token });
  await api.call('POST', '/v1/suppressions', { token, body: { email: `${CANARY}@a.test` } });
  await api.close();
  await apiWithoutTemporal.close();
  await world.close();
  spans = await recording.stop();
  text = recording.text();
  const { NAMECOM_TOKEN = '' } = registrarAccounts(sandbox.url);
  secrets = [CANARY, token, NAMECOM_TOKEN, 'hetzner-sandbox-token'];
}, 180_000);

async function order(api: TestApi, options: CallOptions): Promise<Operation> {
  const answer = await api.call('POST', '/v1/clusters/create', options);
  const requestId = options.headers!['x-request-id'];
  expect(answer).toMatchObject({ status: 201, body: { meta: { requestId } } });
  const { operation_id } = await getCluster(world.context.db, answer.body.data.id as number);
  return getOperation(world.context.db, operation_id!);
}

/** Waits for its workflow, and answers what Temporal's UI shows of it. */
async function endOf(one: Operation): Promise<string | undefined> {
  const handle = world.context.temporal.workflow.getHandle(workflowIdOf(one));
  await handle.result();
  return (await handle.describe()).staticDetails();
}

const traceOf = ({ trace_parent }: Operation) => parseTraceParent(trace_parent)!.traceId;

/** Of the operation's trace, in the order in which they began. */
const spansOf = (one: Operation) =>
  spans
    .filter(({ traceId }) => traceId === traceOf(one))
    .toSorted((a, b) => a.startedAt - b.startedAt);

/** Its own name and those of all that it is part of. */
function chainOf(span: RecordedSpan): string[] {
  const parent = spans.find(({ id }) => id === span.parentId);
  return [span.name, ...(parent ? chainOf(parent) : [])];
}

const ORDERED = [
  'RunWorkflow:provisionCluster',
  'StartWorkflow:provisionCluster',
  'operation provisionCluster',
  'POST /v1/clusters/create',
];

describe('the trace of a cluster', () => {
  it('is one: every span of it leads to the request', () => {
    const roots = spansOf(operation).filter(({ parentId }) => parentId === undefined);
    expect(roots.map(({ name }) => name)).toEqual(['POST /v1/clusters/create']);
    for (const span of spansOf(operation)) {
      expect(chainOf(span).at(-1)).toBe('POST /v1/clusters/create');
    }
  });

  it.each([
    ['the request', 'INSERT clusters', ['POST /v1/clusters/create']],
    ['its operation', 'INSERT operations', ORDERED.slice(2)],
    ['an activity', 'RunActivity:registerDomain', ORDERED],
    ['a registrar’s API', 'namecom POST', ['RunActivity:registerDomain', ...ORDERED]],
    ['a server vendor’s API', 'hetzner POST', ['RunActivity:orderServer', ...ORDERED]],
    ['SQL', 'UPDATE servers', ['RunActivity:orderServer', ...ORDERED]],
    ['SSH', 'SSH outreach-mail install', ['RunActivity:installMailHost', ...ORDERED]],
    ['SMTP', 'SMTP connect', ['RunActivity:probeMailHost', ...ORDERED]],
    ['IMAP', 'IMAP connect', ['RunActivity:probeMailHost', ...ORDERED]],
  ])('shows %s where it belongs', (_what, name, parents) => {
    const chains = spansOf(operation)
      .filter((span) => span.name === name)
      .map((span) => chainOf(span).slice(1));
    expect(chains).toContainEqual(parents);
  });

  it('shows the fault in its attempt, and the attempt that went well beside it', () => {
    const attempts = spansOf(operation).filter(
      ({ attributes }) => attributes['temporal.activity.id'] === 'dns_setup.publish',
    );
    expect(attempts.map(({ error }) => error)).toEqual(['ProviderUnavailable', undefined]);
    expect(attempts.map(({ attributes }) => attributes['temporal.activity.attempt'])).toEqual([
      1, 2,
    ]);
    const [first, second] = attempts;
    expect(first!.parentId).toBe(second!.parentId);
    const failed = spansOf(operation).filter(
      ({ name, error }) => name === 'namecom POST' && error === '500',
    );
    expect(failed.map(({ parentId }) => parentId)).toEqual([first!.id]);
  });

  it('stands in the row and in what Temporal shows, with the request', () => {
    expect(operation.request_id).toBe(REQUEST_ID);
    expect(details).toContain(`Request: \`${REQUEST_ID}\``);
    expect(details).toContain(`Trace: \`${traceOf(operation)}\``);
    expect(report).toMatchObject({ requestId: REQUEST_ID, traceId: traceOf(operation) });
  });

  it('is no part of what is replayed: a run without its headers has the same commands', async () => {
    const build = {
      workflowBundle: { code: await workflowCode() },
      dataConverter: createDataConverter(world.context.config),
      sinks: traceSinks,
    };
    await expect(Worker.runReplayHistory(build, history)).resolves.toBeUndefined();
    const bare = Worker.runReplayHistory(build, withoutHeaders(history));
    await expect(bare).resolves.toBeUndefined();
  });

  it('is ours: a client’s own trace is linked, not joined', () => {
    const [root] = spansOf(operation);
    expect(root!.links).toEqual([TRACE_OF_THE_CLIENT]);
    expect(spans.filter(({ traceId }) => traceId === TRACE_OF_THE_CLIENT)).toEqual([]);
  });

  it('is the request’s own where somebody else starts the workflow later', () => {
    expect(traceOf(late)).not.toBe(traceOf(operation));
    const activities = spansOf(late).filter(({ name }) => name.startsWith('RunActivity:'));
    expect(activities.length).toBeGreaterThan(5);
    for (const span of activities) expect(chainOf(span).slice(1)).toEqual(ORDERED);
  });
});

/** As of a run that was ordered before there were traces. */
function withoutHeaders({ events, ...rest }: History): History {
  const [started, ...others] = events!;
  const attributes = started!.workflowExecutionStartedEventAttributes!;
  expect(attributes.header?.fields).toHaveProperty([TRACE_HEADER]);
  const bare = { ...attributes, header: {} };
  return {
    ...rest,
    events: [{ ...started, workflowExecutionStartedEventAttributes: bare }, ...others],
  };
}

describe('a span', () => {
  it('has no secret, no address and no parameter in it', () => {
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/[\w.+-]+@[\w-]+\.\w/);
    expect(text).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY|\?|Bearer/);
  });
});
