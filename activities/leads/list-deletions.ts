/** Removes the rows of lists that were deleted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import {
  hideListPortion,
  removeListPortion,
  type ListRemoval,
} from '../../src/db/leads/list-deletions.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';

/** Few rows at a time: nobody waits for the end of the deletion, but others need the database meanwhile. */
const PORTION = 500;

/** Portions per activity: fewer Temporal actions; each is a transaction of its own. */
const PORTIONS_AT_ONCE = 100;

export const listDeletionActivities = (
  { db }: Pick<Context, 'db'>,
  { portion = PORTION, portionsAtOnce = PORTIONS_AT_ONCE } = {},
) => ({
  /** Deletes the next portions of the list; a repeat continues with what is left. Choice 4. */
  async removeListPortions({
    leadListId,
  }: {
    leadListId: number;
  }): Promise<{ isDone: boolean; progress: string }> {
    let after: ListRemoval | undefined;
    for (let portions = 0; portions < portionsAtOnce; portions += 1) {
      const started = performance.now();
      // First: until then pages read past all that is hidden.
      while (portions === 0 && (await despiteDeadlocks(() => hideListPortion(db, leadListId))));
      after = await despiteDeadlocks(() => removeListPortion(db, leadListId, portion));
      if (after.isDone) break;
      // Pauses as long as the portion took: the busier the database, the longer.
      await wait(performance.now() - started);
    }
    const { isDone, removed, total } = after!;
    const numbers = [removed, total].map((count) => count.toLocaleString('en'));
    return { isDone, progress: `${numbers.join(' of ')} leads` };
  },
});
