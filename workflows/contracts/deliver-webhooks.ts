/** Contract of `deliverWebhooks`, which a Schedule starts: events to the endpoints of clients. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const deliverWebhooksType = 'deliverWebhooks';
export const DELIVER_WEBHOOKS_SCHEDULE_ID = 'deliver-webhooks';
/** How soon the next run follows one that has ended. */
export const DELIVER_WEBHOOKS_EVERY_SECONDS = 10;

export interface DeliverWebhooksInput {
  pace: Pace;
}
