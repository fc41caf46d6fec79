/** Stripe's webhooks: signed, at least once, repeated while the API does not answer 2xx. */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxCore } from '../core.ts';
import type { Delivery, StripeRecords, StripeEvent } from './vendor-records.ts';
import { epochSeconds } from './wire.ts';

export const WEBHOOK_MODES = ['once', 'none', 'twice', 'late'] as const;
export type WebhookMode = (typeof WEBHOOK_MODES)[number];

export interface WebhookSender {
  /** Journals the deliveries of an event; resolves when the first was attempted (or needs none). */
  send(event: StripeEvent, mode: WebhookMode): Promise<Delivery[]>;
  /** Resumes what an earlier process left pending. */
  resume(): void;
}

/** Waits between attempts: 1, 2, 4 ... 64 s, then 64 s each time. */
const LONGEST_WAIT_MS = 64_000;
const MAX_ATTEMPTS = 200;
const LATE_MS = 10_000;
/** How long the API may take to answer one webhook. */
const ANSWER_TIMEOUT_MS = 10_000;
/** How long the control API waits for the first attempt before it answers anyway. */
const FIRST_ATTEMPT_MS = 5_000;

export function createWebhookSender(
  core: SandboxCore,
  vendorRecords: StripeRecords,
): WebhookSender {
  const deliver = async (id: string): Promise<void> => {
    while (!core.closing.aborted) {
      const delivery = vendorRecords.delivery(id)!;
      await core.pause(delivery.notBeforeMs - Date.now());
      if (core.closing.aborted) return;
      const after = withAttempt(core, delivery, await attempt(core, vendorRecords, delivery));
      vendorRecords.saveDelivery(after);
      firstAttempts.get(id)?.();
      if (after.state !== 'pending') return;
    }
  };
  const firstAttempts = new Map<string, () => void>();
  return {
    async send(event, mode) {
      const copies = { none: 0, once: 1, late: 1, twice: 2 }[mode];
      const delayMs = mode === 'late' ? LATE_MS / core.options.pace : 0;
      const deliveries = Array.from({ length: copies }, () =>
        newDelivery(vendorRecords, event, delayMs),
      );
      for (const delivery of deliveries) vendorRecords.saveDelivery(delivery);
      const tried = deliveries.map(
        ({ id }) => new Promise<void>((resolve) => firstAttempts.set(id, resolve)),
      );
      for (const { id } of deliveries) void deliver(id);
      const late = sleep(FIRST_ATTEMPT_MS, undefined, { ref: false });
      if (mode !== 'late') await Promise.race([Promise.all(tried), late]);
      return deliveries.map(({ id }) => vendorRecords.delivery(id)!);
    },
    resume() {
      for (const { id, state } of vendorRecords.deliveries())
        if (state === 'pending') void deliver(id);
    },
  };
}

/** `t=...,v1=...`: HMAC-SHA256 of "time.body". docs.stripe.com/webhooks#verify-manually */
export function signature(payload: string, secret: string, time = epochSeconds()): string {
  const digest = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
  return `t=${time},v1=${digest}`;
}

const newDelivery = (
  vendorRecords: StripeRecords,
  event: StripeEvent,
  delayMs: number,
): Delivery => ({
  id: vendorRecords.nextDeliveryId(),
  eventId: event.id,
  type: event.type,
  subject: (event.data.object as { id: string }).id,
  state: 'pending',
  notBeforeMs: Date.now() + delayMs,
  attempts: [],
});

type Attempt = Delivery['attempts'][number];

async function attempt(
  core: SandboxCore,
  vendorRecords: StripeRecords,
  { eventId }: Delivery,
): Promise<Attempt> {
  const at = new Date().toISOString();
  const payload = JSON.stringify(vendorRecords.event(eventId));
  const { webhookUrl, webhookSecret } = core.options;
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature(payload, webhookSecret),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([core.closing, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { at, status: response.status, error: null };
  } catch (error) {
    return { at, status: null, error: reasonOf(error) };
  }
}

function withAttempt(core: SandboxCore, delivery: Delivery, attempted: Attempt): Delivery {
  const attempts = [...delivery.attempts, attempted];
  const isTaken = attempted.status !== null && attempted.status >= 200 && attempted.status < 300;
  const waitMs = Math.min(2 ** (attempts.length - 1) * 1_000, LONGEST_WAIT_MS);
  const isOver = attempts.length >= MAX_ATTEMPTS;
  return {
    ...delivery,
    attempts,
    notBeforeMs: Date.now() + waitMs / core.options.pace,
    state: isTaken ? 'delivered' : isOver ? 'given_up' : 'pending',
  };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
