/** Reading the audit log. */
import { sql, type Kysely, type Selectable, type SelectQueryBuilder } from 'kysely';
import type { AuditedResource } from '../../domain/accounts/audit-log.ts';
import type { AuditLogTable } from './account-tables.ts';
import type { Database } from '../tables.ts';

export type AuditLogRow = Selectable<AuditLogTable>;

export interface AuditFilter {
  action?: string | undefined;
  resourceType?: AuditedResource | undefined;
  resourceId?: string | undefined;
  /** A kind of actors, or the id of one. */
  actor?: string | undefined;
  /** From then on. */
  since?: Date | undefined;
  /** Before then. */
  until?: Date | undefined;
}

/** Newest first; `before`: those older than the entry with this id. */
export async function listAuditEntries(
  db: Kysely<Database>,
  userId: string,
  { filter, before, limit }: { filter: AuditFilter; before?: number | undefined; limit: number },
): Promise<AuditLogRow[]> {
  const { action, resourceType, resourceId, actor, since, until } = filter;
  let query = db.selectFrom('audit_log').selectAll().where('user_id', '=', userId);
  if (before !== undefined) query = query.where('id', '<', before);
  if (resourceType !== undefined) query = query.where('resource_type', '=', resourceType);
  if (resourceId !== undefined) query = query.where('resource_id', '=', resourceId);
  if (since) query = query.where('at', '>=', since);
  if (until) query = query.where('at', '<', until);
  const page = (entries: typeof query) => entries.orderBy('id', 'desc').limit(limit);
  if (actor === undefined) {
    if (action === undefined) return page(query).execute();
    return page(withValue(query, 'action', action)).execute();
  }
  // Each by an index of its own, a page at most. An entry that is both stands in the first part. Kinds of actors are few: an
  // action is rarer.
  const isKind = query.where('actor_kind', '=', actor as never);
  const ofKind = page(
    action === undefined
      ? withValue(query, 'actor_kind', actor)
      : withValue(isKind, 'action', action),
  );
  if (action !== undefined) query = query.where('action', '=', action);
  const isOther = query.where('actor_kind', '!=', actor as never);
  const ofId = page(withValue(isOther, 'actor_id', actor));
  const { rows } = await sql<AuditLogRow>`${ofKind} union all ${ofId}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * By the index of that column, whose order is told. Of an equal value the planner would read the primary key, past all that
 * is newer: it takes a frequent value to be everywhere.
 */
const withValue = <Query extends SelectQueryBuilder<Database, 'audit_log', AuditLogRow>>(
  query: Query,
  column: 'action' | 'actor_id' | 'actor_kind',
  value: string,
) =>
  query
    .where(sql<boolean>`${sql.ref(column)} between ${value} and ${value}`)
    .orderBy(column, 'desc') as Query;
