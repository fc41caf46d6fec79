/** Lets leads enter campaigns by what their answers mean, when it is time. Choice 116. */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { lockCampaign, touchCampaign } from '../../src/db/campaigns/campaigns.ts';
import { enrollLeads } from '../../src/db/campaigns/enrollments.ts';
import type { WaitingCampaign } from '../../src/db/campaigns/campaign-waits.ts';
import {
  bindToAnswer,
  isStartWanted,
  listDueStarts,
  lockDueStart,
  settleStart,
  type DueStart,
} from '../../src/db/campaigns/subsequence-starts.ts';
import { despiteDeadlocks } from '../../src/db/deadlocks.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { isDatabaseDown, isDownForAll } from '../../src/domain/database-down.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { createRests, type Rests } from '../engine/rests.ts';
import { wakeCampaigns } from './wakes.ts';

/** Per run; the next one follows within seconds. */
const AT_ONCE = 200;

/**
 * One transaction for each lead: it enters and the row says so, or neither. One that fails is tried again with the next
 * run and stops no other; a campaign that is locked for long rests. Safe to repeat and to run twice at once.
 */
export async function beginDueStarts(
  context: Pick<Context, 'db' | 'clock' | 'temporal' | 'logger'>,
  rests: Rests = createRests(),
): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  const woken = new Map<number, WaitingCampaign>();
  try {
    for (const start of await listDueStarts(db, {
      now,
      limit: AT_ONCE,
      resting: rests.resting(),
    })) {
      const { campaignId } = start;
      if (rests.resting().includes(campaignId)) continue;
      const waiting = await despiteDeadlocks(() =>
        db.transaction().execute((trx) => beginStart(trx, start, now)),
      ).catch((err: unknown) => {
        if (isDownForAll(err)) throw err;
        if (isDatabaseDown(err)) rests.noteFailure(campaignId);
        logger.error({ err, ...start }, 'a lead could not enter a campaign');
      });
      if (waiting) woken.set(campaignId, waiting);
    }
  } finally {
    if (woken.size > 0) await wakeCampaigns(context, [...woken.values()]);
  }
}

/** The campaign that is to be woken. */
async function beginStart(
  trx: Transaction<Database>,
  start: DueStart,
  now: Date,
): Promise<WaitingCampaign | undefined> {
  const { campaignId, leadId } = start;
  const campaign = await lockCampaign(trx, campaignId);
  if (!(await lockDueStart(trx, start, now))) return undefined;
  const cancelled = (reason: string) =>
    settleStart(trx, start, { status: 'cancelled', reason, now });
  if (campaign.status === 'cancelled' || campaign.deleted_at) {
    await cancelled('campaign_cancelled');
    return undefined;
  }
  if (!(await isStartWanted(trx, start))) {
    await cancelled('rule_changed');
    return undefined;
  }
  const { user_id: userId } = campaign;
  const enrolled = await enrollLeads(trx, { campaignId, userId, leadIds: [leadId], now });
  if (enrolled.added === 0) {
    await cancelled(Object.keys(enrolled.skippedReasons)[0] ?? 'not_found');
    return undefined;
  }
  await settleStart(trx, start, { status: 'started', reason: null, now });
  await bindToAnswer(start, trx);
  await touchCampaign(trx, campaignId);
  const operation = await findLatestOperation(trx, 'campaign', campaignId);
  if (campaign.status !== 'active' || !operation || operation.finished_at) return undefined;
  return { campaignId, workflowId: workflowIdOf(operation) };
}
