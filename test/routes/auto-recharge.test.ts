/** Automatic recharges: the real Stripe client and signed webhooks against the world's Stripe. Choice 75. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recoveryActivities } from '../../activities/operations/recovery.ts';
import { rechargeActivities } from '../../activities/wallet/recharges.ts';
import type { Context } from '../../src/context.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import {
  lockAutoRecharge,
  setAutoRecharge,
  stopAutoRecharge,
} from '../../src/db/wallet/auto-recharges.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { captureHold, hold } from '../../src/db/wallet/ledger.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { Payments } from '../../src/providers/payments/port.ts';
import { freePort } from '../../src/dev/ports.ts';
import { walletRoutes } from '../../src/routes/wallet/wallet.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { stripePayments, WEBHOOK_SECRET } from '../support/vendors/stripe-events.ts';
import { movement } from '../support/wallet/wallet.ts';

const SETTINGS = { thresholdCents: 1_000, amountCents: 2_000, monthlyLimitCents: 5_000 };

let database: TestDatabase;
let api: TestApi;
let sandbox: Sandbox;
let stateDir: string;
let context: Context;
let now = new Date();

beforeAll(async () => {
  database = await createTestDatabase();
  stateDir = await mkdtemp(join(tmpdir(), 'outreach-recharge-'));
  const port = await freePort();
  const payments = stripePayments(`http://127.0.0.1:${port}`);
  const clock = { now: () => now };
  api = await startTestApi({ database, routes: walletRoutes, context: { payments, clock } });
  context = api.context;
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
beforeEach(() => {
  now = new Date();
});
afterAll(async () => {
  await sandbox?.close();
  await api?.close();
  await database?.close();
  await rm(stateDir, { recursive: true, force: true });
});

const control = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${sandbox.url}/_sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any shape
  const answer: any = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
};
const vendorRecords = async () => (await control('GET', '/books')).payments;

let last = 0;

/** A user with $41.00 and a saved card. */
async function payer(options: { saves?: boolean; webhook?: string } = {}) {
  last += 1;
  const userId = `recharged-${last}`;
  const token = await api.jwt(userId);
  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token, ...(body && { body }) });
  const savePaymentMethod = options.saves ?? true;
  const funded = await call('POST', '/wallet/fund', { amountCents: 4_100, savePaymentMethod });
  expect(funded.status).toBe(201);
  await control('POST', `/payments/${funded.body.data.sessionId}/pay`, {
    webhook: options.webhook ?? 'once',
  });
  const wallet = async () => (await call('GET', '/wallet')).body.data;
  await expect.poll(async () => (await wallet()).balanceCents).toBe(4_100);
  const set = (autoRecharge: object | null = SETTINGS) =>
    call('PATCH', '/wallet/settings', { autoRecharge });
  const spend = (cents: number) =>
    database.db.transaction().execute(async (trx) => {
      const { holdId } = await hold(trx, movement(userId, cents));
      last += 1;
      const operationKey = `spent:${last}`;
      await captureHold(trx, { holdId, amountCents: cents, operationKey, description: 'Spent' });
    });
  const method = () =>
    database.db
      .selectFrom('payment_methods')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
  const card = async (kind: string) =>
    control('POST', `/payment-methods/${(await method())!.payment_method_id}`, {
      card: kind,
    });
  /** By another checkout, whose money is spent again. */
  const saveAnother = async () => {
    const former = (await method())!.payment_method_id;
    // The processor counts in seconds when a card was saved.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const again = await call('POST', '/wallet/fund', { amountCents: 4_100, savePaymentMethod });
    await control('POST', `/payments/${again.body.data.sessionId}/pay`, { webhook: 'once' });
    await expect.poll(async () => (await method())!.payment_method_id).not.toBe(former);
    await spend(4_100);
  };
  const recharges = () =>
    database.db
      .selectFrom('wallet_recharges')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  const stops = async () => {
    const rows = await database.db
      .selectFrom('events')
      .select('payload')
      .where('user_id', '=', userId)
      .where('type', '=', 'wallet.auto_recharge_stopped')
      .orderBy('id')
      .execute();
    return rows.map(({ payload }) => payload);
  };
  const charges = async () =>
    (await vendorRecords()).charges.filter(
      (one: { metadata: { user_id: string } }) => one.metadata.user_id === userId,
    );
  return { userId, call, wallet, set, spend, method, card, saveAnother, recharges, stops, charges };
}

