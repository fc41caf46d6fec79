/** Deliveries where an answer never comes: what hangs is left, and all others go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { judgeFetches } from '../../activities/webhooks/judge-fetches.ts';
import { deliverFor } from '../../activities/webhooks/index.ts';
import { runDeliveries } from '../../activities/webhooks/run-deliveries.ts';
import { sendDueNotices } from '../../activities/webhooks/send-notices.ts';
import type { Context } from '../../src/context.ts';
import { silentAt, type Silence } from '../support/tools/silence.ts';
import { startWebhookWorld, type WebhookWorld } from '../support/webhooks/webhook-world.ts';

/** A round that is not over by then is held up by what hangs. */
const TIME_LIMIT = 60_000;
const LIMITS = { attemptMs: 10_000, endMs: 700 };

let world: WebhookWorld;
let users = 0;
const silences: Silence[] = [];
beforeAll(async () => void (world = await startWebhookWorld(TIME_LIMIT)));
afterEach(() => {
  for (const silence of silences.splice(0)) silence.end();
});
afterAll(() => world.close());

async function newClient() {
  const userId = `hangs-${++users}`;
  const endpoint = world.endpoint();
  const input = { url: endpoint.url, events: ['*'] };
  const { id } = await world.ok(userId, 'POST', '/v1/webhooks', input);
  const sent = (resource: string) =>
    world.happen({ userId, type: 'email.sent', resource, payload: {} });
  const log = (): Promise<{ state: string; attempts: number }[]> =>
    world.ok(userId, 'GET', `/v1/webhooks/${id}/deliveries`);
  const isDelivered = async () => (await log())[0]?.state === 'delivered';
  return { endpoint, sent, log, isDelivered };
}

const silent = (only: RegExp) => {
  const silence = silentAt(1, only);
  silences.push(silence);
  return silence;
};

/** A round of deliveries, as a worker has one after the other. */
const round = (context = world.context, limits = LIMITS) =>
  deliverFor(context, { forMs: 1_000, signal: new AbortController().signal, ...limits });

/** A round that lasts until this is so. */
async function roundUntil(
  isSo: () => boolean | Promise<boolean>,
  context = world.context,
  limits = LIMITS,
): Promise<void> {
  const ending = new AbortController();
  const running = deliverFor(context, { forMs: TIME_LIMIT, signal: ending.signal, ...limits });
  running.catch(() => undefined);
  await expect.poll(async () => isSo()).toBe(true);
  ending.abort();
  await running;
}

describe('a round of deliveries', () => {
  it(
    'leaves an attempt that never ends, and another round makes it again when its lease has ended',
    async () => {
      const [stuck, other] = [await newClient(), await newClient()];
      const { webhookEndpoints } = world.context;
      const deliver: typeof webhookEndpoints.deliver = (message) =>
        message.url === stuck.endpoint.url
          ? new Promise(() => undefined)
          : webhookEndpoints.deliver(message);
      let left = 0;
      const logger = Object.assign(Object.create(world.context.logger) as Context['logger'], {
        error: () => (left += 1),
      });
      const endpoints = { ...webhookEndpoints, deliver };
      const context = { ...world.context, logger, webhookEndpoints: endpoints };
      await stuck.sent('lead/1');
      await other.sent('lead/2');
      await roundUntil(() => left === 1, context, { ...LIMITS, attemptMs: 2_000 });
      expect(await other.log()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
      expect(await stuck.log()).toMatchObject([{ state: 'pending', attempts: 0 }]);
      world.setClock(61_000);
      await roundUntil(stuck.isDelivered);
      world.setClock(0);
      expect(await stuck.log()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    },
    TIME_LIMIT,
  );

  it(
    'gives back at its end what an endpoint has not taken yet, which is no failure of it',
    async () => {
      const slow = await newClient();
      slow.endpoint.answer = () => undefined;
      await slow.sent('lead/1');
      const startedAt = Date.now();
      await round(world.context, { ...LIMITS, attemptMs: 50_000 });
      expect(Date.now() - startedAt).toBeLessThan(30_000);
      expect(await slow.log()).toMatchObject([{ state: 'pending', attempts: 0 }]);
      slow.endpoint.answer = 200;
      await roundUntil(slow.isDelivered);
      expect(await slow.log()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    },
    TIME_LIMIT,
  );

  it(
    'ends where its claim has no answer, so that the next one begins',
    async () => {
      const client = await newClient();
      await client.sent('lead/1');
      const silence = silent(/leased_until/);
      const context = { ...world.context, db: silence.db(world.database.db) };
      const hung = runDeliveries(context, {
        forMs: 1_000,
        signal: new AbortController().signal,
        attemptMs: 2_500,
      });
      await expect(hung).rejects.toThrow('No end within');
      expect(silence.isReached()).toBe(true);
    },
    TIME_LIMIT,
  );

  it.each([
    ['look at what is due', /with recursive waiting/],
    ['claim', /leased_until/],
  ])(
    'begins nothing after its end, when the answer to its %s comes after all',
    async (_what, only) => {
      const client = await newClient();
      await client.sent('lead/1');
      const silence = silent(only);
      const context = { ...world.context, db: silence.db(world.database.db) };
      const { signal } = new AbortController();
      const hung = runDeliveries(context, { forMs: 1_000, signal, attemptMs: 2_500 });
      await expect(hung).rejects.toThrow('No end within');
      silence.end();
      await sleep(2_000);
      expect(client.endpoint.received).toHaveLength(0);
      world.setClock(61_000);
      await roundUntil(client.isDelivered);
      world.setClock(0);
      expect(client.endpoint.received).toHaveLength(1);
      expect(await client.log()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    },
    TIME_LIMIT,
  );

  it.each([
    ['old events', /from events/],
    ['the audit log', /audit_log/],
    ['who fetched links', /fetches/],
  ])(
    'ends and delivers while the answer about %s never comes',
    async (_what, only) => {
      const client = await newClient();
      await client.sent('lead/1');
      const silence = silent(only);
      const isSo = async () => silence.isReached() && (await client.isDelivered());
      await roundUntil(isSo, { ...world.context, db: silence.db(world.database.db) });
      expect(client.endpoint.received).toHaveLength(1);
    },
    TIME_LIMIT,
  );
});

describe('what goes on beside deliveries', () => {
  it(
    'judges fetches of links again after an answer that never came',
    { timeout: TIME_LIMIT },
    async () => {
      const stop = new AbortController();
      const silence = silent(/fetches/);
      const context = { ...world.context, db: silence.db(world.database.db) };
      const judging = judgeFetches(context, stop.signal, 500);
      await expect.poll(() => silence.answers(), { timeout: 45_000 }).toBeGreaterThan(1);
      stop.abort();
      await judging;
    },
  );

  it('leaves a notice whose relay never answers', { timeout: TIME_LIMIT }, async () => {
    const silence = silent(/notice_due_at/);
    const context = {
      ...world.context,
      db: silence.db(world.database.db),
      config: {
        ...world.context.config,
        NOTIFY_SMTP_URL: 'smtps://user:pass@relay.example.com',
        NOTIFY_FROM: 'service@example.com',
      },
    };
    await expect(sendDueNotices(context, undefined, 500)).rejects.toThrow('No end within');
  });
});
