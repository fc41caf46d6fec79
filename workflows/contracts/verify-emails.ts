/** The signal of `verifyEmails`: what its verifier lacked is there again. */
import { defineSignal } from '@temporalio/workflow';

export const lookNowSignal = defineSignal('lookNow');
