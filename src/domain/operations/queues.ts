/**
 * Task queues. Vendor calls have some of their own: eager dispatch could bypass their caps. Writes to our
 * own database have none and stay on the workflows' queue. Rounds that send or read mail wait most
 * of their hours: they have a queue of their own, where very many may be open at once. Events for
 * clients have one, too: however many rounds are open, they are delivered. Registrars and VPS vendors
 * have one each, with the vendor's limit.
 */
export const WORKFLOW_QUEUE = 'outreach-workflows';
export const ACTIVITY_QUEUE = 'outreach-activities';
export const MAIL_QUEUE = 'outreach-mail';
export const WEBHOOK_QUEUE = 'outreach-webhooks';

/**
 * The queue of a registrar or VPS vendor. All workers together take no more from it than the vendor's
 * limit allows (`limit` in its adapter), whoever else is waiting. What a request asks by itself (check,
 * suggest, DNS routes, health) goes past it and waits out a refusal for its rate.
 * docs/workflow-rules.md#workers-and-queues.
 */
export const vendorQueue = (vendor: string): string => `outreach-vendor-${vendor}`;
