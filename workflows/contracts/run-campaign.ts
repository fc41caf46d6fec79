/** Signals of `runCampaign`. Both only wake a campaign that sleeps: what has changed stands in its rows. */
import { defineSignal } from '@temporalio/workflow';

export const leadsAddedSignal = defineSignal('leadsAdded');
export const settingsChangedSignal = defineSignal('settingsChanged');
