/** Deliveries to the endpoints of clients. */
import { cancellationSignal } from '@temporalio/activity';
import { pruneOldEvents } from './webhooks/prune-events.ts';
import { runDeliveries, type DeliveryContext } from './webhooks/run-deliveries.ts';

/** So long one activity goes on: few actions, and a new version of the code is soon at work. */
const ROUND_MS = 10 * 60_000;

export const webhookActivities = (context: DeliveryContext) => ({
  /**
   * Delivers what is due, for some minutes, and deletes what is old. Safe to repeat: at least once,
   * with a stable id.
   */
  async deliverDueWebhooks(): Promise<void> {
    const signal = cancellationSignal();
    const isOver = new AbortController();
    const pruning = pruneOldEvents(context, AbortSignal.any([signal, isOver.signal]));
    await runDeliveries(context, { forMs: ROUND_MS, signal }).finally(() => isOver.abort());
    await pruning;
  },
});