type Payer = Awaited<ReturnType<typeof payer>>;

/** A user whose wallet has $5.00, less than the threshold. */
async function lowPayer(): Promise<Payer> {
  const one = await payer();
  await expect.poll(one.method).toBeDefined();
  expect((await one.set()).status).toBe(200);
  await one.spend(3_600);
  return one;
}

/** What the Schedule does: begins what is due. */
async function begin(): Promise<Operation[]> {
  const begun: Operation[] = [];
  const startOperation = async (operation: Operation) => {
    begun.push(operation);
    await sql`update operations set started_at = now() where id = ${operation.id}`.execute(
      database.db,
    );
    return true;
  };
  await recoveryActivities({ ...context, startOperation }).startMissingWorkflows();
  return begun.filter(({ kind }) => kind === 'rechargeWallet');
}
type RechargeNeeds = Parameters<typeof rechargeActivities>[0];
const charge = (operation: Operation | undefined, as: RechargeNeeds = context) =>
  rechargeActivities(as).chargeRecharge({ rechargeId: operation!.resource_id });
/** As the workflow does after a process died. */
const chargeAgain = charge;
/** Longer than the processor takes to show what it was asked for. */
const LAG_OVER_MS = 10 * 60_000;
/** As the workflow does with what is not wanted: nobody knows at first whether a process of before has asked. */
const refuse = async (operation: Operation | undefined) => {
  await expect(charge(operation)).rejects.toMatchObject({ kind: 'not_ready' });
  now = new Date(now.getTime() + LAG_OVER_MS);
  await expect(charge(operation)).rejects.toMatchObject({
    kind: 'rejected',
    facts: { clientCode: 'NO_LONGER_WANTED' },
  });
};
/** The processor of a process that dies once it has asked; `send`: what it asked arrives. */
const losing = () => {
  const lost = new ProviderError('unavailable', 'no answer', { provider: 'stripe' });
  const { payments } = context;
  const sent = { send: async (): Promise<unknown> => undefined };
  const chargeSaved = async (order: Parameters<Payments['chargeSaved']>[0]) => {
    sent.send = () => payments!.chargeSaved(order);
    throw lost;
  };
  const cut = { ...context, payments: { ...payments!, chargeSaved } };
  return { cut, lost, sent };
};

describe('a card', () => {
  it('is kept where the payer was asked, and not otherwise', async () => {
    const one = await payer();
    await expect.poll(async () => (await one.wallet()).hasPaymentMethod).toBe(true);
    const other = await payer({ saves: false });
    expect(await other.wallet()).toMatchObject({ hasPaymentMethod: false, autoRecharge: null });
    const refused = await other.set();
    expect([refused.status, refused.body.code]).toEqual([400, 'NO_PAYMENT_METHOD']);
  });

  it('of a checkout that was told twice is kept once', async () => {
    const one = await payer({ webhook: 'twice' });
    await expect.poll(one.method).toBeDefined();
    expect((await one.method())!.customer_id).toMatch(/^cus_/);
  });
});

describe('DELETE /wallet/payment-method', () => {
  const forget = (one: Payer) => one.call('DELETE', '/wallet/payment-method');

  it('lets go of the card here and there, and switches the recharges off', async () => {
    const one = await lowPayer();
    const { payment_method_id: id } = (await one.method())!;
    const { status, body } = await forget(one);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ hasPaymentMethod: false, autoRecharge: null }),
    ]);
    const kept = (await vendorRecords()).methods.find((other: { id: string }) => other.id === id);
    expect(kept).toMatchObject({ isDetached: true });
    expect(await begin()).toEqual([]);
    expect((await one.set()).body.code).toBe('NO_PAYMENT_METHOD');
    const again = await forget(one);
    expect([again.status, again.body.code]).toEqual([404, 'SAVED_CARD_NOT_FOUND']);
  });

  it('a recharge that has begun charges nothing any more', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    await forget(one);
    await charge(operation).catch(() => undefined);
    expect(await one.charges()).toEqual([]);
    expect((await one.wallet()).balanceCents).toBe(500);
  });

  it('changes nothing while the processor is away, and may be asked again', async () => {
    const one = await lowPayer();
    await control('POST', '/faults', { vendor: 'stripe', kind: 'error_500' });
    const away = await forget(one);
    await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
    expect([away.status, away.body.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
    expect(await one.wallet()).toMatchObject({ hasPaymentMethod: true });
    // Dead between the processor and our own note: it has let go already.
    await one.card('detached');
    expect((await forget(one)).status).toBe(200);
    expect(await one.wallet()).toMatchObject({ hasPaymentMethod: false });
  });
});

