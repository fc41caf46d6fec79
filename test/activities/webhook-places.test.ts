/** Slow endpoints of one account take nothing from the quick ones of another. Choice 45. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWebhookWorld,
  type Endpoint,
  type WebhookWorld,
} from '../support/webhooks/webhook-world.ts';

let world: WebhookWorld;
const open = new Set<NodeJS.Timeout>();

beforeAll(async () => {
  // The product's own time-out.
  world = await startWebhookWorld(15_000);
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

async function lasts(isDone: () => boolean, atMostMs = 40_000): Promise<number> {
  const startedAt = performance.now();
  while (!isDone() && performance.now() - startedAt < atMostMs) await sleep(20);
  return performance.now() - startedAt;
}

const lastsFor = async (isDone: () => boolean): Promise<number> => {
  const startedAt = performance.now();
  await world.deliver(isDone);
  return performance.now() - startedAt;
};

const SLOW_MS = 14_000;

describe('twenty endpoints that answer after 14 s', () => {
  it('let another account’s quick one have its events before the first of them has answered', async () => {
    const [quick] = await endpointsOf('quick', 1, 200);
    await happen('quick', EVENTS);
    const aloneMs = await lastsFor(() => quick!.received.length === EVENTS);
    const slow = await endpointsOf('slow', 20, after(SLOW_MS));
    await happen('slow', 50);
    // Before the first of theirs has answered, on a machine that is not busy.
    const patienceMs = Math.max(SLOW_MS, 4 * aloneMs);
    let besideMs = Infinity;
    await world.deliver(async () => {
      const isAtWork = slow.some(({ received }) => received.length > 0);
      if (!isAtWork) return false;
      await happen('quick', EVENTS);
      besideMs = await lasts(() => quick!.received.length === 2 * EVENTS, patienceMs);
      return true;
    });
    expect(besideMs).toBeLessThan(patienceMs);
    // Each of theirs has its turn as well.
    expect(slow.filter(({ received }) => received.length > 0)).toHaveLength(20);
  });
});

describe('twelve quick endpoints that turn slow all at once', () => {
  it('leave another account’s quick one its turn', async () => {
    const turning = await endpointsOf('turning', 12, 200);
    const [quick] = await endpointsOf('other', 1, 200);
    await happen('turning', 5);
    await world.deliver(() => turning.every(({ received }) => received.length === 5));
    for (const endpoint of turning) endpoint.answer = after(SLOW_MS);
    await happen('turning', 100);
    let ms = Infinity;
    await world.deliver(async () => {
      // Each of the 64 places is asked for by then.
      const waiting = turning.reduce((sum, { received }) => sum + received.length - 5, 0);
      if (waiting < 40) return false;
      await happen('other', 20);
      ms = await lasts(() => quick!.received.length === 20, 10_000);
      return true;
    });
    expect(ms).toBeLessThan(5_000);
  });
});
