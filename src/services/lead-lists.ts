/** Lead lists: groups of companies and their people. Spec: Lead lists; choices 3, 4. */
import type { Context } from '../context.ts';
import {
  deleteLeadList as deleteLeadListRow,
  findCountedLeadList,
  findUserLeadList,
  insertLeadList,
  listLeadLists as listLeadListRows,
  updateLeadList,
  type CountedLeadList,
} from '../db/lead-lists.ts';
import { commitOnce } from '../db/request-effects.ts';
import { causesOf, isDatabaseDown } from '../domain/database-down.ts';
import { notFound, OutreachError } from '../domain/errors.ts';

export type LeadListRow = CountedLeadList;

type Needs = Pick<Context, 'db'>;

export async function createLeadList(
  context: Needs,
  userId: string,
  list: { name: string; description?: string | null | undefined },
): Promise<CountedLeadList> {
  const { name, description = null } = list;
  const row = await commitOnce(context.db, (trx) =>
    insertLeadList(trx, { userId, name, description, source: 'api' }),
  );
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

/** Only that the list is the user's, without counting what is in it. */
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
  if (!(await updateLeadList(context.db, { userId, id }, changes))) throw notFound('lead list');
  return getUserLeadList(context, userId, id);
}

/** An import that began at the same moment may win once or twice. */
const MAX_DEADLOCKS = 3;

/**
 * Spec: DELETE /v1/lead-lists/:id, cascade. 500 `LEAD_LIST_DELETE_ERROR` when it could not be
 * deleted; then nothing of it is.
 */
export async function deleteLeadList(
  context: Needs,
  userId: string,
  id: number,
): Promise<{ companies: number; leads: number }> {
  for (let tries = 1; ; tries++) {
    try {
      const deleted = await context.db
        .transaction()
        .execute((trx) => deleteLeadListRow(trx, userId, id));
      if (!deleted) throw notFound('lead list');
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

const isDeadlock = (error: unknown): boolean =>
  causesOf(error).some(({ code }) => code === '40P01');
