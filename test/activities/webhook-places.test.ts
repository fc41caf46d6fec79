/** Slow endpoints of one account take nothing from the quick ones of another. Choice 45. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWebhookWorld,
  type Endpoint,
  type WebhookWorld,
} from '../support/webhooks/webhook-world.ts';

// The product's own time-out is 15 s. Four times that lets a busy machine finish before a slow one answers.
const TIMEOUT_MS = 60_000;
const SLOW_MS = 56_000;
const PATIENCE_MS = 50_000;
const DELIVER_FOR_MS = 90_000;

let world: WebhookWorld;
const open = new Set<NodeJS.Timeout>();

beforeAll(async () => {
  world = await startWebhookWorld(TIMEOUT_MS);
});
afterAll(async () => {
  for (const timer of open) clearTimeout(timer);
  await world.close();
});

/** Answers 200 after so long. */
const after =
  (ms: number): Exclude<Endpoint['answer'], number> =>
  (response) => {
    const timer = setTimeout(() => {
      open.delete(timer);
      response.end();
    }, ms);
    open.add(timer);
  };

async function endpointsOf(userId: string, count: number, answer: Endpoint['answer']) {
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < count; n++) {
    const endpoint = Object.assign(world.endpoint(), { answer });
    endpoints.push(endpoint);
    await world.ok(userId, 'POST', '/v1/webhooks', { url: endpoint.url, events: ['*'] });
  }
  return endpoints;
}

const happen = (userId: string, count: number) =>
  world.happen(
    ...Array.from({ length: count }, (_, n) => ({
      userId,
      type: 'email.sent' as const,
      resource: `lead/${n}`,
      payload: { n },
    })),
  );

const EVENTS = 200;

/** Each counts once: one whose delivery was interrupted comes again. */
const eventsAt = ({ received }: Endpoint) => new Set(received.map(({ event }) => event.id)).size;

/** Whether it was done before any slow endpoint can have answered. */
async function isDoneBeforeTheSlow(isDone: () => boolean): Promise<boolean> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!isDone() && performance.now() < endsAt) await sleep(20);
  return isDone();
}

describe('twenty endpoints that answer just before the time-out', () => {
  it(
    'let another account’s quick one have its events before the first of them has answered',
    async () => {
      const [quick] = await endpointsOf('quick', 1, 200);
      await happen('quick', EVENTS);
      await world.deliver(() => quick!.received.length === EVENTS);
      expect(quick!.received).toHaveLength(EVENTS);
      const slow = await endpointsOf('slow', 20, after(SLOW_MS));
      await happen('slow', 50);
      let hasAll = false;
      await world.deliver(async () => {
        const isAtWork = slow.some(({ received }) => received.length > 0);
        if (!isAtWork) return false;
        await happen('quick', EVENTS);
        hasAll = await isDoneBeforeTheSlow(() => eventsAt(quick!) === 2 * EVENTS);
        return true;
      }, DELIVER_FOR_MS);
      expect({ hasAll, events: eventsAt(quick!) }).toEqual({ hasAll: true, events: 2 * EVENTS });
      // Each of theirs has its turn as well.
      expect(slow.filter(({ received }) => received.length > 0)).toHaveLength(20);
    },
    2 * DELIVER_FOR_MS,
  );
});

describe('twelve quick endpoints that turn slow all at once', () => {
  it(
    'leave another account’s quick one its turn',
    async () => {
      const turning = await endpointsOf('turning', 12, 200);
      const [quick] = await endpointsOf('other', 1, 200);
      await happen('turning', 5);
      await world.deliver(() => turning.every(({ received }) => received.length === 5));
      for (const endpoint of turning) endpoint.answer = after(SLOW_MS);
      await happen('turning', 100);
      let hasAll = false;
      await world.deliver(async () => {
        // Each of the 64 places is asked for by then.
        const waiting = turning.reduce((sum, { received }) => sum + received.length - 5, 0);
        if (waiting < 40) return false;
        await happen('other', 20);
        hasAll = await isDoneBeforeTheSlow(() => eventsAt(quick!) === 20);
        return true;
      }, DELIVER_FOR_MS);
      expect(hasAll).toBe(true);
    },
    2 * DELIVER_FOR_MS,
  );
});
