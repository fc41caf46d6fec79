/** Placement tests: a workflow sends the message and looks where it landed. Choice 124. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { findLatestOperation } from '../../db/operations/operations.ts';
import {
  listPlacementMessages,
  type PlacementMessage,
} from '../../db/placement/placement-messages.ts';
import { listMailboxEmails, type PlacementTest } from '../../db/placement/placement-tests.ts';
import { AUDITED_FIELDS, told } from '../../domain/accounts/audited-values.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';
import type { PlacementTestOrder, PlacementTestStatus } from '../../domain/placement/placement.ts';
import { orderPlacementTest } from '../../transactions/placement/order-placement-test.ts';
import {
  endPlacementTest,
  findUserPlacementTest,
  listUserPlacementTests,
  lockUserPlacementTest,
} from '../../transactions/placement/placement-tests.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';

type Needs = Pick<Context, 'db' | 'config' | 'startOperation'>;

/** A test with its messages, and the mailbox that sends them. */
export interface PlacementTestView {
  test: PlacementTest;
  mailboxEmail: string;
  messages: PlacementMessage[];
}

/** Writes the rows and starts the workflow. A repeat with the same `requestKey` is answered with the first one. */
export async function startPlacementTest(
  context: Needs,
  userId: string,
  order: PlacementTestOrder,
  requestKey?: string,
): Promise<{ view: PlacementTestView; workflowId: string }> {
  const operation = await orderOnce(context, { userId, requestKey }, async (trx) => {
    const requested = { actor: ACTOR.user(userId), reason: 'created' };
    const request = { userId, order, pace: paceOf(context), requested, requestKey };
    const begun = await orderPlacementTest(trx, request);
    const { id: resourceId } = begun.test;
    noteChange({ resourceId, after: told(AUDITED_FIELDS.placementTest, begun.test) });
    return begun.operation;
  });
  const view = await getPlacementTest(context, userId, operation.resource_id);
  return { view, workflowId: workflowIdOf(operation) };
}

export async function getPlacementTest(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<PlacementTestView> {
  const test = await findUserPlacementTest(db, userId, id);
  if (!test) throw notFound('placement test');
  return (await viewsOf({ db }, [test]))[0]!;
}

export async function listPlacementTests(
  context: Pick<Context, 'db'>,
  userId: string,
  page: { status?: PlacementTestStatus | undefined; limit: number; offset: number },
): Promise<{ views: PlacementTestView[]; total: number }> {
  const { rows, total } = await listUserPlacementTests(context.db, userId, page);
  return { views: await viewsOf(context, rows), total };
}

/** Messages that are sent stay sent. Repeating it is a no-op; a test that has ended stays as it is. */
export async function cancelPlacementTest(
  context: Pick<Context, 'db' | 'temporal'>,
  userId: string,
  id: number,
): Promise<PlacementTestView> {
  await commitOnce(context.db, async (trx) => {
    const test = await lockUserPlacementTest(trx, userId, id);
    if (!test) throw notFound('placement test');
    if (test.status === 'cancelled') return;
    if (test.status !== 'processing') {
      throw invalid('INVALID_STATE', `A test that is ${test.status} cannot be cancelled`);
    }
    noteChange({ before: { status: test.status }, after: { status: 'cancelled' } });
    await endPlacementTest(trx, id, { status: 'cancelled' });
    const operation = await findLatestOperation(trx, 'placement_test', id);
    if (operation) await tellJob(context, trx, operation, 'cancel');
  });
  return getPlacementTest(context, userId, id);
}

async function viewsOf(
  { db }: Pick<Context, 'db'>,
  tests: readonly PlacementTest[],
): Promise<PlacementTestView[]> {
  const [messages, emails] = await Promise.all([
    listPlacementMessages(
      db,
      tests.map(({ id }) => id),
    ),
    listMailboxEmails(
      db,
      tests.map(({ mailbox_id: mailboxId }) => mailboxId),
    ),
  ]);
  return tests.map((test) => ({
    test,
    mailboxEmail: emails.get(test.mailbox_id)!,
    messages: messages.filter(({ test_id: testId }) => testId === test.id),
  }));
}
