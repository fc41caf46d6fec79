/** `outreach ops retry-all` against a real Temporal server; the test plays the workflows. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { insertBulkJob } from '../../src/db/email-validation/email-validation-jobs.ts';
import { nextItems } from '../../src/db/email-validation/email-validation-items.ts';
import { noteWait } from '../../src/db/email-validation/waiting-jobs.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import type { VerifierWait } from '../../src/domain/email-validation/email-validation.ts';
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

const retryAll = (...argv: string[]) =>
  outreach('ops', 'retry-all', '--reason', 'renewed', ...argv);

async function outreach(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(argv, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    environment: { DATABASE_URL: database.url, TEMPORAL_ADDRESS: temporal.address },
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('outreach ops retry-all', { timeout: 120_000 }, () => {
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

  it('lets validations that wait for credits ask again, and those alone', async () => {
    const { db } = database;
    const waiting = async (reason: VerifierWait) => {
      const emails = [{ email: 'ann@acme.test', key: 'ann@acme.test' }];
      const job = { userId, leadListId: null, emails };
      const { id } = await db.transaction().execute((trx) => insertBulkJob(trx, job));
      const now = new Date(Date.now() - 600_000);
      const until = new Date(Date.now() + 7_200_000);
      await db.transaction().execute((trx) => noteWait(trx, id, { reason, until, now }));
      await sql`update email_validation_items set again_at = ${until}, unasked = 3, reason = ${reason},
        status = 'unknown' where job_id = ${id}`.execute(db);
      const workflowId = `validation/${id}`;
      const of = { workflowId, resourceType: 'email_validation' as const, resourceId: id };
      const operation = await addProvisioning(db, userId, of);
      await temporal.client.workflow.start('nobody', { workflowId, taskQueue: 'none' });
      const signals = async () => {
        const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
        return events!.flatMap(
          (event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? [],
        );
      };
      return { id, operationId: operation.id, signals };
    };
    const ours = await waiting('verifier_out_of_credits');
    const other = await waiting('port_25_closed');
    const listed = await outreach('ops', 'list', '--cause', 'verifier_out_of_credits');
    expect(listed.out).toMatch(
      new RegExp(`^${ours.operationId} .*verifier_out_of_credits; asked again at 2`, 'm'),
    );
    expect(listed.out).not.toContain('port_25_closed');
    const numbers = await readOperatorNumbers(db);
    expect(numbers.validationsWaiting).toEqual({ verifier_out_of_credits: 1, port_25_closed: 1 });
    expect(numbers.oldestValidationSeconds).toBeGreaterThan(590);
    const done = await retryAll('--cause', 'verifier_out_of_credits');
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Validations that ask their verifier now: ${ours.id}`),
    });
    expect([await ours.signals(), await other.signals()]).toEqual([['lookNow'], []]);
    const now = new Date(Date.now() + 1_000);
    const due = await nextItems(db, ours.id, { limit: 9, now });
    expect(due.items).toMatchObject([{ unasked: 0 }]);
    const again = await retryAll('--provider', 'zerobounce', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ woken: [other.id], found: 0 });
    await finish();
  });

  it('looks for a bounded time only', async () => {
    expect((await retryAll('--step', 'verify', '--wait', '601')).code).toBe(2);
    expect((await retryAll('--step', 'verify', '--wait', '-1')).code).toBe(2);
  });
});
