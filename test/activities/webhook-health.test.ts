/** Endpoints that take nothing are left alone, then disabled; their owner is told. Choice 45. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendDueNotices } from '../../activities/webhooks/send-notices.ts';
import { readOperatorNumbers } from '../../src/db/operations/operator-metrics.ts';
import { restSeconds } from '../../src/domain/webhooks/webhook-health.ts';
import { startSmtpScript, type SmtpScript } from '../support/mail/smtp-script.ts';
import {
  startWebhookWorld,
  type Endpoint,
  type WebhookWorld,
} from '../support/webhooks/webhook-world.ts';

const DAY = 86_400_000;

let world: WebhookWorld;
let relay: SmtpScript;
let users = 0;

beforeAll(async () => {
  relay = await startSmtpScript();
  world = await startWebhookWorld(4_000, {
    NOTIFY_SMTP_URL: 'smtps://notices:secret@mail.host.test',
    NOTIFY_FROM: 'outreach@host.test',
  });
});
afterAll(async () => {
  await world.close();
  await relay.close();
});

async function newClient(answer: Endpoint['answer'] = 500) {
  const userId = `health-${++users}`;
  const endpoint = Object.assign(world.endpoint(), { answer });
  const { id } = await world.ok(userId, 'POST', '/v1/webhooks', {
    url: endpoint.url,
    events: ['*'],
  });
  const happen = (count: number) =>
    world.happen(
      ...Array.from({ length: count }, (_, n) => ({
        userId,
        type: 'email.sent' as const,
        resource: `lead/${n}`,
        payload: {},
      })),
    );
  const path = `/v1/webhooks/${id}`;
  const read = () => world.ok(userId, 'GET', path);
  const patch = (body: object) => world.ok(userId, 'PATCH', path, body);
  const log = (query = '') => world.ok(userId, 'GET', `${path}/deliveries?limit=100${query}`);
  const disabled = () => world.ok(userId, 'GET', '/v1/events?types=webhook.disabled');
  return { userId, id: id as number, endpoint, happen, read, patch, log, disabled };
}

/** Delivers while the product's clock is so much ahead. */
async function later(ms: number, isDone?: () => boolean | Promise<boolean>, forMs?: number) {
  world.setClock(ms);
  await world.deliver(isDone, forMs);
  world.setClock(0);
}

const notices = () => sendDueNotices({ ...world.context, mailTransport: relay.transport });

describe('an endpoint that took nothing ten times in a row', () => {
  it('is left alone, then asked one thing, and gets all when it takes that', async () => {
    const { endpoint, happen, read, log } = await newClient();
    await happen(40);
    await world.deliver(undefined, 2_500);
    const asked = endpoint.received.length;
    // Ten, and those that were under way with the tenth; a rest at this pace is 3 s.
    expect(asked).toBeGreaterThanOrEqual(10);
    expect(asked).toBeLessThan(20);
    expect((await read()).failingSince).not.toBeNull();
    await later(4_000, () => endpoint.received.length > asked);
    expect(endpoint.received.length - asked).toBe(1);
    endpoint.answer = 200;
    endpoint.received.length = 0;
    await later(60_000, async () => (await log('&state=delivered')).length === 40);
    expect(new Set(endpoint.received.map(({ event }) => event.id)).size).toBe(40);
    expect(await read()).toMatchObject({ failingSince: null, isActive: true });
  });

  it('is left alone for 30 s, then twice as long each time, up to five minutes', () => {
    expect([10, 11, 12, 13, 14, 1_000].map(restSeconds)).toEqual([30, 60, 120, 240, 300, 300]);
  });

  it('is asked at once for a delivery that is queued again', async () => {
    const { userId, endpoint, happen, log } = await newClient();
    await happen(40);
    await world.deliver(undefined, 2_000);
    endpoint.answer = 200;
    const [{ id }] = await log();
    await world.ok(userId, 'POST', `/v1/webhooks/deliveries/${id}/redeliver`);
    await world.deliver(async () => (await log('&state=delivered')).length > 0, 2_500);
    expect((await log('&state=delivered')).length).toBeGreaterThan(0);
  });
});

