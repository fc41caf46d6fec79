/** Contract of `syncInbox`: reads all mailboxes of a cluster, for as long as the cluster lives. */
import { defineSignal } from '@temporalio/workflow';
import type { JobInput } from './job.ts';

export const syncInboxType = 'syncInbox';
export const syncInboxWorkflowId = (clusterId: number) => `inbox/${clusterId}`;

export interface SyncInboxInput extends JobInput {
  clusterId: number;
}

/** Wakes the sync; which mailbox somebody waits for stands in its row. */
export const syncNowSignal = defineSignal('syncNow');
