/** Old events go, whatever became of their deliveries, and readers go on. Choice 45. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneOldEvents } from '../../activities/webhooks/prune-events.ts';
import { pruneEvents } from '../../src/db/webhooks/event-retention.ts';
import { startWebhookWorld, type WebhookWorld } from '../support/webhooks/webhook-world.ts';

const DAY = 86_400_000;

let world: WebhookWorld;
let users = 0;

beforeAll(async () => {
  world = await startWebhookWorld();
});
afterAll(() => world.close());

const newUser = async () => {
  const userId = `keeps-${++users}`;
  await world.ok(userId, 'GET', '/v1/events');
  return userId;
};

const happen = (userId: string, ...resources: string[]) =>
  world.happen(
    ...resources.map((resource) => ({
      userId,
      type: 'email.sent' as const,
      resource,
      payload: {},
    })),
  );

/** All that has happened so far was `days` ago, its deliveries too. */
async function age(days: number): Promise<void> {
  const then = sql<Date>`now() - make_interval(days => ${days})`;
  await sql`update events set created_at = ${then}`.execute(world.database.db);
  await sql`update webhook_deliveries set created_at = ${then}, updated_at = ${then}`.execute(
    world.database.db,
  );
}

const prune = () => pruneOldEvents(world.context, new AbortController().signal);
const read = (userId: string, query = ''): Promise<{ id: string; resource: string }[]> =>
  world.ok(userId, 'GET', `/v1/events${query}`);
/** What others read is settled a moment later; the rows are there at once. */
const rowsOf = (userId: string) =>
  world.database.db
    .selectFrom('events')
    .select(['id', 'resource'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
const left = async (userId: string) => (await rowsOf(userId)).map(({ resource }) => resource);
const lastOf = async (userId: string) => `evt_${(await rowsOf(userId)).at(-1)!.id}`;

describe('events', () => {
  it('are deleted with their deliveries when they are 30 days old', async () => {
    const userId = await newUser();
    const { url } = world.endpoint();
    const { id } = await world.ok(userId, 'POST', '/v1/webhooks', { url, events: ['*'] });
    const log = () => world.ok(userId, 'GET', `/v1/webhooks/${id}/deliveries?state=delivered`);
    await happen(userId, 'lead/1', 'lead/2');
    await world.deliver(async () => (await log()).length === 2);
    await age(29);
    expect(await prune()).toBe(0);
    await age(31);
    await happen(userId, 'lead/3');
    expect(await prune()).toBe(2);
    expect(await left(userId)).toEqual(['lead/3']);
    expect(await log()).toEqual([]);
    expect(await prune()).toBe(0);
  });

  it('are deleted at that age whatever an endpoint does, and nothing waits for them', async () => {
    const userId = await newUser();
    const endpoint = world.endpoint();
    endpoint.answer = 503;
    const made = { url: endpoint.url, events: ['*'] };
    const { id } = await world.ok(userId, 'POST', '/v1/webhooks', made);
    const log = () => world.ok(userId, 'GET', `/v1/webhooks/${id}/deliveries`);
    await happen(userId, 'lead/1', 'lead/1');
    await world.deliver(async () =>
      (await log()).some((one: { attempts: number }) => one.attempts),
    );
    await age(31);
    // Their time for retries is not over, and the last attempt was just now.
    await sql`update webhook_deliveries set created_at = now(), updated_at = now()`.execute(
      world.database.db,
    );
    await happen(userId, 'lead/1', 'lead/1');
    // Another attempt, so that the young ones stand behind the old one.
    await world.deliver(async () =>
      (await log()).some((one: { nextAttemptAt: string | null }) => one.nextAttemptAt === null),
    );
    await prune();
    expect(await left(userId)).toEqual(['lead/1', 'lead/1']);
    expect(await log()).toHaveLength(2);
    endpoint.answer = 200;
    endpoint.received.length = 0;
    await world.deliver(() => endpoint.received.length === 2);
    const young = (await rowsOf(userId)).map((row) => `evt_${row.id}`);
    expect(endpoint.received.map(({ event }) => event.id)).toEqual(young);
  });

  it('are deleted at that age where the endpoint is paused, or failed of late', async () => {
    const userId = await newUser();
    const { url } = world.endpoint();
    const { id } = await world.ok(userId, 'POST', '/v1/webhooks', { url, events: ['*'] });
    await happen(userId, 'lead/1', 'lead/2');
    await world.ok(userId, 'PATCH', `/v1/webhooks/${id}`, { isActive: false });
    await age(31);
    await sql`update webhook_deliveries set state = 'failed', updated_at = now()
      where webhook_id = ${id} and resource = 'lead/2'`.execute(world.database.db);
    await prune();
    expect(await left(userId)).toEqual([]);
  });

  it('are looked at in portions, from the oldest to the first that is young', async () => {
    const userId = await newUser();
    await happen(userId, 'lead/1', 'lead/2', 'lead/3');
    await age(31);
    await happen(userId, 'lead/4', 'lead/5', 'lead/6');
    const before = new Date(Date.now() - 30 * DAY);
    const deleted: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const portion = await pruneEvents(world.database.db, { before, after, limit: 2 });
      deleted.push(portion.deleted);
      after = portion.next;
    }
    // Those of other tests are old by now, too.
    expect(deleted.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...deleted)).toBe(2);
    expect(await left(userId)).toEqual(['lead/4', 'lead/5', 'lead/6']);
  });
});

describe('whoever reads on behind an event that is gone', () => {
  it('gets nothing while nothing has happened, then what has happened', async () => {
    const userId = await newUser();
    await happen(userId, 'lead/1', 'lead/2');
    const last = await lastOf(userId);
    await happen(await newUser(), 'lead/7');
    await age(31);
    await prune();
    await happen(await newUser(), 'lead/8');
    expect(await read(userId, `?after=${last}`)).toEqual([]);
    await happen(userId, 'lead/3', 'lead/4');
    await expect
      .poll(() => read(userId, `?after=${last}`), { timeout: 45_000 })
      .toMatchObject([{ resource: 'lead/3' }, { resource: 'lead/4' }]);
    expect(await read(userId, `?after=${await lastOf(userId)}`)).toEqual([]);
  });

  it('is told when it was never there, or is of somebody else', async () => {
    const [userId, other] = [await newUser(), await newUser()];
    await happen(other, 'lead/1');
    const foreign = await lastOf(other);
    await expect(read(userId, `?after=${foreign}`)).rejects.toThrow(/must be the id of an event/);
    await expect(read(userId, '?after=evt_999999999')).rejects.toThrow(/must be the id/);
  });
});
