/** Hands on the place of a job that has ended, is paused or blocked. Choice 125. */
import type { Context } from '../../src/context.ts';
import { takeNextPlace } from '../../src/db/operations/operation-places.ts';
import type { Operation } from '../../src/db/operations/operations.ts';

/** What handing a place on needs. */
export type PlaceContext = Pick<Context, 'db' | 'logger' | 'startOperation'> & {
  config: Pick<Context['config'], 'ACCOUNT_RUNNING_JOBS'>;
};

/** Starts the account's oldest jobs that wait, as far as there are places, but each place once. Safe to repeat. */
export async function fillPlaces(
  { db, config, startOperation }: Pick<PlaceContext, 'db' | 'config' | 'startOperation'>,
  userId: string,
): Promise<void> {
  for (let n = 0; n < config.ACCOUNT_RUNNING_JOBS; n += 1) {
    const next = await takeNextPlace(db, userId, config.ACCOUNT_RUNNING_JOBS);
    if (!next) return;
    await startOperation(next);
  }
}

/** Never throws: the reconciler starts those that were missed. */
export async function handPlaceOn(
  context: PlaceContext,
  { id, user_id, place }: Pick<Operation, 'id' | 'user_id' | 'place'>,
): Promise<void> {
  if (place === null) return;
  try {
    await fillPlaces(context, user_id);
  } catch (error) {
    context.logger.warn({ operationId: id, err: error }, 'the next job of the account waits still');
  }
}
