/** The flow of a bulk validation: many addresses, batch by batch. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface EmailVerification extends FlowOrder {
  jobId: number;
}

export const verifyEmailsFlow = defineFlow<EmailVerification>()({
  kind: 'verifyEmails',
  queue: WORKFLOW_QUEUE,
  resource: 'email_validation',
  resourceId: ({ jobId }) => jobId,
  workflowId: ({ jobId }: { jobId: number }) => `email-validation/${jobId}`,
  outcome: 'job',
  direction: 'back',
  priority: 'low',
});
