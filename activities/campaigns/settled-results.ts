/** Delivery results, by the campaign's sequence at the moment they are written. */
import type { Transaction } from 'kysely';
import { replanFollowups } from '../../src/db/campaigns/follow-up-plans.ts';
import { writeDeliveryResults } from '../../src/transactions/delivery-results.ts';
import {
  dueNow,
  type DeliveryResult,
  type EndedSession,
} from '../../src/domain/sending/delivery-results.ts';
import type { Database } from '../../src/db/tables.ts';
import type { SessionTools } from './tools.ts';

export interface SettledResult extends DeliveryResult {
  /** When the campaign was last changed, as of the claim. */
  settingsAt: Date;
}

/**
 * A campaign that changed while messages were in flight has another follow-up, or none. Returns the
 * results that were written.
 */
export async function writeSettledResults(
  trx: Transaction<Database>,
  { clock, config }: Pick<SessionTools, 'clock' | 'config'>,
  { session, ends }: { session: EndedSession; ends: readonly SettledResult[] },
): Promise<DeliveryResult[]> {
  const { campaignId } = session;
  const { changedAt, written } = await writeDeliveryResults(trx, session, ends);
  const leads = ends
    .filter(({ settingsAt }) => settingsAt.getTime() !== changedAt.getTime())
    .map(({ leadId }) => leadId);
  if (leads.length === 0) return written;
  const { DAY_SECONDS: daySeconds } = config;
  const now = clock.now();
  await replanFollowups(trx, { campaignId, now, daySeconds, leads });
  // A claim tells when: the plan is another one.
  return written.map((end) => (leads.includes(end.leadId) ? dueNow(end, now) : end));
}
