/** Goes on with changes of campaigns that concern very many leads, portion by portion. Choice 145. */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { WaitingCampaign } from '../../src/db/campaigns/campaign-waits.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import type { Database } from '../../src/db/tables.ts';
import { isDownForAll } from '../../src/domain/database-down.ts';
import {
  continueCampaign,
  listCampaignsInPortions,
} from '../../src/transactions/campaigns/campaign-portions.ts';
import { attempt, createRests, type Rests } from '../engine/rests.ts';
import { signalCampaigns, wakeCampaign } from './wakes.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'temporal' | 'logger'>;

/** Per run; the next one follows at once. */
const CAMPAIGNS_AT_ONCE = 100;

/**
 * One portion for each campaign, so that none waits for a larger one; false where there was none to be done. A portion
 * is a transaction, which also says how far it is: safe to repeat and to run twice at once. One that fails rests, and stops no other.
 */
export async function continueChanges(
  context: Needs,
  rests: Rests = createRests(),
): Promise<boolean> {
  const { db, logger } = context;
  let isMore = false;
  const which = { limit: CAMPAIGNS_AT_ONCE, resting: rests.resting() };
  for (const campaignId of await listCampaignsInPortions(db, which)) {
    try {
      await attempt(rests, campaignId, async () => {
        const unaware = await despiteDeadlocks(() =>
          db.transaction().execute((trx) => continueOne(context, trx, campaignId)),
        );
        await signalCampaigns(context, unaware);
      });
      isMore = true;
    } catch (err) {
      if (isDownForAll(err)) throw err;
      logger.error({ err, campaignId }, 'a change of a campaign could not go on');
    }
  }
  return isMore;
}

/** Wakes it in the same transaction. */
async function continueOne(
  { clock, config: { DAY_SECONDS: daySeconds } }: Needs,
  trx: Transaction<Database>,
  campaignId: number,
): Promise<WaitingCampaign[]> {
  const now = clock.now();
  const campaign = await continueCampaign(trx, campaignId, { now, daySeconds });
  if (campaign?.status !== 'active') return [];
  return wakeCampaign(trx, campaignId, now);
}
