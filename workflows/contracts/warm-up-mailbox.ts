/** Contract of `warmUpMailbox`: messages between partners, day by day. */
import { defineSignal } from '@temporalio/workflow';
import type { JobInput } from './job.ts';

export const warmUpMailboxType = 'warmUpMailbox';

/** `run` counts the warm-ups of a mailbox from 1: one that was stopped may be started again. */
export const warmUpMailboxWorkflowId = (mailboxId: number, run: number) =>
  run === 1 ? `warmup/${mailboxId}` : `warmup/${mailboxId}/${run}`;

export interface WarmUpMailboxInput extends JobInput {
  mailboxId: number;
}

/** Wakes the warm-up: its settings have changed in its row. */
export const settingsSignal = defineSignal('settings');
