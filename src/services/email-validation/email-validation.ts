/** E-mail validation: one address at once, many as a job. Choices 28, 29, 59. */
import type { Transaction } from 'kysely';
import pTimeout from 'p-timeout';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  endJob,
  findUserJob,
  insertBulkJob,
  insertListJob,
  listUserJobs,
  lockUserJob,
  type EmailValidationJob,
} from '../../db/email-validation/email-validation-jobs.ts';
import {
  listItems,
  type EmailValidationItem,
} from '../../db/email-validation/email-validation-items.ts';
import { listErasedKeys } from '../../db/suppressions/erased-keys.ts';
import { lockUserLeadList } from '../../db/leads/lead-lists.ts';
import { lockAccountLeads } from '../../db/leads/lead-locks.ts';
import { findLatestOperation, insertOperation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import type { EmailCheck, EmailStatus } from '../../domain/email-validation/email-check.ts';
import type { EmailValidationStatus } from '../../domain/email-validation/email-validation.ts';
import { verifyEmailsFlow } from '../../domain/email-validation/flows.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { emailKey } from '../../domain/leads/lead-keys.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { AWAIT_END_MS, paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

/** A slow mail server must not block the request: after this the answer is `pending`. */
const MAX_WAIT_MS = AWAIT_END_MS;

/** A job that was created now, or by an earlier request with the same key. */
interface Started {
  job: EmailValidationJob;
  workflowId: string;
}

/**
 * Choice 59. Undefined: no result in time. The check goes on and its result is cached, so that a repeat
 * gets it.
 */
export async function validateEmail(
  context: Pick<Context, 'emailChecker' | 'logger'>,
  email: string,
  maxWaitMs = MAX_WAIT_MS,
): Promise<EmailCheck | undefined> {
  const checking = context.emailChecker.check([email]);
  // A late failure has no request to be answered with.
  checking.catch((err: unknown) => context.logger.warn({ err }, 'an e-mail check failed'));
  const inTime = pTimeout(checking, { milliseconds: maxWaitMs, fallback: () => undefined });
  return (await inTime)?.get(email);
}

/**
 * Choice 29. With a list, its leads that have one of the addresses get the results, too. The address of
 * an erased person is neither stored nor checked: its result is `unknown`, reason `erased`.
 */
export const startBulkValidation = (
  context: Needs,
  userId: string,
  order: {
    emails: readonly string[];
    leadListId?: number | undefined;
    requestKey?: string | undefined;
  },
): Promise<Started> =>
  start(context, userId, order.requestKey, async (trx) => {
    const { leadListId = null } = order;
    // A concurrent erasure must not miss the addresses.
    await lockAccountLeads(trx, userId);
    if (leadListId !== null && !(await lockUserLeadList(trx, userId, leadListId))) {
      throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
    }
    const emails = order.emails.map((email) => ({ email, key: emailKey(email) }));
    const erased = await listErasedKeys(
      trx,
      userId,
      emails.flatMap(({ key }) => (key === null ? [] : [`email:${key}`])),
    );
    return insertBulkJob(trx, {
      userId,
      leadListId,
      emails: emails.map((each) => ({ ...each, isErased: erased.has(`email:${each.key}`) })),
    });
  });

/** Validates all leads of a list that have an address. */
export const startListValidation = (
  context: Needs,
  userId: string,
  order: { leadListId: number; requestKey?: string | undefined },
): Promise<Started> =>
  start(context, userId, order.requestKey, async (trx) => {
    const { leadListId } = order;
    if (!(await lockUserLeadList(trx, userId, leadListId))) throw notFound('lead list');
    return insertListJob(trx, { userId, leadListId });
  });

async function start(
  context: Needs,
  userId: string,
  requestKey: string | undefined,
  insert: (trx: Transaction<Database>) => Promise<EmailValidationJob>,
): Promise<Started> {
  const operation = await orderOnce(context, { userId, requestKey }, async (trx) => {
    const job = await insert(trx);
    const { total, lead_list_id: leadListId } = job;
    noteChange({ resourceId: job.id, after: { total, leadListId } });
    const input = { jobId: job.id, pace: paceOf(context) };
    return insertOperation(trx, verifyEmailsFlow, input, {
      userId,
      summary: `Validate ${job.total} e-mail addresses`,
      requested: { actor: ACTOR.user(userId), reason: 'created' },
      requestKey,
    });
  });
  const job = await getValidation(context, userId, operation.resource_id);
  return { job, workflowId: workflowIdOf(operation) };
}

export async function getValidation(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<EmailValidationJob> {
  const job = await findUserJob(context.db, userId, id);
  if (!job) throw notFound('email validation');
  return job;
}

export const listValidations = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: {
    status?: EmailValidationStatus | undefined;
    leadListId?: number | undefined;
    limit: number;
    offset: number;
  },
) => listUserJobs(context.db, userId, page);

export async function listValidationResults(
  context: Pick<Context, 'db'>,
  { userId, id }: { userId: string; id: number },
  page: { status?: EmailStatus | undefined; limit: number; offset: number },
): Promise<{ rows: EmailValidationItem[]; total: number }> {
  const job = await getValidation(context, userId, id);
  return { rows: await listItems(context.db, job.id, page), total: resultsOf(job, page.status) };
}

/** As the job counts them: reading all to count them takes as long as there are many. */
function resultsOf(job: EmailValidationJob, status: EmailStatus | undefined): number {
  if (status === undefined) return job.total;
  if (status !== 'pending') return job[status];
  return job.total - job.valid - job.risky - job.invalid - job.unknown;
}

/** Keeps existing results. Repeating it is a no-op; a finished job stays as it is. Choice 19. */
export async function cancelValidation(
  context: Needs,
  userId: string,
  id: number,
): Promise<EmailValidationJob> {
  await commitOnce(context.db, async (trx) => {
    const job = await lockUserJob(trx, userId, id);
    if (!job) throw notFound('email validation');
    if (job.status === 'cancelled') return;
    if (job.status !== 'processing') {
      throw invalid('INVALID_STATE', `A validation that is ${job.status} cannot be cancelled`);
    }
    noteChange({ before: { status: job.status }, after: { status: 'cancelled' } });
    await endJob(trx, id, { status: 'cancelled' });
    const operation = await findLatestOperation(trx, 'email_validation', id);
    if (operation) await tellJob(context, trx, operation, 'cancel');
  });
  return getValidation(context, userId, id);
}
