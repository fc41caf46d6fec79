/** Leads that got the address which they were left out for lacking, portion by portion. Choice 151. */
import type { Context } from '../../src/context.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { followFilled, listAccountsWithFilled } from '../../src/db/sending/filled-addresses.ts';
import { isDownForAll } from '../../src/domain/database-down.ts';
import { attempt, createRests, type Rests } from '../engine/rests.ts';
import { signalCampaigns, wakeCampaign } from './wakes.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'temporal' | 'logger'>;

/** Per run; the next one follows at once. */
const ACCOUNTS_AT_ONCE = 100;

/**
 * One portion for each account, so that none waits for a larger import; false where there was none to be done. One that
 * fails rests, and stops no other. Safe to repeat.
 */
export async function followFilledAddresses(
  context: Needs,
  rests: Rests<string> = createRests<string>(),
  portion?: number,
): Promise<boolean> {
  const { db, clock, logger } = context;
  let isMore = false;
  const which = { limit: ACCOUNTS_AT_ONCE, resting: rests.resting() };
  for (const userId of await listAccountsWithFilled(db, which)) {
    const follow = () =>
      db.transaction().execute(async (trx) => {
        const now = clock.now();
        const unaware = [];
        for (const id of await followFilled(trx, { userId, now }, portion)) {
          unaware.push(...(await wakeCampaign(trx, id, now)));
        }
        return unaware;
      });
    try {
      await attempt(rests, userId, async () =>
        signalCampaigns(context, await despiteDeadlocks(follow)),
      );
      isMore = true;
    } catch (err) {
      if (isDownForAll(err)) throw err;
      logger.error({ err, userId }, 'leads with new addresses could not be looked at again');
    }
  }
  return isMore;
}
