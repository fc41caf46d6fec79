/** `outreach ops retry-all` against a real Temporal server; the test plays the workflows. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { startTemporal } from '../support/workflows/temporal.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addProvisioning } from '../support/workflows/operations.ts';

let database: TestDatabase;
let temporal: TestWorkflowEnvironment;
let userId: string;
let count = 0;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startTemporal()]);
  userId = await userWith(database.db);
});

afterAll(async () => {
  await database?.close();
  await temporal?.teardown();
});

interface Waiting {
  id: number;
  workflowId: string;
  step: string;
}

/** An operation that waits for a person; `isGone` is one whose workflow Temporal does not have. */
async function waitingAt(step: string, vendor: string, isGone = false): Promise<Waiting> {
  const { db } = database;
  count += 1;
  const workflowId = `waiting/${count}`;
  const { id } = await addProvisioning(db, userId, {
    workflowId,
    resourceId: count,
    steps: [{ name: step, state: 'blocked' }],
  });
  await block({ id, workflowId, step }, [vendor]);
  if (!isGone) {
    await temporal.client.workflow.start('nobody', { workflowId, taskQueue: 'none' });
  }
  return { id, workflowId, step };
}

async function block({ id, step }: Waiting, vendors: string[]): Promise<void> {
  const reason = 'the token is not accepted';
  await insertOperationEvent(database.db, {
    operationId: id,
    kind: 'blocked',
    step,
    actor: 'system',
    reason,
    detail: { actions: ['retry'], vendors },
  });
  await sql`update operations set state = 'blocked', step = ${step}, blocked_at = now(),
    started_at = now(), error_code = 'PROVIDER_AUTH', error_message = ${reason}
    where id = ${id}`.execute(database.db);
}

/** What the workflow does once it has heard. */
async function goOn(waiting: Waiting): Promise<void> {
  const { id, step } = waiting;
  await untilSignalled(waiting);
  await sql`update operations set state = 'running', blocked_at = null, error_code = null
    where id = ${id}`.execute(database.db);
  const event = { operationId: id, step, actor: 'operator:ann', reason: 'renewed' };
  await insertOperationEvent(database.db, { ...event, kind: 'resolved' });
}

/** Nothing can change any more: there is no need to look on. */
const end = ({ id }: Waiting) =>
  sql`update operations set finished_at = now() where id = ${id}`.execute(database.db);

async function untilSignalled({ workflowId }: Waiting): Promise<void> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  for (;;) {
    const { events } = await handle.fetchHistory();
    if (events?.some((event) => event.workflowExecutionSignaledEventAttributes)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What has been dealt with is out of the way of the next test. */
const finish = () =>
  sql`update operations set finished_at = now(), blocked_at = null`.execute(database.db);

async function retryAll(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(['ops', 'retry-all', '--reason', 'renewed', ...argv], {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    environment: { DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporal.address },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('outreach ops retry-all', { timeout: 60_000 }, () => {
  it('resumes what a vendor stopped at whichever step, and nothing else', async () => {
    const ours = [
      await waitingAt('domain_purchase', 'namecom'),
      await waitingAt('dns_setup', 'namecom'),
    ];
    await waitingAt('server_create', 'hetzner');
    const [done] = await Promise.all([
      retryAll('--provider', 'namecom', '--json', '--wait', '60'),
      ...ours.map((one) => goOn(one).then(() => end(one))),
    ]);
    expect(done.code).toBe(0);
    const result = JSON.parse(done.out) as { resumed: number[] };
    expect(result).toMatchObject({
      step: null,
      provider: 'namecom',
      found: 2,
      silent: [],
      gone: [],
    });
    expect(result.resumed.toSorted((a, b) => a - b)).toEqual(ours.map(({ id }) => id));
    await finish();
  });

  it('says what it skips, and why', async () => {
    const { id } = await waitingAt('dns_setup', 'namecom');
    // As where Temporal was reset under a version that did not hear it.
    await sql`update operations set step = 'verify' where id = ${id}`.execute(database.db);
    const done = await retryAll('--provider', 'namecom', '--wait', '0');
    expect(done.out).toContain('0 blocked by namecom: 0 resumed.');
    expect(done.out).toContain(`Skipped ${id}: it waits at dns_setup, its row said verify`);
    await finish();
  });

  it('ends with 5 and the reason when some are blocked again', async () => {
    const [well, ill] = [
      await waitingAt('dns_setup', 'namecom'),
      await waitingAt('verify', 'namecom'),
    ];
    const relapse = async () => {
      await goOn(ill);
      await block({ ...ill, step: 'dns_setup' }, ['namecom']);
    };
    const [done] = await Promise.all([
      retryAll('--provider', 'namecom', '--wait', '60'),
      goOn(well).then(() => end(well)),
      relapse(),
    ]);
    expect(done).toMatchObject({
      code: 5,
      err: expect.stringContaining('1 of 2 resumed are blocked again.'),
    });
    expect(done.out).toContain('2 blocked by namecom: 2 resumed.');
    expect(done.out).toMatch(
      new RegExp(`^${ill.id} +dns_setup +PROVIDER_AUTH: the token is not accepted$`, 'm'),
    );
    await finish();
  });

  it('ends with 5 where a workflow is gone', async () => {
    const { id } = await waitingAt('dns_setup', 'namecom', true);
    const done = await retryAll('--step', 'dns_setup');
    expect(done).toMatchObject({
      code: 5,
      err: expect.stringContaining(`the reconciler takes care of them: ${id}`),
    });
    await finish();
  });

  it('looks for a bounded time only', async () => {
    expect((await retryAll('--step', 'verify', '--wait', '601')).code).toBe(2);
    expect((await retryAll('--step', 'verify', '--wait', '-1')).code).toBe(2);
  });
});
