/**
 * Task queues. Vendor calls have one of their own: eager dispatch could bypass its cap. Writes to our
 * own database have none and stay on the workflows' queue.
 */
export const WORKFLOW_QUEUE = 'outreach-workflows';
export const ACTIVITY_QUEUE = 'outreach-activities';
