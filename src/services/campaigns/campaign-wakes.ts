/** Wakes sleeping campaigns after a change that they cannot know of. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Transaction } from 'kysely';
import {
  leadsAddedSignal,
  settingsChangedSignal,
} from '../../../workflows/contracts/run-campaign.ts';
import type { Context } from '../../context.ts';
import { listWaitingCampaigns, wakeInShards } from '../../db/campaigns/campaign-waits.ts';
import { wakeShardJobs } from '../../db/shards/shard-jobs.ts';
import { findLatestOperation } from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { upstreamUnavailable } from '../../domain/errors.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

const SIGNALS = { leadsAdded: leadsAddedSignal, settingsChanged: settingsChangedSignal };

/** A signal must not block the request when Temporal hangs. */
const SIGNAL_DEADLINE_MS = 5_000;
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
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowIdOf(operation)).signal(SIGNALS[because]),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return;
    throw upstreamUnavailable('The workflow engine is not reachable; try again shortly');
  }
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