describe('a wallet below its threshold', () => {
  it('is charged once and credited once, by answer and webhook together', async () => {
    const one = await lowPayer();
    expect((await one.set()).body.data.autoRecharge).toEqual({
      ...SETTINGS,
      status: 'active',
      stopReason: null,
      stoppedAt: null,
      rechargedThisMonthCents: 0,
    });
    const [operation, ...more] = await begin();
    expect(more).toEqual([]);
    expect(await begin()).toEqual([]);
    expect(await charge(operation)).toEqual({ state: 'succeeded' });
    expect(await one.wallet()).toMatchObject({
      balanceCents: 2_500,
      autoRecharge: { rechargedThisMonthCents: 2_000 },
    });
    await expect
      .poll(async () => {
        const { webhooks } = await vendorRecords();
        const [{ id }] = await one.charges();
        return webhooks.find((sent: { subject: string }) => sent.subject === id)?.state;
      })
      .toBe('delivered');
    expect((await one.wallet()).balanceCents).toBe(2_500);
    expect(await one.charges()).toMatchObject([{ amountCents: 2_000, declined: null }]);
    expect(await begin()).toEqual([]);
  });

  it('has one attempt, however many look at once', async () => {
    const one = await lowPayer();
    const begun = await Promise.all(Array.from({ length: 6 }, () => begin()));
    expect(begun.flat()).toHaveLength(1);
    await charge(begun.flat()[0]);
    expect(await one.charges()).toHaveLength(1);
  });

  it('that is above it, or whose recharges are off, is not charged', async () => {
    const one = await payer();
    await expect.poll(one.method).toBeDefined();
    await one.set();
    expect(await begin()).toEqual([]);
    await one.set(null);
    await one.spend(3_600);
    expect(await begin()).toEqual([]);
    expect((await one.wallet()).autoRecharge).toBeNull();
  });

  it('whose recharges are switched off before the charge is not charged any more', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    await one.set(null);
    await refuse(operation);
    expect([await one.charges(), await one.stops()]).toEqual([[], []]);
  });
});

