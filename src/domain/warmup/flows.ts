/** The flow of a warm-up: messages between partners, day by day. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface WarmupRun extends FlowOrder {
  mailboxId: number;
}

/** `run` counts the warm-ups of a mailbox from 1: one that was stopped may be started again. */
export const warmUpMailboxFlow = defineFlow<WarmupRun>()({
  kind: 'warmUpMailbox',
  queue: WORKFLOW_QUEUE,
  resource: 'warmup',
  resourceId: ({ mailboxId }) => mailboxId,
  workflowId: ({ mailboxId, run }: { mailboxId: number; run: number }) =>
    run === 1 ? `warmup/${mailboxId}` : `warmup/${mailboxId}/${run}`,
  outcome: 'job',
  direction: 'forward',
  priority: 'normal',
});
