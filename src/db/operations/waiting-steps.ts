/** Blocked steps: the possible answers, and the results of the answers. */
import { sql, type Kysely } from 'kysely';
import type { ResolutionAction } from '../../domain/operations/operations.ts';
import type { Database } from '../tables.ts';
import type { Operation } from './operations.ts';

/** The blocked step of an operation, from its log. */
export interface WaitingStep {
  step: string;
  actions: ResolutionAction[];
  /** The log line of the block: an answer's line comes after it. */
  eventId: number;
}

/** Undefined while the operation is not blocked. */
export async function findWaitingStep(
  db: Kysely<Database>,
  operationId: number,
): Promise<WaitingStep | undefined> {
  const row = await db
    .selectFrom('operation_events')
    .innerJoin('operations', 'operations.id', 'operation_events.operation_id')
    .select(['operation_events.id', 'operation_events.step', 'operation_events.detail'])
    .where('operations.id', '=', operationId)
    .where('operations.blocked_at', 'is not', null)
    .where('operations.finished_at', 'is', null)
    .where('operation_events.kind', '=', 'blocked')
    .orderBy('operation_events.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row || row.step === null) return undefined;
  const actions = (row.detail['actions'] ?? []) as ResolutionAction[];
  return { step: row.step, actions, eventId: row.id };
}

/** Blocked operations whose message ends in these words. */
export const listBlockedWith = (db: Kysely<Database>, words: string): Promise<Operation[]> =>
  db
    .selectFrom('operations')
    .selectAll()
    .where('blocked_at', 'is not', null)
    .where('finished_at', 'is', null)
    .where(sql<boolean>`right(error_message, length(${words})) = ${words}`)
    .orderBy('id')
    .execute();

/** Which of these operations have been answered since: their ids. `waits` as `findWaitingStep`. */
export async function listAnswered(
  db: Kysely<Database>,
  waits: readonly { operationId: number; eventId: number }[],
): Promise<number[]> {
  if (waits.length === 0) return [];
  const { rows } = await sql<{ operation_id: number }>`
    select distinct e.operation_id from operation_events e
    join jsonb_to_recordset(${JSON.stringify(waits)}::jsonb) as w("operationId" bigint, "eventId" bigint)
      on w."operationId" = e.operation_id and e.id > w."eventId"
    where e.kind in ('resolved', 'finished')`.execute(db);
  return rows.map(({ operation_id }) => operation_id);
}

/** The answers to a block, in their order; none where its operation has ended without one. */
export async function listAnswers(
  db: Kysely<Database>,
  { operationId, eventId }: { operationId: number; eventId: number },
): Promise<{ actor: string; action: unknown }[]> {
  const rows = await db
    .selectFrom('operation_events')
    .select(['actor', 'detail'])
    .where('operation_id', '=', operationId)
    .where('id', '>', eventId)
    .where('kind', '=', 'resolved')
    .orderBy('id')
    .execute();
  return rows.map(({ actor, detail }) => ({ actor, action: detail['action'] }));
}

/** An operation that was answered and is blocked again. */
export interface BlockedAgain {
  id: number;
  step: string;
  errorCode: string | null;
  errorMessage: string | null;
}

/** Those blocked again since, and how many are neither blocked nor ended. `waits` as `findWaitingStep`. */
export async function listBlockedAgain(
  db: Kysely<Database>,
  waits: readonly { operationId: number; eventId: number }[],
): Promise<{ blocked: BlockedAgain[]; open: number }> {
  if (waits.length === 0) return { blocked: [], open: 0 };
  const { rows } = await sql<BlockedAgain & { isBlocked: boolean }>`
    select o.id, o.step, o.error_code as "errorCode", o.error_message as "errorMessage",
      o.blocked_at is not null and exists (select from operation_events e
        where e.operation_id = o.id and e.kind = 'blocked' and e.id > w."eventId") as "isBlocked"
    from operations o
    join jsonb_to_recordset(${JSON.stringify(waits)}::jsonb) as w("operationId" bigint, "eventId" bigint)
      on w."operationId" = o.id
    where o.finished_at is null order by o.id`.execute(db);
  const blocked = rows
    .filter(({ isBlocked }) => isBlocked)
    .map(({ id, step, errorCode, errorMessage }) => ({ id, step, errorCode, errorMessage }));
  return { blocked, open: rows.length - blocked.length };
}
