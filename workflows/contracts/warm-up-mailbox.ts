/** The signal of `warmUpMailbox`: it wakes the warm-up after the settings in its row have changed. */
import { defineSignal } from '@temporalio/workflow';

export const settingsSignal = defineSignal('settings');
