/** Lead lists: groups of companies and their people. Spec: Lead lists; choices 3, 4. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { AUDITED_FIELDS, difference, told } from '../../domain/accounts/audited-values.ts';
import {
  findCountedLeadList,
  findUserLeadList,
  insertLeadList,
  listLeadLists as listLeadListRows,
  updateLeadList,
  type CountedLeadList,
} from '../../db/leads/lead-lists.ts';
import { deleteLeadList as deleteLeadListRow } from '../../transactions/delete-lead-list.ts';
import { hideListPortion, LIST_PORTION, removeListPortion } from '../../db/leads/list-deletions.ts';
import { insertOperation, type Operation } from '../../db/operations/operations.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import type { Database } from '../../db/tables.ts';
import { causesOf, isDatabaseDown } from '../../domain/database-down.ts';
import { notFound, OutreachError } from '../../domain/errors.ts';
import { deleteLeadListFlow } from '../../domain/leads/flows.ts';
import { ACTOR } from '../accounts/actors.ts';
import { paceOf } from '../operations/operations.ts';

export type LeadListRow = CountedLeadList;

type Needs = Pick<Context, 'db'>;

export async function createLeadList(
  context: Needs,
  userId: string,
  list: { name: string; description?: string | null | undefined },
): Promise<CountedLeadList> {
  const { name, description = null } = list;
  const row = await commitOnce(context.db, async (trx) => {
    const inserted = await insertLeadList(trx, { userId, name, description, source: 'api' });
    noteChange({ resourceId: inserted.id, after: told(AUDITED_FIELDS.leadList, inserted) });
    return inserted;
  });
  return { ...row, companies_count: 0, leads_count: 0 };
}

export async function getUserLeadList(
  context: Needs,
  userId: string,
  id: number,
): Promise<CountedLeadList> {
  const list = await findCountedLeadList(context.db, userId, id);
  if (!list) throw notFound('lead list');
  return list;
}

/** Checks only that the list is the user's, without counting what is in it. */
export async function assertUserLeadList(
  context: Needs,
  userId: string,
  id: number,
): Promise<void> {
  if (!(await findUserLeadList(context.db, userId, id))) throw notFound('lead list');
}

export const listLeadLists = (
  context: Needs,
  userId: string,
  page: { limit: number; offset: number },
) => listLeadListRows(context.db, userId, page);

export async function changeLeadList(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  changes: { name?: string | undefined; description?: string | null | undefined },
): Promise<CountedLeadList> {
  await commitOnce(context.db, async (trx) => {
    const before = await findUserLeadList(trx, userId, id);
    const isFound = await updateLeadList(trx, { userId, id }, changes);
    if (!before || !isFound) throw notFound('lead list');
    const after = (await findUserLeadList(trx, userId, id))!;
    noteChange(difference(AUDITED_FIELDS.leadList, before, after));
  });
  return getUserLeadList(context, userId, id);
}

/** A concurrent import may win a deadlock once or twice. */
const MAX_DEADLOCKS = 3;

type Deleting = Pick<Context, 'db' | 'config' | 'startOperation'>;

/**
 * Spec: DELETE /v1/lead-lists/:id, cascade. The list and all in it are invisible when this returns; the
 * rows of a big one (10,000) are removed by a job. 500 `LEAD_LIST_DELETE_ERROR` when it could not be
 * deleted; then nothing of it is.
 */
export async function deleteLeadList(
  context: Deleting,
  userId: string,
  id: number,
): Promise<{ companies: number; leads: number }> {
  for (let tries = 1; ; tries++) {
    try {
      const { operation, ...deleted } = await commitOnce(context.db, (trx) =>
        deleteWithin(context, trx, { userId, id }),
      );
      if (operation) {
        await removeAtOnce(context, id, deleted);
        await context.startOperation(operation);
      }
      return deleted;
    } catch (error) {
      if (isDeadlock(error) && tries < MAX_DEADLOCKS) continue;
      if (error instanceof OutreachError || isDatabaseDown(error)) throw error;
      const words = 'The lead list could not be deleted';
      throw Object.assign(new OutreachError('internal', 'LEAD_LIST_DELETE_ERROR', words), {
        cause: error,
      });
    }
  }
}

/** Portions that a request removes itself, in a fraction of a second; then the job finds nothing to do. */
const PORTIONS_AT_ONCE = 5;

async function removeAtOnce(
  { db }: Deleting,
  id: number,
  { companies, leads }: { companies: number; leads: number },
): Promise<void> {
  const isSmall = companies + leads <= PORTIONS_AT_ONCE * LIST_PORTION;
  try {
    if (!isSmall) {
      await hideListPortion(db, id);
      return;
    }
    // One more, because the last portion is recognised by being empty.
    for (let portions = 0; portions <= PORTIONS_AT_ONCE; portions += 1) {
      if ((await removeListPortion(db, id)).isDone) return;
    }
  } catch {
    // The list is already invisible; the job removes what is left.
  }
}

async function deleteWithin(
  context: Deleting,
  trx: Transaction<Database>,
  { userId, id }: { userId: string; id: number },
): Promise<{ companies: number; leads: number; operation?: Operation }> {
  const list = await findUserLeadList(trx, userId, id);
  const deleted = await deleteLeadListRow(trx, userId, id);
  if (!list || !deleted) throw notFound('lead list');
  const { isRemoving, ...counts } = deleted;
  noteChange({ before: { ...told(AUDITED_FIELDS.leadList, list), ...counts } });
  if (!isRemoving) return counts;
  const input = { leadListId: id, pace: paceOf(context) };
  const operation = await insertOperation(trx, deleteLeadListFlow, input, {
    userId,
    summary: `Remove the ${counts.leads} leads of a list`,
    requested: { actor: ACTOR.user(userId), reason: 'deleted' },
  });
  return { ...counts, operation };
}

const isDeadlock = (error: unknown): boolean =>
  causesOf(error).some(({ code }) => code === '40P01');
