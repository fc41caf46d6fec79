/**
 * Delivers what is due: fairly between accounts, with more concurrency for endpoints that answer
 * quickly.
 */
import type { Context } from '../../src/context.ts';
import {
  claimDeliveries,
  endAttempt,
  giveBack,
  listDueWebhooks,
  type DueDelivery,
} from '../../src/db/webhooks/webhook-queue.ts';
import {
  answerMsAfter,
  isOtherSpeed,
  placesFor,
  take,
  tallyOf,
  type DueEndpoint,
  type Flight,
} from '../../src/domain/webhooks/webhook-places.ts';
import {
  roundRobin,
  newRotation,
  noteServed,
  type Rotation,
} from '../../src/domain/webhooks/webhook-rotation.ts';
import { within } from '../engine/time-limit.ts';
import { attemptDelivery, resultOf } from './attempt.ts';
import { createBell, type Bell } from './bell.ts';

export type DeliveryContext = Pick<
  Context,
  'db' | 'cipher' | 'clock' | 'config' | 'logger' | 'webhookEndpoints'
>;

/** Longer than an attempt can last: a lease that is older belongs to a dead process. */
const LEASE_MS = 60_000;

/** At the end those under way have so long, and then once more to be given back: all others wait meanwhile. */
export const END_MS = 5_000;

const IDLE_MS = 1_000;
const SHORTEST_IDLE_MS = 200;

/** What hangs for longer is left: an attempt, or a claim; and at the end. */
export interface DeliveryLimits {
  attemptMs?: number;
  endMs?: number;
}

interface DeliverySession {
  flights: Set<Flight>;
  work: Set<Promise<void>>;
  rotation: Rotation;
  /** How quickly endpoints answer, as measured in this session. */
  answerMs: Map<number, number>;
  bell: Bell;
  signal: AbortSignal;
  attemptMs: number;
  /** A claim that was left may still go on: it begins nothing beside the next round. */
  isOver: boolean;
}

/**
 * Runs for `forMs`, or until `signal` fires; deliveries under way are then finished, or given back. What hangs is
 * left, and due again when its lease ends.
 * Several may run at once: leases keep them apart.
 */
export async function runDeliveries(
  context: DeliveryContext,
  {
    forMs,
    signal: ends,
    attemptMs = LEASE_MS,
    endMs = END_MS,
  }: { forMs: number; signal: AbortSignal } & DeliveryLimits,
): Promise<void> {
  const endsAt = performance.now() + forMs;
  const stop = new AbortController();
  const signal = AbortSignal.any([ends, stop.signal]);
  const sets = { flights: new Set<Flight>(), work: new Set<Promise<void>>() };
  const session = {
    ...sets,
    rotation: newRotation(),
    answerMs: new Map(),
    bell: createBell(),
    signal,
    attemptMs,
    isOver: false,
  };
  const idleMs = Math.max(SHORTEST_IDLE_MS, IDLE_MS * context.config.RETRY_PACE);
  signal.addEventListener('abort', session.bell.ring);
  try {
    while (!signal.aborted && performance.now() < endsAt) {
      const begun = await within(attemptMs, beginDue(context, session));
      // A delivery that ends frees capacity, and may have made the next event of its resource due.
      if (begun === 0) await session.bell.wait(idleMs);
    }
  } finally {
    session.isOver = true;
    const ended = () => within(endMs, Promise.all(session.work));
    await ended().catch(() => {
      stop.abort();
      return ended().catch(() => context.logger.error('deliveries hang and are left'));
    });
    signal.removeEventListener('abort', session.bell.ring);
    stop.abort();
  }
}

async function beginDue(context: DeliveryContext, session: DeliverySession): Promise<number> {
  let begun = 0;
  const due = await listDueWebhooks(context.db, context.clock.now());
  const tally = tallyOf(session.flights, performance.now());
  const accounts = new Set([...due.map(({ userId }) => userId), ...tally.ofAccount.keys()]).size;
  for (const row of roundRobin(due, session.rotation)) {
    const endpoint = { ...row, answerMs: session.answerMs.get(row.id) ?? row.answerMs };
    const { places, isSlow } = placesFor(endpoint, tally, accounts);
    if (places === 0) continue;
    if (session.isOver || session.signal.aborted) break;
    const now = context.clock.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const claim = { webhookId: row.id, limit: places, now, leasedUntil };
    const claimed = await claimDeliveries(context.db, claim);
    // Too late: their lease ends, if another round does not have them already.
    if (session.isOver) break;
    take(tally, row, { count: claimed.length, isSlow });
    for (const delivery of claimed) begin(context, session, delivery, { endpoint: row, isSlow });
    begun += claimed.length;
    noteServed(session.rotation, row);
  }
  return begun;
}

function begin(
  context: DeliveryContext,
  session: DeliverySession,
  delivery: DueDelivery,
  { endpoint, isSlow }: { endpoint: DueEndpoint; isSlow: boolean },
): void {
  const { id: webhookId, userId } = endpoint;
  const flight: Flight = { webhookId, userId, begunAt: performance.now(), isSlow };
  session.flights.add(flight);
  const { begunAt } = flight;
  const work = within(session.attemptMs, deliver(context, session, delivery, { endpoint, begunAt }))
    .catch((err: unknown) => {
      // Its lease expires, then it is retried.
      context.logger.error({ err, deliveryId: delivery.id }, 'a delivery was not noted');
    })
    .finally(() => {
      session.flights.delete(flight);
      session.work.delete(work);
      session.bell.ring();
    });
  session.work.add(work);
}

async function deliver(
  context: DeliveryContext,
  { answerMs: known, signal }: DeliverySession,
  delivery: DueDelivery,
  { endpoint, begunAt }: { endpoint: DueEndpoint; begunAt: number },
): Promise<void> {
  const answer = await attemptDelivery(context, delivery, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  const now = context.clock.now();
  // Aborted by us: that says nothing about the endpoint.
  if (!answer) return giveBack(context.db, delivery.id, now);
  const { id } = endpoint;
  const ms = answerMsAfter(known.get(id) ?? endpoint.answerMs, performance.now() - begunAt);
  known.set(id, ms);
  const reason = await endAttempt(context.db, delivery, {
    ...resultOf(context, delivery, answer, now),
    answerMs: isOtherSpeed(endpoint.answerMs, ms) ? ms : undefined,
    rules: { disableDays: context.config.WEBHOOK_DISABLE_DAYS, pace: context.config.RETRY_PACE },
  });
  if (reason) context.logger.warn({ webhookId: id, reason }, 'an endpoint was disabled');
}
