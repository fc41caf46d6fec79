/** What the end of an operation says about the objectives of its type. */
import type { Transaction } from 'kysely';
import { findDelivery } from '../../src/db/inbox/scheduled-messages.ts';
import { sumPauses } from '../../src/db/operations/operation-pauses.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { findFlow } from '../../src/domain/operations/flows.ts';
import {
  deliveryOutcome,
  endOutcome,
  type OperationEnd,
} from '../../src/domain/operations/objectives.ts';

/** Of an operation that has just ended; undefined where only a newer worker knows the flow. */
export async function judgeEnd(
  trx: Transaction<Database>,
  operation: Operation,
  { outcome, error }: { outcome: 'succeeded' | 'failed'; error?: { code: string } | undefined },
): Promise<OperationEnd | undefined> {
  const { id: operationId, resource_id, finished_at: until } = operation;
  const flow = findFlow(operation.kind);
  if (!flow || !until) return undefined;
  const isMessage = flow.resource === 'outgoing_letter';
  const delivery = isMessage ? await findDelivery(trx, resource_id) : undefined;
  const judged = endOutcome(outcome, error?.code);
  // What it waited for other jobs of its account, or for the time that its client chose, is no delay of ours.
  const begun = operation.place === null ? null : operation.started_at;
  const since = delivery?.send_at ?? begun ?? operation.created_at;
  const paused = flow.outcome === 'job' ? await sumPauses(trx, { operationId, since, until }) : 0;
  const seconds = Math.max(0, (until.getTime() - since.getTime()) / 1_000 - paused);
  return {
    kind: flow.kind,
    outcome: isMessage && judged === 'succeeded' ? deliveryOutcome(delivery) : judged,
    seconds: isTimedByOwner(operation) ? null : seconds,
    blockedSeconds: operation.blocked_seconds,
  };
}

/** A provisioning waits up to two days for records that the owner of the domain sets by hand. Choice 64. */
const isTimedByOwner = ({ input }: Operation): boolean =>
  (input as { manualDns?: boolean }).manualDns === true;
