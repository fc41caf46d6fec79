/** What people have answered to blocked steps. */
import type { Kysely } from 'kysely';
import type { ResolutionAction } from '../../domain/operations/operations.ts';
import type { Database } from '../tables.ts';

/** Whether somebody gave this answer to this step of the operation, at any time. */
export async function wasAnswered(
  db: Kysely<Database>,
  asked: { operationId: number; step: string; action: ResolutionAction },
): Promise<boolean> {
  const found = await db
    .selectFrom('operation_events')
    .select('detail')
    .where('operation_id', '=', asked.operationId)
    .where('kind', '=', 'resolved')
    .where('step', '=', asked.step)
    .execute();
  return found.some(({ detail }) => detail['action'] === asked.action);
}
