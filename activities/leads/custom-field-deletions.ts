/** Removes the values of custom fields that were deleted. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import { removeCustomValues } from '../../src/db/leads/custom-fields.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';

/** Few rows at a time: nobody waits for the end of the deletion, but others need the database meanwhile. */
const PORTION = 500;

/** Portions per activity: fewer Temporal actions; each is a transaction of its own. */
const PORTIONS_AT_ONCE = 100;

export const customFieldDeletionActivities = (
  { db }: Pick<Context, 'db'>,
  { portion = PORTION, portionsAtOnce = PORTIONS_AT_ONCE } = {},
) => ({
  /** Removes the next portions of the field's values; a repeat continues with what is left. Choice 99. */
  async removeCustomValuePortions({
    customFieldId,
  }: {
    customFieldId: number;
  }): Promise<{ isDone: boolean; progress: string }> {
    let sum = 0;
    let isDone = false;
    for (let portions = 0; portions < portionsAtOnce && !isDone; portions += 1) {
      const started = performance.now();
      const after = await despiteDeadlocks(() => removeCustomValues(db, customFieldId, portion));
      sum += after.removed;
      isDone = after.isDone;
      // Pauses as long as the portion took: the busier the database, the longer.
      if (!isDone) await wait(performance.now() - started);
    }
    return { isDone, progress: `${sum.toLocaleString('en')} values removed` };
  },
});
