/** The audit log as its account reads it. Choice 98. */
import type { Context } from '../../context.ts';
import {
  listAuditEntries,
  type AuditFilter,
  type AuditLogRow,
} from '../../db/accounts/audit-log-pages.ts';
import { keysetPages } from '../../db/pages.ts';

export type { AuditFilter, AuditLogRow } from '../../db/accounts/audit-log-pages.ts';

type Needs = Pick<Context, 'db'>;

/** Newest first; `before`: those older than the entry with this id. */
export async function readAuditLog(
  { db }: Needs,
  userId: string,
  page: { filter: AuditFilter; before?: number | undefined; limit: number },
): Promise<{ rows: AuditLogRow[]; hasNext: boolean }> {
  const rows = await listAuditEntries(db, userId, { ...page, limit: page.limit + 1 });
  return { rows: rows.slice(0, page.limit), hasNext: rows.length > page.limit };
}

/** All of them, page by page. */
export const exportAuditLog = (
  { db }: Needs,
  userId: string,
  filter: AuditFilter,
): AsyncGenerator<AuditLogRow[]> =>
  keysetPages(
    (before: number | undefined, limit) => listAuditEntries(db, userId, { filter, before, limit }),
    ({ id }) => id,
  );
