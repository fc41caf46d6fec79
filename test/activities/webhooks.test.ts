/** Deliveries: at least once, in order per resource, whatever the endpoints do. Choice 45. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultOf } from '../../activities/webhooks/attempt.ts';
import { claimDeliveries } from '../../src/db/webhooks/webhook-queue.ts';
import { createWebhookEndpoints } from '../../src/providers/webhook-endpoints/index.ts';
import { retrySeconds } from '../../src/domain/webhooks/webhooks.ts';
import { addMessage, addMailbox } from '../support/inbox/inbox-messages.ts';
import {
  startWebhookWorld,
  type Endpoint,
  type WebhookWorld,
} from '../support/webhooks/webhook-world.ts';

const HOUR = 3_600_000;

let world: WebhookWorld;
let users = 0;

beforeAll(async () => {
  world = await startWebhookWorld();
});
afterAll(() => world.close());

async function newClient(events: string[] = ['*']) {
  const userId = `hooks-${++users}`;
  const endpoint = world.endpoint();
  const { id, secret } = await world.ok(userId, 'POST', '/v1/webhooks', {
    url: endpoint.url,
    events,
  });
  const sent = (resource: string, n: number) =>
    world.happen({ userId, type: 'email.sent', resource, payload: { n } });
  const log = (query = ''): Promise<{ state: string; attempts: number; lastError: string }[]> =>
    world.ok(userId, 'GET', `/v1/webhooks/${id}/deliveries${query}`);
  return { userId, endpoint, id: id as number, secret: secret as string, sent, log };
}

const got = ({ received }: Endpoint) =>
  received.map(({ event }) => `${event.resource}:${event.data.n}`);

describe('a delivery', () => {
  it('is what the event says, signed with the secret, and only for the types that were asked for', async () => {
    const { userId, endpoint, secret, log } = await newClient(['email.replied']);
    await world.happen(
      { userId, type: 'email.sent', resource: 'lead/1', payload: {} },
      { userId, type: 'email.replied', resource: 'lead/1', payload: { leadId: 1 } },
    );
    await world.deliver(async () => (await log('?state=delivered')).length > 0);
    const [{ event, body, signature, headers }] = endpoint.received as [
      Endpoint['received'][number],
    ];
    expect(endpoint.received).toHaveLength(1);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_\d+$/),
      type: 'email.replied',
      mode: 'live',
      createdAt: expect.stringMatching(/Z$/),
      resource: 'lead/1',
      data: { leadId: 1 },
    });
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!;
    expect(mac).toBe(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
    // Standard Webhooks: the key is base64 behind the prefix.
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(key).toHaveLength(48);
    const signed = createHmac('sha256', key).update(`${event.id}.${time}.${body}`).digest('base64');
    expect(headers).toMatchObject({
      'webhook-id': event.id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signed}`,
    });
    expect(await log()).toMatchObject([
      { state: 'delivered', attempts: 1, lastStatus: 200, eventType: 'email.replied' },
    ]);
  });

  it('of an answer tells who wrote what to the endpoint that asked for it, and to no other', async () => {
    const { database } = world;
    const { userId, endpoint, id } = await newClient(['message.received']);
    const { mailboxId } = await addMailbox(database.db, userId);
    const message = { from: 'ada@client.test', subject: 'Re: Offer' };
    const { id: inboxId } = await addMessage(database.db, { userId, mailboxId, ...message });
    const answer = {
      userId,
      type: 'message.received' as const,
      resource: 'lead/1',
      payload: { inboxId },
    };
    await world.happen(answer);
    await world.deliver(() => endpoint.received.length === 1);
    const changed = await world.ok(userId, 'PATCH', `/v1/webhooks/${id}`, { includeContent: true });
    expect(changed).toMatchObject({ includeContent: true });
    await world.happen(answer);
    await world.deliver(() => endpoint.received.length === 2);
    await database.db.deleteFrom('messages').where('id', '=', inboxId).execute();
    await world.happen(answer);
    await world.deliver(() => endpoint.received.length === 3);
    const snippet = 'Hi there';
    expect(endpoint.received.map(({ event }) => event.data)).toEqual([
      { inboxId },
      { inboxId, from: message.from, fromName: null, subject: message.subject, snippet },
      { inboxId },
    ]);
  });

  it('is tried again with the same id until the endpoint takes it', async () => {
    const { endpoint, sent, log } = await newClient();
    endpoint.answer = 500;
    await sent('lead/2', 1);
    await world.deliver(async () => (await log())[0]!.attempts > 0);
    expect(await log()).toMatchObject([
      { state: 'pending', attempts: 1, lastStatus: 500, lastError: 'The endpoint answered 500' },
    ]);
    endpoint.answer = 200;
    world.setClock(31_000);
    await world.deliver(async () => (await log('?state=delivered')).length > 0);
    world.setClock(0);
    const ids = endpoint.received.map(({ body }) => body);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(await log()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('waits 30 s, then twice as long each time, up to an hour', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map(retrySeconds)).toEqual([
      30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600,
    ]);
  });

  it.each([
    [
      'redirects',
      'redirected (302)',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    ],
    ['says nothing', 'in time', () => undefined],
    ['hangs up', 'broke the connection', (response) => response.destroy()],
  ] satisfies [string, string, Exclude<Endpoint['answer'], number>][])(
    'fails at an endpoint that %s',
    async (_name, words, answer) => {
      const { endpoint, sent, log } = await newClient();
      endpoint.answer = answer;
      await sent('lead/3', 1);
      await world.deliver(async () => (await log())[0]!.attempts > 0);
      const [row] = await log();
      expect(row!.lastError).toContain(words);
      expect(row!.state).toBe('pending');
    },
  );

  it('is taken by its status, however long the answer goes on', async () => {
    const { endpoint, sent, log } = await newClient();
    endpoint.answer = (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'.repeat(100_000)), 5);
      response.on('close', () => clearInterval(drip));
    };
    await sent('lead/4', 1);
    await world.deliver(async () => (await log('?state=delivered')).length > 0);
    expect(await log()).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
  });
});

describe('the order of events', () => {
  it('holds per resource: later ones wait, other resources go on', async () => {
    const { endpoint, sent, log } = await newClient();
    let isBroken = true;
    endpoint.answer = (response, { event }) =>
      void response.writeHead(isBroken && event.resource === 'lead/a' ? 503 : 200).end();
    for (let n = 1; n <= 5; n++) {
      await sent('lead/a', n);
      await sent('lead/b', n);
    }
    await world.deliver(async () => (await log('?state=delivered')).length === 5);
    expect(got(endpoint).filter((each) => each.startsWith('lead/b'))).toEqual(
      [1, 2, 3, 4, 5].map((n) => `lead/b:${n}`),
    );
    expect(new Set(got(endpoint).filter((each) => each.startsWith('lead/a')))).toEqual(
      new Set(['lead/a:1']),
    );
    isBroken = false;
    world.setClock(HOUR);
    await world.deliver(async () => (await log('?state=delivered')).length === 10);
    world.setClock(0);
    const inOrder = got(endpoint).filter((each) => each.startsWith('lead/a'));
    expect([...new Set(inOrder)]).toEqual([1, 2, 3, 4, 5].map((n) => `lead/a:${n}`));
  });
});

describe('a change of the endpoint', () => {
  it.each([
    ['another URL', (url: string) => [{ url: `${url}/new` }]],
    ['a pause that is over', () => [{ isActive: false }, { isActive: true }]],
  ])('makes due at once what waited for it: %s', async (_name, changes) => {
    const { userId, endpoint, id, sent, log } = await newClient();
    endpoint.answer = 500;
    await sent('lead/g', 1);
    await sent('lead/g', 2);
    await world.deliver(async () => (await log()).at(-1)!.attempts > 0);
    await world.database.db
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: new Date(Date.now() + HOUR) })
      .where('webhook_id', '=', id)
      .where('next_attempt_at', 'is not', null)
      .execute();
    endpoint.answer = 200;
    await world.ok(userId, 'PATCH', `/v1/webhooks/${id}`, { description: 'the same endpoint' });
    expect(await log('?state=pending')).toHaveLength(2);
    for (const change of changes(endpoint.url)) {
      await world.ok(userId, 'PATCH', `/v1/webhooks/${id}`, change);
    }
    await world.deliver(async () => (await log('?state=delivered')).length === 2);
    expect(await log('?state=delivered')).toHaveLength(2);
  });
});

describe('an endpoint that is down for three days', () => {
  it('loses nothing: given up after its time, tried at least once, and delivered on request', async () => {
    const { userId, endpoint, id, sent, log } = await newClient();
    endpoint.answer = 500;
    await sent('lead/c', 1);
    await sent('lead/c', 2);
    const oldest = async () => (await log()).at(-1)!;
    await world.deliver(async () => (await oldest()).attempts === 1);
    world.setClock(71 * HOUR);
    await world.deliver(async () => (await oldest()).attempts === 2);
    expect((await log('?state=pending')).length).toBe(2);
    world.setClock(73 * HOUR);
    await world.deliver(async () => (await log('?state=failed')).length === 2);
    expect(await log()).toMatchObject([
      { state: 'failed', attempts: 1 },
      { state: 'failed', attempts: 3 },
    ]);
    world.setClock(0);
    endpoint.answer = 200;
    endpoint.received.length = 0;
    const failed: { id: number }[] = await world.ok(
      userId,
      'GET',
      `/v1/webhooks/${id}/deliveries?state=failed`,
    );
    for (const each of failed) {
      await world.ok(userId, 'POST', `/v1/webhooks/deliveries/${each.id}/redeliver`);
    }
    await world.deliver(async () => (await log('?state=delivered')).length === 2);
    expect(got(endpoint)).toEqual(['lead/c:1', 'lead/c:2']);
  });

  it('slows nobody else, and gets few requests itself', async () => {
    const { context } = world;
    const usual = context.webhookEndpoints;
    // No attempt at the dead one ends in this test, however long a busy machine takes for it.
    const patient = { ...world.web.options, allowHttp: true, timeoutMs: 120_000 };
    context.webhookEndpoints = createWebhookEndpoints(patient);
    const dead = await newClient();
    const other = await newClient();
    dead.endpoint.answer = () => undefined;
    for (let n = 0; n < 300; n++) await dead.sent(`lead/${n}`, n);
    const watching = world.deliver(() => other.endpoint.received.length === 20, 170_000);
    try {
      for (let n = 0; n < 20; n++) {
        await other.sent('lead/x', n);
        await expect.poll(() => other.endpoint.received.length).toBeGreaterThan(n);
      }
    } finally {
      await watching.finally(() => (context.webhookEndpoints = usual));
    }
    expect(got(other.endpoint)).toEqual(Array.from({ length: 20 }, (_, n) => `lead/x:${n}`));
    expect(dead.endpoint.received.length).toBeLessThan(60);
  });
});

describe('an attempt that failed', () => {
  it.each([
    [5, 4.9, 'pending'],
    [5, 5, 'failed'],
    [100, 73, 'pending'],
  ])('of WEBHOOK_RETRY_HOURS %d after %d h: %s', (hours, after, state) => {
    const config = { ...world.context.config, WEBHOOK_RETRY_HOURS: hours };
    const delivery = { attempts: 3, queued_at: new Date(0) };
    const answer = { status: 500, error: 'The endpoint answered 500' };
    expect(resultOf({ config }, delivery, answer, new Date(after * HOUR)).state).toBe(state);
  });
});

describe('a worker that dies', () => {
  it('only delays: who is posted but not noted is posted again, with the same id', async () => {
    const { endpoint, id, sent, log } = await newClient();
    await sent('lead/d', 1);
    await sent('lead/d', 2);
    // The dead worker's claim, after its POST and before its note.
    // A millisecond on: Postgres counts microseconds, so what it has just queued may be due after `Date.now()`.
    const now = new Date(Date.now() + 1);
    const leasedUntil = new Date(now.getTime() + 60_000);
    const claim = { webhookId: id, limit: 8, now, leasedUntil };
    const [claimed, ...more] = await claimDeliveries(world.database.db, claim);
    expect([claimed?.resource, more]).toEqual(['lead/d', []]);
    await world.deliver(undefined, 500);
    expect(endpoint.received).toEqual([]);
    world.setClock(61_000);
    await world.deliver(async () => (await log('?state=delivered')).length === 2);
    world.setClock(0);
    expect(got(endpoint)).toEqual(['lead/d:1', 'lead/d:2']);
    expect(endpoint.received[0]!.event.id).toBe(`evt_${claimed!.event_id}`);
  });

  it('gives back what it is at when it is told to stop', async () => {
    const { endpoint, sent, log } = await newClient();
    endpoint.answer = () => undefined;
    await sent('lead/e', 1);
    await world.deliver(() => endpoint.received.length > 0);
    expect(await log()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    endpoint.answer = 200;
    await world.deliver(async () => (await log('?state=delivered')).length === 1);
    expect(endpoint.received).toHaveLength(2);
  });

  it('shares the work with another that runs at the same time: each event, in order', async () => {
    const { endpoint, sent, log } = await newClient();
    for (let n = 0; n < 5; n++) {
      for (let lead = 0; lead < 8; lead++) await sent(`lead/${lead}`, n);
    }
    const isDone = async () => (await log('?state=delivered&limit=100')).length === 40;
    await Promise.all([1, 2, 3].map(() => world.deliver(isDone)));
    // At least once: an attempt that ran out of time is made again, under the same id.
    const ids = endpoint.received.map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(40);
    const attempts = (await log('?limit=100')).reduce((sum, row) => sum + row.attempts, 0);
    expect(ids.length).toBeLessThanOrEqual(attempts);
    for (let lead = 0; lead < 8; lead++) {
      const first = got(endpoint).filter((each, at, all) => all.indexOf(each) === at);
      const own = first.filter((each) => each.startsWith(`lead/${lead}:`));
      expect(own).toEqual(Array.from({ length: 5 }, (_, n) => `lead/${lead}:${n}`));
    }
  });
});

describe('a rotation of the secret', () => {
  it('signs with both for a day, then with the new one', async () => {
    const { userId, endpoint, id, secret, sent } = await newClient();
    const { secret: second } = await world.ok(userId, 'POST', `/v1/webhooks/${id}/rotate-secret`);
    await sent('lead/f', 1);
    await world.deliver(() => endpoint.received.length === 1);
    world.setClock(25 * HOUR);
    await sent('lead/f', 2);
    await world.deliver(() => endpoint.received.length === 2);
    world.setClock(0);
    const macs = ({ signature, body }: Endpoint['received'][number]) => {
      const [time, ...signed] = signature.split(',').map((part) => part.split('=')[1]!);
      const by = (key: string) => createHmac('sha256', key).update(`${time}.${body}`).digest('hex');
      return { signed, first: by(secret), second: by(second) };
    };
    const [during, after] = endpoint.received.map(macs);
    expect(during!.signed).toEqual([during!.second, during!.first]);
    expect(after!.signed).toEqual([after!.second]);
  });
});
