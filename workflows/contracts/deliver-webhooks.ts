/** Contract of `deliverWebhooks`, which a Schedule of earlier releases started: runs of it may be open. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const deliverWebhooksType = 'deliverWebhooks';
export const DELIVER_WEBHOOKS_SCHEDULE_ID = 'deliver-webhooks';

export interface DeliverWebhooksInput {
  pace: Pace;
}
