/** The signal of `syncInbox`: it wakes the sync; which mailbox somebody waits for stands in its row. */
import { defineSignal } from '@temporalio/workflow';

export const syncNowSignal = defineSignal('syncNow');
