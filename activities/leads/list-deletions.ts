/** Removes the rows of lists that were deleted. */
import type { Context } from '../../src/context.ts';
import {
  LIST_PORTION,
  removeListPortion,
  type ListRemoval,
} from '../../src/db/leads/list-deletions.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';

/** Portions of one activity: fewer actions of Temporal; each is a transaction of its own. */
const PORTIONS_AT_ONCE = 50;

export const listDeletionActivities = (
  { db }: Pick<Context, 'db'>,
  { portion = LIST_PORTION, portionsAtOnce = PORTIONS_AT_ONCE } = {},
) => ({
  /** The next portions of the list; a repeat goes on with what is left. Choice 4. */
  async removeListPortions({
    leadListId,
  }: {
    leadListId: number;
  }): Promise<{ isDone: boolean; progress: string }> {
    let after: ListRemoval | undefined;
    for (let portions = 0; portions < portionsAtOnce; portions += 1) {
      after = await despiteDeadlocks(() => removeListPortion(db, leadListId, portion));
      if (after.isDone) break;
    }
    const { isDone, removed, total } = after!;
    const numbers = [removed, total].map((count) => count.toLocaleString('en'));
    return { isDone, progress: `${numbers.join(' of ')} leads` };
  },
});
