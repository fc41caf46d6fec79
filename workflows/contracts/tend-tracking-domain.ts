/** The signal of `tendTrackingDomain`: its owner wants it looked at now. */
import { defineSignal } from '@temporalio/workflow';

export const lookNowSignal = defineSignal('lookNow');
