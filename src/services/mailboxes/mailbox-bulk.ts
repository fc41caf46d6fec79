/** Up to a hundred mailboxes in one request, each on its own. Choices 27, 58. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
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

/** An entry for which no mailbox was created, and why. */
export interface RefusedMailbox {
  email: string;
  code: string;
  error: string;
}

/** How many workflows are started at once. */
const STARTS_AT_ONCE = 10;

/**
 * A failing entry does not stop the others. Waits 25 s for all of them together; slower ones are
 * returned as they are. `requestKey`: a repeat returns the mailboxes of the first request.
 */
export async function createMailboxes(
  context: Needs,
  userId: string,
  { clusterId, orders }: { clusterId: number; orders: readonly MailboxOrder[] },
  requestKey?: string,
): Promise<{ created: NewMailbox[]; failed: RefusedMailbox[] }> {
  const cluster = await getReadyCluster(context, userId, clusterId);
  noteChange({ resourceId: null, after: { clusterId, emails: orders.map(({ email }) => email) } });
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
    // What is not started now, the reconciler starts.
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
      // Deleted meanwhile, or after the request that this one repeats.
      failed.push(refusal(email, error));
    }
  }
  return created;
}

/** Other errors belong to no single entry: they fail the request. */
function refusal(email: string, error: unknown): RefusedMailbox {
  if (!(error instanceof OutreachError)) throw error;
  return { email, code: error.code, error: error.message };
}
