/** Reading the mailboxes of a cluster. */
import { cancellationSignal } from '@temporalio/activity';
import type { PageResult } from '../../src/domain/operations/jobs.ts';
import { runSyncSession } from './sync-session.ts';
import type { WatchContext } from './watch-mailbox.ts';

export const inboxActivities = (context: WatchContext) => ({
  /**
   * Keeps the mailboxes of a cluster connected for up to two hours; a cancel or a shutdown ends it
   * between two batches of messages. Safe to repeat: a batch and the cursor after it are one
   * transaction.
   */
  async syncClusterInbox({
    clusterId,
  }: {
    clusterId: number;
    operationId: number;
  }): Promise<PageResult> {
    return runSyncSession(context, clusterId, { signal: cancellationSignal() });
  },
});
