/** Task queues. Workflows have one of their own: eager dispatch could bypass an activity queue's cap. */
export const WORKFLOW_QUEUE = 'outreach-workflows';
export const ACTIVITY_QUEUE = 'outreach-activities';
