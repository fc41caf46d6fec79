/** Terms and rules of deliveries to clients' endpoints. Choice 45. */
import type { Mode } from '../accounts/modes.ts';
import type { EventType } from './events.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** All types, future ones included. */
export const ALL_EVENTS = '*';

/** How long the previous secret signs as well. */
export const SECRET_GRACE_HOURS = 24;

/** An event as clients see it: in the body of a delivery, and in `GET /v1/events`. */
export interface EventMessage {
  /** `evt_<id>`, the same at every attempt. */
  id: string;
  type: EventType | 'webhook.test';
  createdAt: string;
  /** `test`: it happened in the sandbox. */
  mode: Mode;
  resource: string;
  data: Record<string, unknown>;
}

/** The result of one attempt; `status` is null when there was no answer. */
export interface DeliveryAnswer {
  status: number | null;
  /** In our words; null when the endpoint accepted it. */
  error: string | null;
}

const FIRST_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 3_600;

/** Seconds until the next attempt after this many: 30, 60, 120 and so on up to an hour. */
export const retrySeconds = (attempts: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(attempts - 1, 20), LONGEST_RETRY_SECONDS);

export const eventId = (id: number): string => `evt_${id}`;

/** The number in `evt_<number>`; undefined for anything else. */
export function numberOfEvent(id: string): number | undefined {
  const digits = /^evt_(\d{1,15})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export const eventMessage = (
  event: {
    id: number;
    type: EventType;
    created_at: Date;
    resource: string;
    payload: Record<string, unknown>;
  },
  mode: Mode,
): EventMessage => ({
  id: eventId(event.id),
  type: event.type,
  createdAt: event.created_at.toISOString(),
  mode,
  resource: event.resource,
  data: event.payload,
});
