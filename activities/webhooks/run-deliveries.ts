/** Delivers what is due: a few at a time to each endpoint, in turns, however slow the others are. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/context.ts';
import {
  claimDeliveries,
  endAttempt,
  giveBack,
  listDueWebhooks,
  type DueDelivery,
} from '../../src/db/webhook-queue.ts';
import { attemptDelivery, endOf } from './attempt.ts';

export type DeliveryContext = Pick<
  Context,
  'db' | 'cipher' | 'clock' | 'config' | 'logger' | 'webhookEndpoints'
>;

/** At once, over all endpoints and to one of them. */
const MAX_AT_ONCE = 64;
const MAX_PER_ENDPOINT = 8;

/** An endpoint that took nothing so often in a row gets one at a time, and has not more than a part. */
const FAILURES_IN_A_ROW = 5;
const MAX_AT_FAILING = 32;

/** Longer than an attempt can last: who still holds a delivery by then is dead. */
const LEASE_MS = 60_000;

const IDLE_MS = 1_000;
const SHORTEST_IDLE_MS = 200;

interface Lane {
  inFlight: number;
  /** Attempts in a row that came to nothing, as far as this process has seen. */
  failures: number;
}

interface Round {
  lanes: Map<number, Lane>;
  open: Set<Promise<void>>;
  /** The endpoint that was served last: the next one has the first turn. */
  last: number;
}

/**
 * Goes on for `forMs`, or until `signal` fires; what is under way then is finished, or given back.
 * Several may run at once: leases keep them apart.
 */
export async function runDeliveries(
  context: DeliveryContext,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<void> {
  const endsAt = performance.now() + forMs;
  const round: Round = { lanes: new Map(), open: new Set(), last: 0 };
  const idleMs = Math.max(SHORTEST_IDLE_MS, IDLE_MS * context.config.RETRY_PACE);
  try {
    while (!signal.aborted && performance.now() < endsAt) {
      const begun = await beginDue(context, round, signal);
      // Whoever ends makes room, and may have woken the next of its resource.
      if (begun === 0) await Promise.race([pause(idleMs, signal), ...round.open]);
    }
  } finally {
    await Promise.all(round.open);
  }
}

async function beginDue(
  context: DeliveryContext,
  round: Round,
  signal: AbortSignal,
): Promise<number> {
  let begun = 0;
  const due = await listDueWebhooks(context.db, context.clock.now());
  for (const webhookId of inTurns(due, round.last)) {
    const limit = placesFor(round, webhookId);
    if (limit <= 0) continue;
    const now = context.clock.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const claimed = await claimDeliveries(context.db, { webhookId, limit, now, leasedUntil });
    for (const delivery of claimed) begin(context, round, delivery, signal);
    begun += claimed.length;
    round.last = webhookId;
    if (round.open.size >= MAX_AT_ONCE || signal.aborted) break;
  }
  return begun;
}

/** Those behind the one that was served last come first. */
const inTurns = (ids: readonly number[], last: number): number[] => [
  ...ids.filter((id) => id > last),
  ...ids.filter((id) => id <= last),
];

function placesFor({ lanes, open }: Round, webhookId: number): number {
  const { inFlight, failures } = lanes.get(webhookId) ?? NOBODY;
  const free = MAX_AT_ONCE - open.size;
  if (failures < FAILURES_IN_A_ROW) return Math.min(free, MAX_PER_ENDPOINT - inFlight);
  const atFailing = [...lanes.values()]
    .filter((lane) => lane.failures >= FAILURES_IN_A_ROW)
    .reduce((sum, lane) => sum + lane.inFlight, 0);
  return Math.min(free, 1 - inFlight, MAX_AT_FAILING - atFailing);
}

const NOBODY: Lane = { inFlight: 0, failures: 0 };

function begin(
  context: DeliveryContext,
  round: Round,
  delivery: DueDelivery,
  signal: AbortSignal,
): void {
  const lane = round.lanes.get(delivery.webhook_id) ?? { ...NOBODY };
  round.lanes.set(delivery.webhook_id, lane);
  lane.inFlight += 1;
  const work = deliver(context, delivery, signal)
    .then((isTaken) => {
      if (isTaken !== undefined) lane.failures = isTaken ? 0 : lane.failures + 1;
    })
    .catch((err: unknown) => {
      // Its lease runs out, then it is tried again.
      context.logger.error({ err, deliveryId: delivery.id }, 'a delivery was not noted');
    })
    .finally(() => {
      lane.inFlight -= 1;
      round.open.delete(work);
    });
  round.open.add(work);
}

/** Whether the endpoint took it; undefined when the attempt was cut off from our side. */
async function deliver(
  context: DeliveryContext,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const answer = await attemptDelivery(context, delivery, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  const now = context.clock.now();
  if (!answer) {
    await giveBack(context.db, delivery.id, now);
    return undefined;
  }
  await endAttempt(context.db, delivery, endOf(context, delivery, answer, now));
  return answer.error === null;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
