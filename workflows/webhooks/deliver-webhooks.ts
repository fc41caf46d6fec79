/** Delivers events to the endpoints of clients, for runs from before that was standing work of the workers. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { DeliverWebhooksInput } from '../contracts/deliver-webhooks.ts';
import { policies } from '../engine/policies.ts';

export async function deliverWebhooks({ pace }: DeliverWebhooksInput): Promise<void> {
  const { deliverDueWebhooks } = proxyActivities<Activities>(policies(pace).deliverySession);
  const summary = 'Deliver events to the endpoints of clients';
  await deliverDueWebhooks.executeWithOptions({ activityId: 'deliver', summary }, []);
}
