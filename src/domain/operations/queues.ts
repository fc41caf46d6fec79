/**
 * Task queues. Vendor calls have queues of their own: eager dispatch could bypass their caps. Writes to our
 * own database have none and stay on the workflows' queue. Sessions that send or read mail mostly wait: they
 * have a queue of their own, where very many may be open at once. Events for clients have one, too: they are
 * delivered however many sessions are open. Registrars and VPS vendors have one each, with the vendor's
 * limit.
 */
export const WORKFLOW_QUEUE = 'outreach-workflows';
export const ACTIVITY_QUEUE = 'outreach-activities';
export const MAIL_QUEUE = 'outreach-mail';
export const WEBHOOK_QUEUE = 'outreach-webhooks';

/**
 * The queue of a registrar or VPS vendor. All workers together take no more from it than the vendor's limit
 * (`limit` in its adapter) allows. Calls made directly by a request (check, suggest, DNS routes, health)
 * bypass it and wait out a rate-limit refusal. docs/workflow-rules.md#workers-and-queues.
 */
export const vendorQueue = (vendor: string): string => `outreach-vendor-${vendor}-whole`;

/**
 * Of runs that began before: with Temporal's usual parts, of which each has a part of the limit, so that a purchase waited 20 s
 * where it was its turn after two. It has a name of its own since what waits in the parts is not found in one.
 */
export const formerVendorQueue = (vendor: string): string => `outreach-vendor-${vendor}`;

/** What a worker process may be told to serve, each with one task queue, or with all vendors' queues. */
export const WORKER_ROLES = {
  workflows: WORKFLOW_QUEUE,
  activities: ACTIVITY_QUEUE,
  mail: MAIL_QUEUE,
  webhooks: WEBHOOK_QUEUE,
  vendors: 'outreach-vendor-*',
} as const;

export type WorkerRole = keyof typeof WORKER_ROLES;