describe('a recharge that has begun, and is not wanted any more as it is', () => {
  it.each([
    ['a smaller amount', { ...SETTINGS, amountCents: 1_500 }, [1_500]],
    ['a threshold that the balance does not fall below', { thresholdCents: 400 }, []],
  ])('charges nothing after %s; what is wanted now is charged next', async (_, change, next) => {
    const one = await lowPayer();
    const [operation] = await begin();
    expect((await one.set({ ...SETTINGS, ...change })).status).toBe(200);
    await refuse(operation);
    expect(await one.charges()).toEqual([]);
    expect(await one.recharges()).toMatchObject([
      { state: 'failed', failure_reason: 'no_longer_wanted' },
    ]);
    // Nothing has failed: the settings that the client has just made stay.
    expect([await one.stops(), (await one.wallet()).autoRecharge.status]).toEqual([[], 'active']);
    for (const due of await begin()) await charge(due);
    expect(
      (await one.charges()).map(({ amountCents }: { amountCents: number }) => amountCents),
    ).toEqual(next);
  });

  it('charges nothing past a limit of the month that is lower by now', async () => {
    const one = await lowPayer();
    await charge((await begin())[0]);
    await one.spend(2_000);
    const [operation] = await begin();
    await one.set({ ...SETTINGS, monthlyLimitCents: 3_000 });
    await refuse(operation);
    expect(await one.charges()).toHaveLength(1);
    expect(await begin()).toEqual([]);
    expect(await one.stops()).toMatchObject([{ reason: 'monthly_limit' }]);
    // Another month begins in a later test.
    await one.set(null);
  });

  it('charges nothing after a stop, as when an earlier payment was taken back', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const stop = { userId: one.userId, reason: 'payment_reversed' } as const;
    await database.db.transaction().execute((trx) => stopAutoRecharge(trx, stop));
    await refuse(operation);
    expect(await one.charges()).toEqual([]);
    expect(await one.stops()).toMatchObject([{ reason: 'payment_reversed' }]);
  });

  it('waits for a change that is being made at that moment', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const ended = await database.db.transaction().execute(async (trx) => {
      await setAutoRecharge(trx, one.userId, null);
      const charged = charge(operation).catch((error: unknown) => error);
      await untilWaiting(database.db, 1);
      return { charged };
    });
    expect(await ended.charged).toMatchObject({ kind: 'not_ready' });
    now = new Date(now.getTime() + LAG_OVER_MS);
    await expect(charge(operation)).rejects.toMatchObject({ kind: 'rejected' });
    expect(await one.charges()).toEqual([]);
  });

  it('notes when the processor is asked by the clock of that moment, however long it has waited', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const charged = await database.db.transaction().execute(async (trx) => {
      await lockAutoRecharge(trx, one.userId);
      const charging = charge(operation);
      await untilWaiting(database.db, 1);
      now = new Date(now.getTime() + LAG_OVER_MS);
      return { charging };
    });
    expect(await charged.charging).toEqual({ state: 'succeeded' });
    expect((await one.recharges())[0]!.asked_at).toEqual(now);
  });

  it('waits where another attempt has asked after this one looked, however long it takes', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const { cut, lost, sent } = losing();
    const { payments } = context;
    const findCharge = async (of: Parameters<Payments['findCharge']>[0]) => {
      const found = await payments!.findCharge(of);
      await expect(charge(operation, cut)).rejects.toBe(lost);
      await one.set(null);
      now = new Date(now.getTime() + LAG_OVER_MS);
      return found;
    };
    const slow = { ...context, payments: { ...payments!, findCharge } };
    await expect(charge(operation, slow)).rejects.toMatchObject({ kind: 'not_ready' });
    await sent.send();
    expect(await chargeAgain(operation)).toEqual({ state: 'succeeded' });
    expect((await one.wallet()).balanceCents).toBe(2_500);
  });

  it('waits where a process of before may have asked, of which its row has no note', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const { cut, lost, sent } = losing();
    await expect(charge(operation, cut)).rejects.toBe(lost);
    await database.db
      .updateTable('wallet_recharges')
      .set({ asked_at: null })
      .where('id', '=', operation!.resource_id)
      .execute();
    await one.set(null);
    await expect(chargeAgain(operation)).rejects.toMatchObject({ kind: 'not_ready' });
    await sent.send();
    expect(await chargeAgain(operation)).toEqual({ state: 'succeeded' });
    expect((await one.wallet()).balanceCents).toBe(2_500);
  });

  it('charges no card that another one has replaced; that one is charged next', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const former = await one.method();
    await one.saveAnother();
    await refuse(operation);
    expect(await one.charges()).toEqual([]);
    const [next, ...more] = await begin();
    expect(more).toEqual([]);
    expect(await charge(next)).toEqual({ state: 'succeeded' });
    const charged = (await one.recharges()).at(-1)!.payment_method_id;
    expect(charged).toBe((await one.method())!.payment_method_id);
    expect(charged).not.toBe(former!.payment_method_id);
    expect(await one.stops()).toEqual([]);
  });

  it('is settled where the processor was asked already: what was charged is credited', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const { cut, lost, sent } = losing();
    await expect(charge(operation, cut)).rejects.toBe(lost);
    await one.set(null);
    // The request may be on its way.
    await expect(chargeAgain(operation)).rejects.toMatchObject({ kind: 'not_ready' });
    expect((await one.recharges())[0]).toMatchObject({ state: 'pending' });
    await sent.send();
    expect(await chargeAgain(operation)).toEqual({ state: 'succeeded' });
    expect((await one.wallet()).balanceCents).toBe(2_500);
    expect(await one.charges()).toHaveLength(1);
  });

  it('ends where the processor was asked, and shows no charge once it would', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const { cut, lost } = losing();
    await expect(charge(operation, cut)).rejects.toBe(lost);
    await one.set(null);
    now = new Date(now.getTime() + LAG_OVER_MS);
    await expect(chargeAgain(operation)).rejects.toMatchObject({ kind: 'rejected' });
    expect([await one.charges(), await one.stops()]).toEqual([[], []]);
  });
});