describe('an endpoint that took nothing for five days', () => {
  it('is disabled, told of by an event, and gets what waits when it is enabled again', async () => {
    const { id, endpoint, happen, read, patch, log, disabled } = await newClient();
    await happen(12);
    await world.deliver(() => endpoint.received.length >= 10);
    await later(4.9 * DAY, undefined, 1_000);
    expect((await read()).isActive).toBe(true);
    await happen(1);
    await later(5.1 * DAY, async () => !(await read()).isActive);
    const shown = await read();
    expect(shown).toMatchObject({ isActive: false, disabledReason: 'failing' });
    expect(Date.parse(shown.disabledAt) - Date.parse(shown.failingSince)).toBeGreaterThan(5 * DAY);
    await expect
      .poll(disabled, { timeout: 45_000 })
      .toMatchObject([{ resource: `webhook/${id}`, data: { webhookId: id, reason: 'failing' } }]);
    const before = endpoint.received.length;
    await later(6 * DAY, undefined, 500);
    expect(endpoint.received.length).toBe(before);
    endpoint.answer = 200;
    const waiting = (await log('&state=pending')).length;
    expect(waiting).toBeGreaterThan(0);
    const enabled = await patch({ isActive: true });
    expect(enabled).toMatchObject({ isActive: true, disabledAt: null, disabledReason: null });
    expect(enabled.failingSince).toBeNull();
    await later(5.2 * DAY, async () => (await log('&state=pending')).length === 0);
    expect((await log('&state=delivered')).length).toBe(waiting);
  });

  it('is not disabled for a single failure long ago', async () => {
    const { endpoint, happen, read, log } = await newClient();
    await happen(1);
    await world.deliver(async () => (await log())[0].attempts === 1);
    await later(30 * DAY, async () => (await log('&state=failed')).length === 1);
    expect(endpoint.received).toHaveLength(2);
    expect((await read()).isActive).toBe(true);
  });
});

describe('an endpoint that answers 410', () => {
  it('is disabled at once, and the others of the account hear of it', async () => {
    const { userId, id, endpoint, happen, read } = await newClient(410);
    const other = world.endpoint();
    const events = ['webhook.disabled'];
    await world.ok(userId, 'POST', '/v1/webhooks', { url: other.url, events });
    await happen(1);
    await world.deliver(() => other.received.length === 1);
    expect(endpoint.received).toHaveLength(1);
    expect(await read()).toMatchObject({ isActive: false, disabledReason: 'gone' });
    await world.database.db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: new Date(Date.now() - 3 * 3_600_000) })
      .where('webhook_id', '=', id)
      .execute();
    // Nobody is to be woken for what waits for it.
    const { oldestWebhookSeconds } = await readOperatorNumbers(world.database.db);
    expect(oldestWebhookSeconds).toBeLessThan(3_600);
    expect(other.received[0]!.event).toMatchObject({
      type: 'webhook.disabled',
      resource: `webhook/${id}`,
      data: { webhookId: id, reason: 'gone' },
    });
  });

  it('stays in use where it has another URL by then', async () => {
    const { endpoint, happen, read, patch } = await newClient();
    let answer = () => {};
    endpoint.answer = (response) => {
      answer = () => void response.writeHead(410).end();
    };
    await happen(1);
    await world.deliver(async () => {
      if (endpoint.received.length === 0) return false;
      await patch({ url: `${endpoint.url}/new` });
      answer();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return true;
    });
    expect(await read()).toMatchObject({ isActive: true, disabledReason: null });
  });
});

describe('the message to the account', () => {
  const mine = (userId: string) => relay.taken.filter(({ to }) => to.startsWith(`${userId}@`));

  async function gone() {
    const client = await newClient(410);
    await client.happen(1);
    await world.deliver(async () => !(await client.read()).isActive);
    return client;
  }

  it('says which endpoint was disabled and why, once, by the relay', async () => {
    const { userId, id, endpoint } = await gone();
    await notices();
    await notices();
    const [message, ...more] = mine(userId);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ from: 'outreach@host.test', user: 'notices' });
    expect(message!.raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    const text = message!.raw.replaceAll(/=\r\n/g, '');
    expect(text).toContain(`Webhook ${id} at ${new URL(endpoint.url).host} was disabled`);
    expect(text).toContain('410 Gone');
    expect(text).not.toContain('/hook');
  });

  it('is sent again until the relay takes it', async () => {
    const { userId } = await gone();
    relay.twist = (step) => (step === 'AUTH' ? { reply: '535 5.7.8 No' } : undefined);
    await expect(notices()).rejects.toMatchObject({ kind: 'rejected' });
    relay.twist = () => undefined;
    await notices();
    expect(mine(userId)).toEqual([]);
    world.setClock(11 * 60_000);
    await notices();
    world.setClock(0);
    expect(mine(userId)).toHaveLength(1);
  });

  it('is given up where the relay refuses it', async () => {
    const { userId } = await gone();
    relay.twist = (step) => (step === 'RCPT' ? { reply: '550 5.1.1 No such user' } : undefined);
    await notices();
    relay.twist = () => undefined;
    world.setClock(11 * 60_000);
    await notices();
    world.setClock(0);
    expect(mine(userId)).toEqual([]);
  });

  it('comes once a day, however often the endpoint is enabled and disabled', async () => {
    const { userId, read, patch } = await gone();
    await notices();
    await patch({ isActive: true });
    await world.deliver(async () => !(await read()).isActive);
    await notices();
    expect(mine(userId)).toHaveLength(1);
  });

  it('is not sent where the service has no relay', async () => {
    const { userId } = await gone();
    const config = { ...world.context.config, NOTIFY_SMTP_URL: undefined };
    await sendDueNotices({ ...world.context, config, mailTransport: relay.transport });
    expect(mine(userId)).toEqual([]);
    await notices();
    expect(mine(userId)).toHaveLength(1);
  });
});
