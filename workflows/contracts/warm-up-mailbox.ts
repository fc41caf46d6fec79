/** The signal of `warmUpMailbox`: it wakes the warm-up; its settings have changed in its row. */
import { defineSignal } from '@temporalio/workflow';

export const settingsSignal = defineSignal('settings');
