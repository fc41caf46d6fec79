/** The signal of `sendReply`: the row of its message was changed while it waits for its time. */
import { defineSignal } from '@temporalio/workflow';

export const scheduleChangedSignal = defineSignal('scheduleChanged');
