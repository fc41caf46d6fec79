/** Wakes campaigns that wait for something which has just happened. */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import {
  listWaitingCampaigns,
  wakeInShards,
  type WaitingCampaign,
} from '../../src/db/campaigns/campaign-waits.ts';
import { listMailboxIdsOfServer } from '../../src/db/mailboxes/mailboxes.ts';
import { findLatestOperation } from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { sendingDaysMs } from '../../src/domain/sending/sending-time.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'temporal'>;

/** Only a hint: a campaign that was not told checks again when its next message is due, within a day. */
export async function wakeCampaigns(
  context: Needs,
  waiting: readonly WaitingCampaign[],
): Promise<void> {
  await signalCampaigns(context, await wakeInShards(context.db, waiting, context.clock.now()));
}

/** In the transaction of the change; answers a run of before shards, which is to be told by a signal after it. */
export async function wakeCampaign(
  trx: Transaction<Database>,
  campaignId: number,
  now: Date,
): Promise<WaitingCampaign[]> {
  const operation = await findLatestOperation(trx, 'campaign', campaignId);
  if (!operation || operation.finished_at) return [];
  return wakeInShards(trx, [{ campaignId, workflowId: workflowIdOf(operation) }], now);
}

/** Runs of before shards. */
export async function signalCampaigns(
  { temporal }: Pick<Context, 'temporal'>,
  waiting: readonly WaitingCampaign[],
): Promise<void> {
  await Promise.allSettled(
    waiting.map(({ workflowId }) =>
      temporal.workflow.getHandle(workflowId).signal('settingsChanged'),
    ),
  );
}

/** Those that may have waited until this server may send again. Called after the commit. */
export async function wakeCampaignsOfServer(
  context: Needs & Pick<Context, 'config'>,
  serverId: number,
): Promise<void> {
  const { db, clock, config } = context;
  const mailboxIds = await listMailboxIdsOfServer(db, serverId);
  const until = new Date(clock.now().getTime() + sendingDaysMs(1, config.DAY_SECONDS));
  await wakeCampaigns(context, await listWaitingCampaigns(db, { mailboxIds, until }));
}
