/** The client of the Outreach API. */
export type * from './api.ts';
export { isOutreachError, OutreachConnectionError, OutreachError } from './errors.ts';
export { createOutreach, type Outreach } from './outreach.ts';
export type { List, Page } from './pages.ts';
export type { CallOptions, Settings } from './settings.ts';
export {
  waitForCluster,
  waitForOperation,
  waitUntil,
  WaitFailedError,
  WaitTimeoutError,
  type WaitOptions,
} from './wait.ts';
export { verifyWebhook, WebhookVerificationError, type ReceivedWebhook } from './webhooks.ts';
