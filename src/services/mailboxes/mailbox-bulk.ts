/** Up to a hundred mailboxes in one request, each by itself. Choices 27, 58. */
import type { Context } from '../../context.ts';
import type { Operation } from '../../db/operations/operations.ts';
import { OutreachError } from '../../domain/errors.ts';
import {
  beginCreation,
  getReadyCluster,
  newMailbox,
  type MailboxOrder,
  type NewMailbox,
} from './mailboxes.ts';
import { awaitOperations, operationError } from '../operations/operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'startOperation'>;

/** An entry that became no mailbox, and why. */
export interface RefusedMailbox {
  email: string;
  code: string;
  error: string;
}

/** How many workflows are asked for at once. */
const STARTS_AT_ONCE = 10;

/**
 * What is wrong with one does not stop the others. Waits 25 s for all of them together; what is
 * slower is answered as it is. `requestKey`: a repeat meets the mailboxes of the first one.
 */
export async function createMailboxes(
  context: Needs,
  userId: string,
  { clusterId, orders }: { clusterId: number; orders: readonly MailboxOrder[] },
  requestKey?: string,
): Promise<{ created: NewMailbox[]; failed: RefusedMailbox[] }> {
  const cluster = await getReadyCluster(context, userId, clusterId);
  const failed: RefusedMailbox[] = [];
  const begun: { email: string; operation: Operation }[] = [];
  const seen = new Set<string>();
  for (const order of orders) {
    const { email } = order;
    // A second entry of one request is a duplicate, not a repeat of the first.
    const key = requestKey && !seen.has(email) ? `${requestKey} ${email}` : undefined;
    seen.add(email);
    try {
      const operation = await beginCreation(context, { cluster, order, requestKey: key });
      begun.push({ email, operation });
    } catch (error) {
      failed.push(refusal(email, error));
    }
  }
  const created = await finishAll(context, begun, failed);
  return { created, failed };
}

async function finishAll(
  context: Needs,
  begun: readonly { email: string; operation: Operation }[],
  failed: RefusedMailbox[],
): Promise<NewMailbox[]> {
  for (let from = 0; from < begun.length; from += STARTS_AT_ONCE) {
    const some = begun.slice(from, from + STARTS_AT_ONCE);
    // What is not started now is started by the reconciler.
    await Promise.all(some.map(({ operation }) => context.startOperation(operation)));
  }
  const ids = begun.map(({ operation }) => operation.id);
  const ended = await awaitOperations(context, ids);
  const created: NewMailbox[] = [];
  for (const { email, operation } of begun) {
    const end = ended.get(operation.id)!;
    if (end.state === 'failed') {
      failed.push(refusal(email, operationError(end)));
      continue;
    }
    try {
      created.push(await newMailbox(context, operation));
    } catch (error) {
      // Deleted meanwhile, or since the request that this one repeats.
      failed.push(refusal(email, error));
    }
  }
  return created;
}

/** Other errors are nobody's order's: they end the request. */
function refusal(email: string, error: unknown): RefusedMailbox {
  if (!(error instanceof OutreachError)) throw error;
  return { email, code: error.code, error: error.message };
}