describe('a process that dies', () => {
  it('between the charge and the credit neither loses nor doubles', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const [row] = await one.recharges();
    // The charge is made, and nothing of it is written down; nor does its webhook come.
    await context.payments!.chargeSaved({
      rechargeId: row!.id,
      chargeKey: row!.charge_key,
      userId: one.userId,
      amountCents: row!.amount_cents,
      customerId: row!.customer_id,
      paymentMethodId: row!.payment_method_id,
      key: 'a key that was forgotten after a day',
    });
    expect(await chargeAgain(operation)).toEqual({ state: 'succeeded' });
    expect(await chargeAgain(operation)).toEqual({ state: 'succeeded' });
    await rechargeActivities(context).abandonRecharge({ rechargeId: row!.id });
    expect((await one.wallet()).balanceCents).toBe(2_500);
    expect(await one.charges()).toHaveLength(1);
  });

  it('and whose operation is given up still credits what was charged', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const lost = new ProviderError('unavailable', 'no answer', { provider: 'stripe' });
    const { payments } = context;
    const chargeSaved = async (order: Parameters<Payments['chargeSaved']>[0]) => {
      await payments!.chargeSaved(order);
      throw lost;
    };
    const cut = { ...payments!, chargeSaved };
    await expect(charge(operation, { ...context, payments: cut })).rejects.toBe(lost);
    await rechargeActivities(context).abandonRecharge({ rechargeId: operation!.resource_id });
    expect((await one.wallet()).balanceCents).toBe(2_500);
    expect((await one.wallet()).autoRecharge.status).toBe('active');
  });

  it('before any charge leaves a stop that is told once', async () => {
    const one = await lowPayer();
    const [operation] = await begin();
    const activities = rechargeActivities(context);
    const rechargeId = operation!.resource_id;
    await activities.abandonRecharge({ rechargeId });
    await activities.abandonRecharge({ rechargeId });
    expect(await one.stops()).toMatchObject([{ reason: 'processor_error' }]);
    expect(await one.charges()).toEqual([]);
  });
});

describe('a charge that fails', () => {
  it('stops nothing where another card has been saved while it was made: that one is charged next', async () => {
    const one = await lowPayer();
    await one.card('detached');
    const [operation] = await begin();
    const { payments } = context;
    const chargeSaved = async (order: Parameters<Payments['chargeSaved']>[0]) => {
      await one.saveAnother();
      return payments!.chargeSaved(order);
    };
    const meanwhile = { ...context, payments: { ...payments!, chargeSaved } };
    await expect(charge(operation, meanwhile)).rejects.toMatchObject({
      facts: { clientCode: 'PAYMENT_METHOD_INVALID' },
    });
    expect([await one.stops(), (await one.wallet()).autoRecharge.status]).toEqual([[], 'active']);
    expect(await charge((await begin())[0])).toEqual({ state: 'succeeded' });
  });

  it.each([
    ['insufficient_funds', 'card_declined', 'insufficient_funds'],
    ['expired_card', 'card_declined', 'expired_card'],
    ['authentication_required', 'authentication_required', null],
    // Whoever reads it may be the thief.
    ['lost_card', 'card_declined', 'generic_decline'],
    ['detached', 'payment_method_invalid', null],
  ])('by %s is told as %s and tried no more', async (kind, reason, declineCode) => {
    const one = await lowPayer();
    await one.card(kind);
    const [operation] = await begin();
    const clientCode = reason.toUpperCase();
    for (let n = 0; n < 3; n += 1) {
      await expect(charge(operation)).rejects.toMatchObject({
        kind: 'rejected',
        facts: { clientCode },
      });
    }
    expect(await one.stops()).toEqual([
      {
        reason,
        rechargeId: operation!.resource_id,
        amountCents: 2_000,
        declineCode,
        resumesAt: null,
      },
    ]);
    expect(await one.charges()).toHaveLength(kind === 'detached' ? 0 : 1);
    expect((await one.wallet()).autoRecharge).toMatchObject({
      status: 'stopped',
      stopReason: reason,
      rechargedThisMonthCents: 0,
    });
    expect(await begin()).toEqual([]);
    // A webhook of the failure changes nothing more.
    expect((await one.wallet()).balanceCents).toBe(500);
  });

  it('goes on when the client sets it again', async () => {
    const one = await lowPayer();
    await one.card('insufficient_funds');
    await charge((await begin())[0]).catch(() => undefined);
    await one.card('good');
    expect(await begin()).toEqual([]);
    expect((await one.set()).body.data.autoRecharge.status).toBe('active');
    const [again] = await begin();
    expect(await charge(again)).toEqual({ state: 'succeeded' });
    expect((await one.wallet()).balanceCents).toBe(2_500);
  });

  it('is answered as before under the same key, though the card is good by now', async () => {
    const one = await lowPayer();
    await begin();
    const [row] = await one.recharges();
    const order = {
      rechargeId: row!.id,
      chargeKey: row!.charge_key,
      userId: one.userId,
      amountCents: 2_000,
      customerId: row!.customer_id,
      paymentMethodId: row!.payment_method_id,
      key: `again:${row!.id}`,
    };
    await one.card('insufficient_funds');
    const first = await context.payments!.chargeSaved(order);
    await one.card('good');
    expect(await context.payments!.chargeSaved(order)).toEqual(first);
    expect(first.status).toBe('failed');
    expect(await one.charges()).toHaveLength(1);
  });
});

