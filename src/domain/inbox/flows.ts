/** The flows of the inbox: reading its mailboxes, and sending what a person wrote. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface InboxSync extends FlowOrder {
  /** Of the cluster or, from the same sequence, of the account's connected mailboxes. */
  clusterId: number;
}

/**
 * Reads all mailboxes of a cluster, or the connected ones of an account, while it is live. `run` counts from 1:
 * a run that has ended although it is live is followed by the next.
 */
export const syncInboxFlow = defineFlow<InboxSync>()({
  kind: 'syncInbox',
  queue: WORKFLOW_QUEUE,
  resource: 'inbox_sync',
  resourceId: ({ clusterId }) => clusterId,
  workflowId: ({ clusterId, run }: { clusterId: number; run: number }) =>
    run === 1 ? `inbox/${clusterId}` : `inbox/${clusterId}/${run}`,
  outcome: 'job',
  direction: 'forward',
  priority: 'normal',
});

export interface Reply extends FlowOrder {
  outgoingId: number;
}

/** One message that a person wrote, sent once and put into the Sent folder. */
export const sendReplyFlow = defineFlow<Reply>()({
  kind: 'sendReply',
  queue: WORKFLOW_QUEUE,
  resource: 'outgoing_letter',
  resourceId: ({ outgoingId }) => outgoingId,
  workflowId: ({ outgoingId }: { outgoingId: number }) => `outgoing-letter/${outgoingId}`,
  outcome: 'job',
  direction: 'forward',
  priority: 'high',
});
