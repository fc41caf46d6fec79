/** Ends of letters, by the sequence of the moment at which they are written. */
import type { Transaction } from 'kysely';
import { holdCampaign } from '../../src/db/campaigns/campaigns.ts';
import { replanFollowups } from '../../src/db/campaigns/follow-up-plans.ts';
import { writeLetterEnds, type LetterEnd } from '../../src/db/sending/letter-ends.ts';
import type { Database } from '../../src/db/tables.ts';
import type { RoundTools } from './tools.ts';

export interface SettledEnd extends LetterEnd {
  /** When the campaign that the letter was claimed by had been changed last. */
  settingsAt: Date;
}

/**
 * A campaign that was changed while letters were under way has another follow-up, or none. Answers the
 * ends that were written.
 */
export async function writeSettledEnds(
  trx: Transaction<Database>,
  { clock, config }: Pick<RoundTools, 'clock' | 'config'>,
  { round, ends }: { round: Parameters<typeof writeLetterEnds>[1]; ends: readonly SettledEnd[] },
): Promise<LetterEnd[]> {
  const { campaignId } = round;
  const changedAt = (await holdCampaign(trx, campaignId)).updated_at.getTime();
  const written = await writeLetterEnds(trx, round, ends);
  const leadIds = ends
    .filter(({ settingsAt }) => settingsAt.getTime() !== changedAt)
    .map(({ leadId }) => leadId);
  if (leadIds.length === 0) return written;
  const { DAY_SECONDS: daySeconds } = config;
  await replanFollowups(trx, { campaignId, now: clock.now(), daySeconds, leadIds });
  return written;
}
