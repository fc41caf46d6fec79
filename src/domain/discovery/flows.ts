/** The flow of a discovery: leads from ad libraries, page by page. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface Discovery extends FlowOrder {
  processId: number;
}

export const discoverLeadsFlow = defineFlow<Discovery>()({
  kind: 'discoverLeads',
  queue: WORKFLOW_QUEUE,
  resource: 'lead_process',
  resourceId: ({ processId }) => processId,
  workflowId: ({ processId }: { processId: number }) => `discovery/${processId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'low',
});
