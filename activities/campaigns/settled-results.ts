/** Ends of messages, by the sequence of the moment at which they are written. */
import type { Transaction } from 'kysely';
import { holdCampaign } from '../../src/db/campaigns/campaigns.ts';
import { replanFollowups } from '../../src/db/campaigns/follow-up-plans.ts';
import {
  writeDeliveryResults,
  type DeliveryResult,
} from '../../src/db/sending/delivery-results.ts';
import type { Database } from '../../src/db/tables.ts';
import type { SessionTools } from './tools.ts';

export interface SettledResult extends DeliveryResult {
  /** When the campaign that the message was claimed by had been changed last. */
  settingsAt: Date;
}

/**
 * A campaign that was changed while messages were under way has another follow-up, or none. Answers the
 * ends that were written.
 */
export async function writeSettledResults(
  trx: Transaction<Database>,
  { clock, config }: Pick<SessionTools, 'clock' | 'config'>,
  {
    session,
    ends,
  }: { session: Parameters<typeof writeDeliveryResults>[1]; ends: readonly SettledResult[] },
): Promise<DeliveryResult[]> {
  const { campaignId } = session;
  const changedAt = (await holdCampaign(trx, campaignId)).updated_at.getTime();
  const written = await writeDeliveryResults(trx, session, ends);
  const leadIds = ends
    .filter(({ settingsAt }) => settingsAt.getTime() !== changedAt)
    .map(({ leadId }) => leadId);
  if (leadIds.length === 0) return written;
  const { DAY_SECONDS: daySeconds } = config;
  await replanFollowups(trx, { campaignId, now: clock.now(), daySeconds, leadIds });
  return written;
}
