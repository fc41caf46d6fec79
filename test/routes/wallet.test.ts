/** The wallet over HTTP, with the real Stripe client against the world's Stripe. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { captureHold, hold } from '../../src/db/wallet/ledger.ts';
import { freePort } from '../../src/dev/ports.ts';
import { walletRoutes } from '../../src/routes/wallet/wallet.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  session,
  signedEvent,
  stripePayments,
  WEBHOOK_SECRET,
  type SignedEvent,
} from '../support/vendors/stripe-events.ts';
import { movement } from '../support/wallet/wallet.ts';

let database: TestDatabase;
let api: TestApi;
let sandbox: Sandbox;
let stateDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  stateDir = await mkdtemp(join(tmpdir(), 'outreach-wallet-'));
  // Each must know the other's address before it starts.
  const port = await freePort();
  const payments = stripePayments(`http://127.0.0.1:${port}`);
  api = await startTestApi({ database, routes: walletRoutes, context: { payments } });
  sandbox = await startSandbox({
    stateDir,
    port,
    dnsPort: 0,
    socksPort: 0,
    webhookUrl: `${api.url}/wallet/webhook`,
    webhookSecret: WEBHOOK_SECRET,
    pace: 20,
  });
});

afterAll(async () => {
  await sandbox.close();
  await api.close();
  await database.close();
  await rm(stateDir, { recursive: true, force: true });
});

let last = 0;

/** A new user and how to call the API as that user. */
async function newUser() {
  last += 1;
  const userId = `payer-${last}`;
  const token = await api.jwt(userId);
  const call = (method: string, path: string, body?: object, headers = {}) =>
    api.call(method, path, { token, headers, ...(body && { body }) });
  const wallet = async () => (await call('GET', '/wallet')).body.data;
  const fund = async (amountCents = 4_100) => {
    const answer = await call('POST', '/wallet/fund', { amountCents });
    expect(answer.status).toBe(201);
    return answer.body.data.sessionId as string;
  };
  const verify = async (sessionId: string) =>
    (await call('POST', '/wallet/verify', { sessionId })).body.data;
  return { userId, call, wallet, fund, verify };
}

