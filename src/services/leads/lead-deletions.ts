/** Deleting leads. Choice 18. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { deleteLeads as deleteLeadRows, findLeadCompanies } from '../../db/leads/leads.ts';
import { notFound } from '../../domain/errors.ts';

type Needs = Pick<Context, 'db'>;

export async function deleteLead(context: Needs, userId: string, id: number): Promise<void> {
  await commitOnce(context.db, async (trx) => {
    const [lead] = await findLeadCompanies(trx, userId, [id]);
    const deleted = await deleteLeadRows(trx, userId, [id]);
    if (deleted.length === 0) throw notFound('lead');
    noteChange({ before: { companyId: lead?.company_id ?? null } });
  });
}

/** Deletes the user's leads among the ids; the other ids are reported, for whatever reason. */
export async function deleteLeads(
  context: Needs,
  userId: string,
  ids: readonly number[],
): Promise<{ deletedLeads: number; missingIds: number[] }> {
  const deletedIds = await commitOnce(context.db, async (trx) => {
    const done = await deleteLeadRows(trx, userId, ids);
    noteChange({ before: { ids: done }, after: { deleted: done.length } });
    return done;
  });
  const deleted = new Set(deletedIds);
  return {
    deletedLeads: deleted.size,
    missingIds: unique(ids).filter((id) => !deleted.has(id)),
  };
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
