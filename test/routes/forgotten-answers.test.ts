/** Stored answers after an erasure: none is given again, on no route, and nothing is done a second time. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { addMessage, openMailbox } from '../support/inbox/inbox-messages.ts';

const ADA = 'ada@client.test';
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

const { api, database } = describeApi(() => ({
  routes: createRoutes,
  context: { maps: { apify: {} }, startOperation: async () => true } as unknown as Partial<Context>,
}));
let userId: string;
let token: string;
beforeEach(async () => {
  userId = randomUUID();
  token = await api.jwt(userId);
  await api.call('GET', '/v1/account', { token });
});

const post = (path: string, body: object, key?: string) =>
  api.call('POST', path, { token, body, ...(key && { headers: { 'idempotency-key': key } }) });
const erase = (email = ADA, key?: string) => post('/v1/erasures', { email }, key);

const forwards = async () =>
  (
    await database.db
      .selectFrom('outgoing_letters')
      .innerJoin('messages', 'messages.id', 'outgoing_letters.message_id')
      .select('messages.id')
      .where('messages.user_id', '=', userId)
      .execute()
  ).length;

async function addInboxMessage(from: string): Promise<number> {
  const { mailboxId } = await openMailbox(api.context, userId);
  return (await addMessage(database.db, { userId, mailboxId, from, fromName: 'Somebody' })).id;
}

describe('a repeat after an erasure', () => {
  it.each([
    ['reply', { body: 'Dear Ada, thanks' }],
    ['forward', { to: 'boss@acme.test', body: 'See what Ada says' }],
  ])('of a %s says nothing of the person', async (action, order) => {
    const path = `/v1/inbox/${await addInboxMessage(ADA)}/${action}`;
    const body = { ...order, sendAt: tomorrow() };
    expect((await post(path, body, 'r1')).status).toBe(201);
    expect((await erase()).status).toBe(201);
    const again = await post(path, body, 'r1');
    expect([again.status, again.body.code]).toEqual([400, 'ANSWER_ERASED']);
    expect(JSON.stringify(again.body)).not.toMatch(/ada/i);
  });

  it('of a message about somebody else is not sent twice', async () => {
    const path = `/v1/inbox/${await addInboxMessage('bob@client.test')}/forward`;
    const body = { to: 'boss@acme.test', body: 'Ada wants it', sendAt: tomorrow() };
    await post(path, body, 'f1');
    await erase();
    expect((await post(path, body, 'f1')).body.code).toBe('ANSWER_ERASED');
    expect(await forwards()).toBe(1);
  });

  it('of the erasure itself is answered as the first one', async () => {
    const first = await erase(ADA, 'e1');
    const again = await erase(ADA, 'e1');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('of a refused request is refused anew, and the same key with another body is still refused', async () => {
    const wrong = { email: 'nobody', note: ADA };
    expect((await post('/v1/suppressions', wrong, 'w1')).status).toBe(400);
    await post('/v1/lead-lists', { name: 'One' }, 'l1');
    await erase();
    expect((await post('/v1/suppressions', wrong, 'w1')).body.code).toBe('VALIDATION_ERROR');
    const other = await post('/v1/lead-lists', { name: 'Two' }, 'l1');
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('an erasure', () => {
  interface Kept {
    status: number | null;
    answered?: boolean;
    committed?: boolean;
  }

  /** A row of each POST route, whether it is known today to answer with people or not. */
  async function keepOneOfEach({ status, answered = false, committed = false }: Kept) {
    const routes = createRoutes(api.context).filter(({ method }) => method === 'post');
    const names = routes.map(({ path }) => `POST ${path.replaceAll(/:\w+/g, '1')}`);
    await sql`insert into idempotency_keys (user_id, route, key, body_hash, holder, lease_until, expires_at,
        status, sealed_answer, sealed_effect)
      select ${userId}, name, 'k', 'hash', gen_random_uuid(), now() + interval '1 minute',
        now() + interval '1 day', ${status}::int, case when ${answered} then 'sealed'::bytea end,
        case when ${committed} then 'sealed'::bytea end
      from unnest(${names}::text[]) as name`.execute(database.db);
    return names.length;
  }

  const rows = () =>
    database.db
      .selectFrom('idempotency_keys')
      .select(['status', 'sealed_answer', 'sealed_effect', 'is_forgotten', 'lease_until'])
      .where('user_id', '=', userId)
      .execute();

  it.each<[string, Kept, number | null]>([
    ['was answered', { status: 201, answered: true }, 201],
    ['had its effect and no answer', { status: null, committed: true }, 200],
    ['is running', { status: null }, null],
  ])('leaves nothing of a request that %s, on any route', async (_title, kept, status) => {
    const count = await keepOneOfEach(kept);
    await erase();
    const left = await rows();
    expect(left).toHaveLength(count);
    for (const row of left) {
      expect(row).toMatchObject({
        status,
        sealed_answer: null,
        sealed_effect: null,
        is_forgotten: true,
      });
    }
  });

  it('lets a request that is running answer once, and keeps no answer of it', async () => {
    const store = api.context.httpStores.idempotency;
    const [id, hash, holder] = [
      { userId, route: 'POST /v1/x', key: 'k' },
      Buffer.from('h'),
      randomUUID(),
    ];
    await store.claim(id, hash, holder);
    await erase();
    await store.keep(id, holder, { status: 201, sealed: Buffer.from('sealed') });
    expect(await store.claim(id, hash, randomUUID())).toEqual({ state: 'forgotten' });
  });

  it('leaves the answers of other accounts', async () => {
    const other = await api.jwt(randomUUID());
    const headers = { 'idempotency-key': 'o1' };
    const make = () =>
      api.call('POST', '/v1/lead-lists', { token: other, body: { name: 'One' }, headers });
    const first = await make();
    await erase();
    expect((await make()).body).toEqual(first.body);
  });
});
