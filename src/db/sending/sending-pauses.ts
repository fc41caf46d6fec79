/** Pauses of sending for refusals, as clients list them. `rejections.ts` makes them. Choice 9. */
import type { Kysely, Selectable } from 'kysely';
import type { SendingPausesTable } from '../campaigns/campaign-tables.ts';
import type { Database } from '../tables.ts';

export type SendingPause = Selectable<SendingPausesTable>;

export interface PauseFilter {
  userId: string;
  scope?: SendingPause['scope'] | undefined;
  /** True: those that run now; false: those that are over. */
  isRunning?: boolean | undefined;
  now: Date;
}

const matching = (db: Kysely<Database>, { userId, scope, isRunning, now }: PauseFilter) =>
  db
    .selectFrom('sending_pauses')
    .where('user_id', '=', userId)
    .$if(scope !== undefined, (query) => query.where('scope', '=', scope!))
    .$if(isRunning !== undefined, (query) => query.where('until', isRunning ? '>' : '<=', now));

/** Newest first. */
export const listSendingPauses = (
  db: Kysely<Database>,
  filter: PauseFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<SendingPause[]> =>
  matching(db, filter).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();

export async function countSendingPauses(
  db: Kysely<Database>,
  filter: PauseFilter,
): Promise<number> {
  const { count } = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
