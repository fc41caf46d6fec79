/**
 * The port of clients' endpoints: addresses that strangers chose, which must never lead into our
 * network.
 */
import type { DeliveryAnswer } from '../../domain/webhooks/webhooks.ts';

export interface WebhookMessage {
  url: string;
  /** Each signs; the current one is first. */
  secrets: readonly string[];
  /** The event's id, the same at every attempt. */
  eventId: string;
  /** JSON, the same at every attempt. */
  body: string;
  /** Aborting it ends the attempt with a rejection. */
  signal?: AbortSignal | undefined;
}

export interface WebhookEndpoints {
  /** Why no endpoint may have this address, in words for the client; undefined when it may. */
  refusal(url: string): string | undefined;
  /**
   * One POST. MUST check the address that is dialled, follow no redirect, end within the time-out and
   * read a bounded part of the answer. A 2xx is success; every failure is answered, not thrown, in
   * words that reveal nothing of our network.
   */
  deliver(message: WebhookMessage): Promise<DeliveryAnswer>;
}
