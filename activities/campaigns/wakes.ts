/** Wakes campaigns that wait for something which has just happened. */
import type { Context } from '../../src/context.ts';
import { listWaitingWorkflows } from '../../src/db/campaigns/campaign-waits.ts';
import { listMailboxIdsOfServer } from '../../src/db/mailboxes/mailboxes.ts';
import { sendingDaysMs } from '../../src/domain/sending/sending-time.ts';

/** Only a hint: a campaign that was not told checks again when its next message is due, within a day. */
export async function wakeCampaigns(
  { temporal }: Pick<Context, 'temporal'>,
  workflowIds: readonly string[],
): Promise<void> {
  await Promise.allSettled(
    workflowIds.map((id) => temporal.workflow.getHandle(id).signal('settingsChanged')),
  );
}

/** Those that may have waited until this server may send again. Called after the commit. */
export async function wakeCampaignsOfServer(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'temporal'>,
  serverId: number,
): Promise<void> {
  const { db, clock, config } = context;
  const mailboxIds = await listMailboxIdsOfServer(db, serverId);
  const until = new Date(clock.now().getTime() + sendingDaysMs(1, config.DAY_SECONDS));
  await wakeCampaigns(context, await listWaitingWorkflows(db, { mailboxIds, until }));
}
