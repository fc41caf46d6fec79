/** Signals of `runCampaign`. Both only wake a sleeping campaign; what has changed is in its rows. */
import { defineSignal } from '@temporalio/workflow';

export const leadsAddedSignal = defineSignal('leadsAdded');
export const settingsChangedSignal = defineSignal('settingsChanged');
