/** What operators do to an account's work stands in its audit log, whichever command or tool they did it by. */
import type { Kysely } from 'kysely';
import { isAuditedResource, type AuditEntry } from '../../domain/accounts/audit-log.ts';
import { insertAuditEntries } from '../accounts/audit-log.ts';
import type { Database } from '../tables.ts';

interface RecordedEvent {
  operationId: number;
  kind: string;
  step: string | null;
  actor: string;
  reason: string;
  detail?: object | undefined;
}

/** Entries of what is ordered for a mail host, by the kind of its flow; named as the commands are. */
const ORDERS: Readonly<Record<string, string>> = {
  rebuildServer: 'hosts.rebuild',
  rotateServerKey: 'hosts.rotate-ssh-key',
  upgradeServer: 'hosts.upgrade',
};

/** What a person may do, by the event that records it; other events are the product's own. */
const ACTIONS: Readonly<Record<string, (flowKind: string, action: string) => string>> = {
  requested: (flowKind) => ORDERS[flowKind] ?? `ops.${flowKind}`,
  resolved: (_flowKind, action) => `ops.${action}`,
  cancel_requested: () => 'ops.cancel',
  smarthost_set: () => 'clusters.smarthost',
  reconciled: () => 'reconcile.heal',
};

/**
 * Writes the entry of an event in the same transaction. None where it was a client or the product itself: a client's
 * request has an entry of its own, and `system` changes nothing that nobody has ordered.
 */
export async function insertOperatorEntry(
  db: Kysely<Database>,
  { operationId, kind, step, actor, reason, detail }: RecordedEvent,
): Promise<void> {
  const actionOf = ACTIONS[kind];
  if (!actionOf || actor === 'system' || actor.startsWith('user:')) return;
  const operation = await db
    .selectFrom('operations')
    .select(['user_id', 'kind', 'resource_type', 'resource_id'])
    .where('id', '=', operationId)
    .executeTakeFirst();
  if (!operation) return;
  const { action = '' } = (detail ?? {}) as { action?: string };
  const { resource_type: type, resource_id: id } = operation;
  const isOrder = kind === 'requested' || kind === 'smarthost_set';
  const resource: Pick<AuditEntry, 'resourceType' | 'resourceId'> =
    isOrder && isAuditedResource(type)
      ? { resourceType: type, resourceId: id }
      : { resourceType: 'operation', resourceId: operationId };
  const entry = {
    userId: operation.user_id,
    actor: { kind: 'operator', id: null, name: actor.replace(/^operator:/, '') },
    action: actionOf(operation.kind, action),
    ...resource,
    reason,
    ...(step !== null && { after: { step } }),
  } as const;
  await insertAuditEntries(db, [entry]);
}
