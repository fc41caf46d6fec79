/** Wakes sleeping campaigns after a change that they cannot know of. */
import type { Transaction } from 'kysely';
import {
  leadsAddedSignal,
  settingsChangedSignal,
} from '../../../workflows/contracts/run-campaign.ts';
import type { Context } from '../../context.ts';
import { inAccountPlace } from '../../db/accounts/account-places.ts';
import { listWaitingCampaigns, wakeInShards } from '../../db/campaigns/campaign-waits.ts';
import { wakeShardJobs } from '../../db/shards/shard-jobs.ts';
import { findLatestOperation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import { signalWorkflow } from '../operations/workflow-signals.ts';

const SIGNALS = { leadsAdded: leadsAddedSignal, settingsChanged: settingsChangedSignal };

const HINT_DEADLINE_MS = 2_000;

/**
 * Wakes an active campaign. Called in the transaction that holds its lock: the woken session waits for
 * it. A run of before shards is told by a signal, and where Temporal cannot be reached everything is rolled
 * back (502), or the campaign might sleep on and miss what was added.
 */
export async function wakeCampaign(
  { temporal, clock }: Pick<Context, 'temporal' | 'clock'>,
  trx: Transaction<Database>,
  { campaignId, because }: { campaignId: number; because: keyof typeof SIGNALS },
): Promise<void> {
  const operation = await findLatestOperation(trx, 'campaign', campaignId);
  // Without a workflow there is nothing to wake: it reads the rows when it starts.
  if (!operation || operation.finished_at) return;
  const woken = await wakeShardJobs(trx, { type: 'campaign', ids: [campaignId], now: clock.now() });
  if (woken.size > 0) return;
  await signalWorkflow({ temporal }, operation, (handle) => handle.signal(SIGNALS[because]));
}

/**
 * After the commit of a change, in a place of the account (`userId`), unless a recipient made it. Only a hint: a campaign
 * that was not told looks when its next message is due.
 */
export async function hintCampaigns(
  context: Pick<Context, 'db' | 'temporal' | 'clock'>,
  campaignIds: readonly number[],
  userId?: string,
): Promise<void> {
  const { db } = context;
  const hintAll = async () => {
    for (const campaignId of campaignIds) {
      await db
        .transaction()
        .execute((trx) => wakeCampaign(context, trx, { campaignId, because: 'leadsAdded' }))
        .catch(() => undefined);
    }
  };
  // One place for all: where there is none in time, nobody is told.
  await (userId === undefined ? hintAll() : inAccountPlace(db, userId, hintAll)).catch(
    () => undefined,
  );
}

/**
 * Tells campaigns that wait for these mailboxes that they may be free earlier: their limits or their
 * warm-up have changed. Called after the commit. Only a hint: where Temporal cannot be reached they
 * check again when the old limits allow, within a day. Campaigns without a message due within a day are
 * not woken: they wake when it is due.
 */
export async function wakeCampaignsOf(
  { db, clock, config, temporal }: Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>,
  mailboxIds: readonly number[],
): Promise<void> {
  if (mailboxIds.length === 0) return;
  const until = new Date(clock.now().getTime() + sendingDaysMs(1, config.DAY_SECONDS));
  const waiting = await listWaitingCampaigns(db, { mailboxIds, until });
  const others = await wakeInShards(db, waiting, clock.now());
  if (others.length === 0) return;
  await temporal
    .withDeadline(Date.now() + HINT_DEADLINE_MS, () =>
      Promise.allSettled(
        others.map(({ workflowId }) =>
          temporal.workflow.getHandle(workflowId).signal(settingsChangedSignal),
        ),
      ),
    )
    .catch(() => undefined);
}
