/** The flow of a placement test. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

/** Logins of seeds are never here: the activities read them, sealed, from their rows. */
export interface PlacementTesting extends FlowOrder {
  testId: number;
}

/** Sends a campaign's message to seed mailboxes, once each, and looks by IMAP where it landed. */
export const testPlacementFlow = defineFlow<PlacementTesting>()({
  kind: 'testPlacement',
  queue: WORKFLOW_QUEUE,
  resource: 'placement_test',
  resourceId: ({ testId }) => testId,
  workflowId: ({ testId }: { testId: number }) => `placement-test/${testId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'high',
});