describe('the limit of a month', () => {
  it('is kept, told once, and over with the month in UTC', async () => {
    const one = await lowPayer();
    now = new Date('2026-12-10T12:00:00Z');
    for (let n = 0; n < 2; n += 1) {
      await charge((await begin())[0]);
      await one.spend(2_000);
    }
    expect(await begin()).toEqual([]);
    expect(await begin()).toEqual([]);
    expect(await one.stops()).toMatchObject([
      { reason: 'monthly_limit', resumesAt: '2027-01-01T00:00:00.000Z', rechargeId: null },
    ]);
    expect((await one.wallet()).autoRecharge).toMatchObject({
      status: 'limited',
      stopReason: 'monthly_limit',
      rechargedThisMonthCents: 4_000,
    });
    now = new Date('2026-12-31T23:59:59Z');
    expect(await begin()).toEqual([]);
    now = new Date('2027-01-01T00:00:00Z');
    const [operation] = await begin();
    await charge(operation);
    expect((await one.wallet()).autoRecharge).toMatchObject({
      status: 'active',
      rechargedThisMonthCents: 2_000,
    });
  });

  it('that the client raises is gone at once', async () => {
    const one = await lowPayer();
    await one.set({ ...SETTINGS, monthlyLimitCents: 2_000 });
    await charge((await begin())[0]);
    await one.spend(2_000);
    expect(await begin()).toEqual([]);
    await one.set({ ...SETTINGS, monthlyLimitCents: 4_000 });
    expect(await begin()).toHaveLength(1);
  });
});

describe('a recharge that goes back', () => {
  it('takes its money, and stops, so that the card is not charged for it again', async () => {
    const one = await lowPayer();
    await charge((await begin())[0]);
    const [{ id }] = await one.charges();
    await control('POST', `/payments/${id}/dispute`, {});
    await expect.poll(async () => (await one.wallet()).balanceCents).toBe(500);
    expect(await one.stops()).toMatchObject([{ reason: 'payment_reversed', rechargeId: null }]);
    expect(await begin()).toEqual([]);
    await control('POST', `/payments/${id}/dispute-won`, {});
    await expect.poll(async () => (await one.wallet()).balanceCents).toBe(2_500);
    const { body } = await one.call('GET', '/wallet/transactions');
    expect(body.data[0]).toMatchObject({ type: 'adjustment', referenceType: 'recharge' });
  });

  it('in part by a refund is taken in part', async () => {
    const one = await lowPayer();
    await charge((await begin())[0]);
    const [{ id }] = await one.charges();
    await control('POST', `/payments/${id}/refund`, { amountCents: 300 });
    await expect.poll(async () => (await one.wallet()).balanceCents).toBe(2_200);
  });
});

describe('a second payment of one recharge', () => {
  it('is not credited, and the audit shows it until it is given back', async () => {
    const one = await lowPayer();
    await charge((await begin())[0]);
    const [row] = await one.recharges();
    const second = await context.payments!.chargeSaved({
      rechargeId: row!.id,
      chargeKey: row!.charge_key,
      userId: one.userId,
      amountCents: row!.amount_cents,
      customerId: row!.customer_id,
      paymentMethodId: row!.payment_method_id,
      key: `second:${row!.id}`,
    });
    await expect.poll(async () => (await one.recharges())[0]!.mismatch).toBe('paid a second time');
    expect((await one.wallet()).balanceCents).toBe(2_500);
    expect(await auditWallets(database.db)).toMatchObject([
      { subject: second.paymentId, actual: 2_000 },
    ]);
    await control('POST', `/payments/${second.paymentId}/refund`, {});
    await expect.poll(() => auditWallets(database.db)).toEqual([]);
    expect((await one.wallet()).balanceCents).toBe(2_500);
  });
});

describe('after all of this', () => {
  it('each cent is where the ledger says', async () => {
    expect(await auditWallets(database.db)).toEqual([]);
  });
});
