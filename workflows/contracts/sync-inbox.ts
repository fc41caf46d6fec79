/**
 * The signal of `syncInbox`: it wakes the sync; which mailbox is to be read now stands in that mailbox's
 * row.
 */
import { defineSignal } from '@temporalio/workflow';

export const syncNowSignal = defineSignal('syncNow');
