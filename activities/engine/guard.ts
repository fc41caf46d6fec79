/** What surrounds every activity: heartbeats, so that a killed worker is noticed, and one error form. */
import { activityInfo, Context as ActivityContext } from '@temporalio/activity';
import { createWaits, notingWaits, type Waits } from '../../src/tracing/waits.ts';
import { asFailure, type Attempts } from './failures.ts';

/**
 * A heartbeat may be late several times before the server gives the attempt to another worker.
 * The SDK would hold them back for 80 % of the time-out: see `maxHeartbeatThrottleInterval`.
 */
const HEARTBEATS_PER_TIMEOUT = 4;

// oxlint-disable-next-line typescript/no-explicit-any -- activities have any one argument
type Activity = (...input: any[]) => Promise<unknown>;

/** Wraps each activity of a list. */
export function guardAll<T extends Record<string, Activity>>(activities: T): T {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [name, guard(activity)]),
  ) as T;
}

function guard(activity: Activity): Activity {
  return async (...input) => {
    const waits = createWaits();
    const stop = startHeartbeats(waits);
    try {
      return await notingWaits(waits, () => activity(...input));
    } catch (error) {
      throw asFailure(error, attempts());
    } finally {
      stop();
    }
  };
}

/** The next wait by the policy, which a vendor's own wait may replace. */
function attempts(): Attempts {
  const { attempt, retryPolicy } = activityInfo();
  const { backoffCoefficient = 2, maximumInterval = Infinity } = retryPolicy ?? {};
  const firstMs = Number(retryPolicy?.initialInterval ?? 0);
  const backoffMs = firstMs * backoffCoefficient ** (attempt - 1);
  return { attempt, backoffMs: Math.min(backoffMs, Number(maximumInterval)) };
}

/** Each says what is waited for, if anything: Temporal's UI shows it beside the activity. */
function startHeartbeats(waits: Waits): () => void {
  const { heartbeatTimeoutMs } = activityInfo();
  if (!heartbeatTimeoutMs) return () => undefined;
  const context = ActivityContext.current();
  const beat = () => {
    const waitsFor = waits.words();
    context.heartbeat(...(waitsFor.length > 0 ? [{ waitsFor }] : []));
  };
  const timer = setInterval(beat, heartbeatTimeoutMs / HEARTBEATS_PER_TIMEOUT);
  return () => clearInterval(timer);
}