/** The control API of the sandbox: what happens on Stripe's side. */
async function control(sessionId: string, verb: string, body: object = {}): Promise<void> {
  const response = await fetch(`${sandbox.url}/_sandbox/payments/${sessionId}/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

/** Webhooks arrive by themselves, a moment later. */
async function soon(check: () => Promise<void>): Promise<void> {
  const outcome = () => check().then(() => 'as expected', String);
  await expect.poll(outcome, { timeout: 30_000 }).toBe('as expected');
}

const send = ({ rawBody, signature }: SignedEvent, headers = {}) =>
  api.call('POST', '/wallet/webhook', {
    body: rawBody,
    headers: { 'stripe-signature': signature, ...headers },
  });

describe('POST /wallet/fund', () => {
  it('201 with a checkout page and a session. Spec: Wallet', async () => {
    const { call } = await newUser();
    const answer = await call('POST', '/wallet/fund', { amountCents: 4_100 });
    expect(answer.status).toBe(201);
    const { checkoutUrl, sessionId } = answer.body.data;
    expect(sessionId).toMatch(/^cs_test_/);
    expect((await fetch(checkoutUrl)).status).toBe(200);
  });

  it('answers under /v1 as well', async () => {
    const { call } = await newUser();
    expect((await call('POST', '/v1/wallet/fund', { amountCents: 50 })).status).toBe(201);
    expect((await call('GET', '/v1/wallet')).status).toBe(200);
  });

  it.each([49, 0, -100, 100_000_000, 41.5, '4100', null, undefined, [4_100]])(
    '400 for amountCents %j',
    async (amountCents) => {
      const { call } = await newUser();
      const answer = await call('POST', '/wallet/fund', { amountCents });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    },
  );

  it('takes the smallest and the largest amount', async () => {
    const { fund, verify } = await newUser();
    for (const amountCents of [50, 99_999_999]) {
      expect(await verify(await fund(amountCents))).toMatchObject({ amountCents, status: 'open' });
    }
  });

  it('opens one session for the same Idempotency-Key, and two for the same request id', async () => {
    const { call } = await newUser();
    const post = async (headers: object) =>
      (await call('POST', '/wallet/fund', { amountCents: 900 }, headers)).body.data.sessionId;
    expect(await post({ 'idempotency-key': 'a' })).toBe(await post({ 'idempotency-key': 'a' }));
    expect(await post({ 'x-request-id': 'a' })).not.toBe(await post({ 'x-request-id': 'a' }));
  });

  it('opens one session where the answer to the first request was lost', async () => {
    const { call } = await newUser();
    const post = async () =>
      (await call('POST', '/wallet/fund', { amountCents: 900 }, { 'idempotency-key': 'lost' })).body
        .data.sessionId;
    const first = await post();
    await database.db.deleteFrom('idempotency_keys').where('key', '=', 'lost').execute();
    expect(first).toMatch(/^cs_/);
    expect(await post()).toBe(first);
  });

  it('401 without a token', async () => {
    const answer = await api.call('POST', '/wallet/fund', { body: { amountCents: 4_100 } });
    expect(answer.status).toBe(401);
  });

  it('502 when the processor is down, refuses us or is not configured; nothing is kept', async () => {
    for (const payments of [stripePayments(), undefined]) {
      const context = payments ? { payments } : {};
      const down = await startTestApi({ database, routes: walletRoutes, context });
      const token = await down.jwt('payer-without-stripe');
      const answer = await down.call('POST', '/wallet/fund', { token, body: { amountCents: 500 } });
      expect(answer).toMatchObject({ status: 502, body: { code: 'UPSTREAM_UNAVAILABLE' } });
      await down.close();
    }
    const kept = await database.db
      .selectFrom('checkouts')
      .select('session_id')
      .where('user_id', '=', 'payer-without-stripe')
      .execute();
    expect(kept).toEqual([]);
  });
});

describe('paying', () => {
  it('credits by the webhook alone', async () => {
    const { wallet, fund, verify } = await newUser();
    const sessionId = await fund();
    expect(await verify(sessionId)).toMatchObject({ status: 'open', credited: false });
    await control(sessionId, 'pay');
    await soon(async () => expect((await wallet()).balanceCents).toBe(4_100));
    expect(await verify(sessionId)).toEqual({
      sessionId,
      status: 'complete',
      paymentStatus: 'paid',
      amountCents: 4_100,
      credited: true,
    });
  });

  it('credits by verify alone, when no webhook comes', async () => {
    const { wallet, fund, verify } = await newUser();
    const sessionId = await fund(2_500);
    await control(sessionId, 'pay', { webhook: 'none' });
    expect((await wallet()).balanceCents).toBe(0);
    expect(await verify(sessionId)).toMatchObject({ status: 'complete', credited: true });
    await verify(sessionId);
    expect((await wallet()).balanceCents).toBe(2_500);
  });

  it('credits once when the webhook comes twice and verify at the same time', async () => {
    const { wallet, fund, verify } = await newUser();
    const sessionIds = await Promise.all([fund(), fund(), fund()]);
    await Promise.all(
      sessionIds.flatMap((id) => [
        control(id, 'pay', { webhook: 'twice' }),
        verify(id),
        verify(id),
      ]),
    );
    await soon(async () => expect((await wallet()).balanceCents).toBe(3 * 4_100));
    for (const sessionId of sessionIds) await verify(sessionId);
    expect((await wallet()).balanceCents).toBe(3 * 4_100);
  });

  it('credits once when the webhook is late', async () => {
    const { wallet, fund, verify } = await newUser();
    const sessionId = await fund();
    const before = await countEvents();
    await control(sessionId, 'pay', { webhook: 'late' });
    expect(await verify(sessionId)).toMatchObject({ credited: true });
    await soon(async () => expect(await countEvents()).toBeGreaterThan(before));
    expect((await wallet()).balanceCents).toBe(4_100);
  });

  it('an expired session stays uncredited', async () => {
    const { wallet, fund, verify } = await newUser();
    const sessionId = await fund();
    await control(sessionId, 'expire');
    await soon(async () => expect((await verify(sessionId)).status).toBe('expired'));
    expect((await wallet()).balanceCents).toBe(0);
  });

  const countEvents = async () => {
    const rows = await database.db.selectFrom('payment_events').select('event_id').execute();
    return rows.length;
  };
});

async function asOwner(statement: string): Promise<void> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('POST /wallet/verify', () => {
  it('404 for another user’s session, in the words for an unknown one', async () => {
    const owner = await newUser();
    const stranger = await newUser();
    const sessionId = await owner.fund();
    await control(sessionId, 'pay', { webhook: 'none' });
    const ids = [sessionId, 'cs_test_unknown', '../../v1/balance', 'x'];
    const answers = await Promise.all(
      ids.map((id) => stranger.call('POST', '/wallet/verify', { sessionId: id })),
    );
    for (const [at, { status, body }] of answers.entries()) {
      expect(status).toBe(404);
      expect(body.error).toBe(`Checkout session not found: ${ids[at]}`);
      const message = `sessionId: checkout session ${ids[at]} not found`;
      expect(body.details).toEqual([{ field: 'sessionId', message }]);
    }
    expect((await owner.wallet()).balanceCents).toBe(0);
  });

  it('finds a session that we forgot, at the processor', async () => {
    const { wallet, fund, verify } = await newUser();
    const sessionId = await fund();
    // Our own role may not: what we forget here, a backup from before would have forgotten.
    await asOwner(`delete from checkouts where session_id = '${sessionId}'`);
    await control(sessionId, 'pay', { webhook: 'none' });
    expect(await verify(sessionId)).toMatchObject({ credited: true });
    expect((await wallet()).balanceCents).toBe(4_100);
  });

  it.each([{}, { sessionId: '' }, { sessionId: 7 }, { sessionId: 'x'.repeat(256) }])(
    '400 for %j',
    async (body) => {
      const { call } = await newUser();
      expect((await call('POST', '/wallet/verify', body)).status).toBe(400);
    },
  );
});

describe('refunds and disputes at the processor', () => {
  it('a partial refund comes off the balance, a dispute takes the rest', async () => {
    const { wallet, fund } = await newUser();
    const sessionId = await fund();
    await control(sessionId, 'pay');
    await soon(async () => expect((await wallet()).balanceCents).toBe(4_100));
    await control(sessionId, 'refund', { amountCents: 1_000 });
    await soon(async () => expect((await wallet()).balanceCents).toBe(3_100));
    await control(sessionId, 'dispute');
    await soon(async () => expect((await wallet()).balanceCents).toBe(0));
    expect(await wallet()).toMatchObject({ owedCents: 0 });
  });

  it('a failed refund and a won dispute come back; an inquiry takes nothing', async () => {
    const { wallet, fund } = await newUser();
    const sessionId = await fund();
    const balanceIs = (cents: number) =>
      soon(async () => expect((await wallet()).balanceCents).toBe(cents));
    await control(sessionId, 'pay');
    await balanceIs(4_100);
    await control(sessionId, 'refund', { amountCents: 1_000 });
    await balanceIs(3_100);
    await control(sessionId, 'refund-failed');
    await balanceIs(4_100);
    await control(sessionId, 'dispute');
    await balanceIs(0);
    await control(sessionId, 'dispute-won');
    await balanceIs(4_100);
    const other = await fund(1_000);
    await control(other, 'pay');
    await balanceIs(5_100);
    await control(other, 'inquiry');
    const seen = database.db.selectFrom('payment_events').select('type');
    await soon(async () =>
      expect(await seen.where('type', '=', 'charge.dispute.created').execute()).not.toEqual([]),
    );
    expect((await wallet()).balanceCents).toBe(5_100);
  });

  it('what was spent is owed, charges are refused, the next funding settles it', async () => {
    const { userId, wallet, fund } = await newUser();
    const sessionId = await fund();
    await control(sessionId, 'pay');
    await soon(async () => expect((await wallet()).balanceCents).toBe(4_100));
    await database.db.transaction().execute(async (trx) => {
      const { holdId } = await hold(trx, movement(userId, 4_100));
      const capture = { operationKey: `${userId}:capture`, description: 'Cluster' };
      await captureHold(trx, { holdId, amountCents: 4_100, ...capture });
    });
    await control(sessionId, 'dispute');
    await soon(async () => expect((await wallet()).owedCents).toBe(4_100));
    const charge = database.db.transaction().execute((trx) => hold(trx, movement(userId, 4_100)));
    await expect(charge).rejects.toThrow(
      'Insufficient balance. Required: $41.00, Available: $0.00',
    );
    const next = await fund(5_000);
    await control(next, 'pay');
    await soon(async () =>
      expect(await wallet()).toMatchObject({ balanceCents: 900, owedCents: 0, balance: '9.00' }),
    );
  });
});

describe('POST /wallet/webhook', () => {
  it('400 in the envelope, and no credit, for what was not signed so', async () => {
    const { userId, wallet } = await newUser();
    const good = signedEvent('checkout.session.completed', session('cs_test_forged', userId));
    const stale = { ageSeconds: 301 };
    const object = session('cs_test_forged', userId);
    const forged = [
      { ...good, signature: '' },
      { ...good, signature: 'not a signature' },
      { ...good, rawBody: Buffer.concat([good.rawBody, Buffer.from(' ')]) },
      { ...good, rawBody: Buffer.from(JSON.stringify(JSON.parse(good.rawBody.toString()))) },
      signedEvent('checkout.session.completed', object, { secret: 'whsec_other' }),
      signedEvent('checkout.session.completed', object, stale),
    ];
    for (const event of forged) {
      expect(await send(event)).toMatchObject({
        status: 400,
        body: { success: false, code: 'INVALID_SIGNATURE', error: expect.any(String) },
      });
    }
    expect((await wallet()).balanceCents).toBe(0);
  });

  it('400 for each of 300 bodies with one changed byte', async () => {
    const { userId, wallet } = await newUser();
    const good = signedEvent('checkout.session.completed', session('cs_test_mutant', userId));
    for (let i = 0; i < 300; i += 1) {
      const mutant = Buffer.from(good.rawBody);
      const at = Math.floor((i * mutant.length) / 300);
      mutant[at] = mutant[at]! ^ (1 << (i % 8));
      const answer = await send({ ...good, rawBody: mutant });
      expect(answer, `byte ${at}, bit ${i % 8}`).toMatchObject({ status: 400 });
    }
    expect((await wallet()).balanceCents).toBe(0);
  });

  it('200 without a token, with any content type, under both paths, once per event', async () => {
    const { userId, wallet } = await newUser();
    await wallet();
    const good = signedEvent('checkout.session.completed', session('cs_test_direct', userId));
    const text = { 'content-type': 'text/plain', 'x-request-id': 'r' };
    expect(await send(good, text)).toMatchObject({
      status: 200,
      body: { success: true, data: { received: true } },
    });
    const again = await api.call('POST', '/v1/wallet/webhook', {
      body: good.rawBody,
      headers: { 'stripe-signature': good.signature },
    });
    expect(again.status).toBe(200);
    expect(again.headers.get('x-ratelimit-limit')).toBeNull();
    expect((await wallet()).balanceCents).toBe(4_100);
  });
});

describe('GET /wallet', () => {
  it('is all zero for a new user. Choice 35', async () => {
    const { wallet } = await newUser();
    expect(await wallet()).toEqual({
      balanceCents: 0,
      heldCents: 0,
      availableCents: 0,
      owedCents: 0,
      balance: '0.00',
      currency: 'USD',
      lowBalanceThresholdCents: null,
      hasPaymentMethod: false,
      autoRecharge: null,
    });
  });

  it('shows what is held apart from what is available', async () => {
    const { userId, wallet, fund, verify } = await newUser();
    const sessionId = await fund(5_000);
    await control(sessionId, 'pay', { webhook: 'none' });
    await verify(sessionId);
    await database.db.transaction().execute((trx) => hold(trx, movement(userId, 4_100)));
    expect(await wallet()).toMatchObject({
      balanceCents: 5_000,
      heldCents: 4_100,
      availableCents: 900,
      balance: '50.00',
    });
  });
});

describe('GET /wallet/transactions', () => {
  it('lists the caller’s own, newest first, by type, time and page. Choice 36', async () => {
    const { userId, call, fund, verify } = await newUser();
    const sessionId = await fund(5_000);
    await control(sessionId, 'pay', { webhook: 'none' });
    await verify(sessionId);
    await database.db.transaction().execute((trx) => hold(trx, movement(userId, 4_100)));
    const all = await call('GET', '/wallet/transactions?limit=1');
    expect(all.body.meta.pagination).toMatchObject({ total: 2, totalPages: 2, hasNext: true });
    expect(all.body.data[0]).toMatchObject({
      type: 'hold',
      amountCents: -4_100,
      balanceAfterCents: 5_000,
    });
    const credits = await call('GET', '/wallet/transactions?type=credit');
    expect(credits.body.data).toEqual([
      {
        id: expect.any(Number),
        type: 'credit',
        amountCents: 5_000,
        balanceAfterCents: 5_000,
        status: 'completed',
        referenceType: 'checkout',
        referenceId: sessionId,
        description: 'Wallet funding',
        createdAt: expect.any(String),
      },
    ]);
    const { createdAt } = credits.body.data[0];
    const count = async (query: string) =>
      (await call('GET', `/wallet/transactions?${query}`)).body.data.length;
    expect(await count('from=2020-01-01')).toBe(2);
    expect(await count('to=2020-01-01T00:00:00Z')).toBe(0);
    expect(await count(`type=credit&from=${createdAt}`)).toBe(1);
    const stranger = await newUser();
    expect((await stranger.call('GET', '/wallet/transactions')).body.data).toEqual([]);
  });

  it.each(['type=bonus', 'from=yesterday', 'to=2026-02-30', 'limit=0', 'page=x'])(
    '400 for %s',
    async (query) => {
      const { call } = await newUser();
      expect((await call('GET', `/wallet/transactions?${query}`)).status).toBe(400);
    },
  );
});

describe('PATCH /wallet/settings', () => {
  it('sets and clears the low-balance threshold, also before the first funding', async () => {
    const { call } = await newUser();
    const patch = async (body: object) => (await call('PATCH', '/wallet/settings', body)).body.data;
    expect(await patch({ lowBalanceThresholdCents: 500 })).toMatchObject({
      balanceCents: 0,
      lowBalanceThresholdCents: 500,
    });
    expect(await patch({})).toMatchObject({ lowBalanceThresholdCents: 500 });
    expect(await patch({ lowBalanceThresholdCents: null })).toMatchObject({
      lowBalanceThresholdCents: null,
    });
  });

  it('400 for autoRecharge without its amounts, and for wrong thresholds', async () => {
    const { call } = await newUser();
    const refused = await call('PATCH', '/wallet/settings', { autoRecharge: { enabled: true } });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain('autoRecharge.amountCents is required');
    for (const lowBalanceThresholdCents of [-1, 0.5, '5', 100_000_000]) {
      const answer = await call('PATCH', '/wallet/settings', { lowBalanceThresholdCents });
      expect(answer.status).toBe(400);
    }
  });
});

describe('after all of this', () => {
  it('everything cached about money agrees with the ledger', async () => {
    expect(await auditWallets(database.db)).toEqual([]);
  });
});
