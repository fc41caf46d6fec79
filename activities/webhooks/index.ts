/** Deliveries to the endpoints of clients. */
import { cancellationSignal } from '@temporalio/activity';
import { pruneOldEntries } from './prune-audit-log.ts';
import { judgeFetches } from './judge-fetches.ts';
import { pruneOldEvents } from './prune-events.ts';
import { within } from '../engine/time-limit.ts';
import {
  END_MS,
  runDeliveries,
  type DeliveryContext,
  type DeliveryLimits,
} from './run-deliveries.ts';
import { sendNotices, type NoticeContext } from './send-notices.ts';

/** How long one activity runs: few actions, and a new version of the code takes over soon. */
const SESSION_MS = 10 * 60_000;

/**
 * Delivers what is due, for a while, deletes old events and old entries of the audit log, notifies accounts of
 * disabled endpoints, and judges who fetched the links of messages. Safe to repeat: at least once, with a stable id.
 */
export async function deliverFor(
  context: DeliveryContext & NoticeContext,
  { forMs, signal, ...limits }: { forMs: number; signal: AbortSignal } & DeliveryLimits,
): Promise<void> {
  const isOver = new AbortController();
  const untilOver = AbortSignal.any([signal, isOver.signal]);
  const beside = [
    pruneOldEvents(context, untilOver),
    pruneOldEntries(context, untilOver),
    sendNotices(context, untilOver),
    judgeFetches(context, untilOver),
  ];
  await runDeliveries(context, { forMs, signal, ...limits }).finally(() => isOver.abort());
  // Deliveries wait for none of these: what is not done now is done in the next round.
  await within(limits.endMs ?? END_MS, Promise.all(beside)).catch((err: unknown) =>
    context.logger.error({ err }, 'what goes on beside deliveries hangs and is left'),
  );
}

export const webhookActivities = (context: DeliveryContext & NoticeContext) => ({
  /** `deliverFor` as an activity, for runs that began before it was standing work of the workers. */
  deliverDueWebhooks: (): Promise<void> =>
    deliverFor(context, { forMs: SESSION_MS, signal: cancellationSignal() }),
});
