/** Reading the audit log. */
import type { Kysely, Selectable } from 'kysely';
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
export function listAuditEntries(
  db: Kysely<Database>,
  userId: string,
  { filter, before, limit }: { filter: AuditFilter; before?: number | undefined; limit: number },
): Promise<AuditLogRow[]> {
  const { action, resourceType, resourceId, actor, since, until } = filter;
  let query = db
    .selectFrom('audit_log')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  if (action !== undefined) query = query.where('action', '=', action);
  if (resourceType !== undefined) query = query.where('resource_type', '=', resourceType);
  if (resourceId !== undefined) query = query.where('resource_id', '=', resourceId);
  if (actor !== undefined) {
    query = query.where((eb) =>
      eb.or([eb('actor_kind', '=', actor as never), eb('actor_id', '=', actor)]),
    );
  }
  if (since) query = query.where('at', '>=', since);
  if (until) query = query.where('at', '<', until);
  return query.execute();
}
