/** The end of placement tests: what was found, the event, and the campaign that a bad one holds. Choice 124. */
import type { Transaction } from 'kysely';
import { jobTable } from '../../db/job-tables.ts';
import {
  listPlacementMessages,
  recoverPlacementMessages,
} from '../../db/placement/placement-messages.ts';
import type { PlacementTest } from '../../db/placement/placement-tests.ts';
import type { Database } from '../../db/tables.ts';
import { insertEvents } from '../../db/webhooks/events.ts';
import {
  summariesByProvider,
  summaryOf,
  type PlacementSummary,
} from '../../domain/placement/verdict.ts';
import { pauseFor } from '../campaign-health.ts';

type Trx = Transaction<Database>;

/** It cannot be paused. Whatever it ends by, nothing more is sent. */
const table = jobTable('placement_tests', {
  open: 'processing',
  endedAt: 'finished_at',
  whenCancelled: () => ({ status: 'cancelled' }),
  async whenEnded(trx, id) {
    await recoverPlacementMessages(trx, id, { exceptBy: null, to: 'cancelled' });
    const test = await table.lock(trx, id);
    if (test.status === 'completed') await conclude(trx, test);
  },
});

async function conclude(trx: Trx, test: PlacementTest): Promise<void> {
  const { id, user_id: userId, min_inbox_percent: minInboxPercent } = test;
  const messages = await listPlacementMessages(trx, [id]);
  const summary = summaryOf(messages, minInboxPercent);
  const campaignHeld = await holdCampaign(trx, test, summary);
  await trx
    .updateTable('placement_tests')
    .set({
      verdict: summary.verdict,
      inbox_percent: summary.inboxPercent,
      campaign_held: campaignHeld,
    })
    .where('id', '=', id)
    .execute();
  const providers = summariesByProvider(messages, minInboxPercent).map(
    ({ waiting: _none, ...counts }) => counts,
  );
  const payload = {
    testId: id,
    campaignId: test.campaign_id,
    mailboxId: test.mailbox_id,
    verdict: summary.verdict,
    inboxPercent: summary.inboxPercent,
    minInboxPercent,
    providers,
    campaignHeld,
    at: new Date().toISOString(),
  };
  const event = { type: 'placement_test.completed', resource: `placement_test/${id}` } as const;
  await insertEvents(trx, [{ userId, ...event, payload }]);
}

/** True where it was active, and is paused now. */
async function holdCampaign(
  trx: Trx,
  {
    id,
    campaign_id: campaignId,
    holds_campaign: isWanted,
    min_inbox_percent: least,
  }: PlacementTest,
  { verdict, inboxPercent }: PlacementSummary,
): Promise<boolean> {
  if (verdict !== 'bad' || !isWanted || campaignId === null) return false;
  const warning = `Placement test ${id} found ${inboxPercent} % in the inbox, fewer than ${least} %`;
  return pauseFor(trx, campaignId, { reason: 'bad_placement', now: new Date(), warning });
}

export const placementTestRows = table.rows;
export const findUserPlacementTest = table.find;
export const lockUserPlacementTest = table.lockOwn;
export const listUserPlacementTests = table.list;
export const endPlacementTest = table.end;
export const stateOfPlacementTest = table.stateOf;
