/** Renewals at a registrar that answers late or not at all, with the money that they cost. Choice 25. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { domainRenewalActivities } from '../../activities/domains/domain-renewals.ts';
import { asFailure } from '../../activities/engine/failures.ts';
import { operationActivities } from '../../activities/operations/operations.ts';
import type { Context } from '../../src/context.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { getOperation, type Operation } from '../../src/db/operations/operations.ts';
import { ProviderError, type ProviderErrorKind } from '../../src/domain/errors.ts';
import { readFailure } from '../../workflows/engine/failures.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';

const DAY_MS = 86_400_000;
const PRICE_CENTS = 1_500;

let database: TestDatabase;
let api: TestApi;
let token: string;
let domainId: number;
let now: Date;
/** The end of the domain's term at the registrar. */
let endsAt: Date;
let renewals: number;
/** What the registrar does with a renewal. */
let fault: { kind: ProviderErrorKind; hasEffect: boolean } | undefined;
/** What the registrar asks for a term, in cents. */
let costs: number;
/** Whether workflows run at all. */
let isRunning: boolean;
let activities: ReturnType<typeof domainRenewalActivities>;

const facts = { provider: 'namecom' };
const registrar = {
  name: 'namecom',
  find: async (domain: string) => ({
    domain,
    purchasedAt: '2025-01-01T00:00:00.000Z',
    expiresAt: endsAt.toISOString(),
  }),
  async renew(domain: string, maxCents: number, _key: string, expiresAt: string) {
    if (costs > maxCents) {
      const tooDear = { ...facts, clientCode: 'PRICE_ABOVE_CAP' };
      throw new ProviderError('rejected', `${domain} costs more than is allowed`, tooDear);
    }
    if (!fault || fault.hasEffect) {
      renewals += 1;
      endsAt = new Date(Date.parse(expiresAt) + 365 * DAY_MS);
    }
    if (fault) throw new ProviderError(fault.kind, 'the registrar says no', facts);
    const found = await registrar.find(domain);
    return { ...found, orderRef: `order-${renewals}`, chargedCents: costs };
  },
};

/** The workflow without Temporal: its steps once, in order. */
async function startOperation(operation: Operation): Promise<boolean> {
  if (!isRunning) return false;
  const step = { operationId: operation.id, renewalId: operation.resource_id };
  await finish(
    operation,
    await activities
      .adoptRenewal(step)
      .then(async ({ renewed }) => (renewed ? undefined : activities.renewAtRegistrar(step)))
      .then(
        () => undefined,
        (error: ProviderError) => ({ code: 'PROVIDER_REJECTED', message: error.message }),
      ),
  );
  return true;
}
const finish = (operation: Operation, error?: { code: string; message: string }) =>
  operationActivities(api.context).finishOperation({
    operationId: operation.id,
    outcome: error ? 'failed' : 'succeeded',
    steps: [],
    ...(error && { error }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  const stubs = { registrars: { namecom: registrar }, startOperation, clock: { now: () => now } };
  const environment = {
    DOMAIN_RENEWAL_PRICE_CENTS: String(PRICE_CENTS),
    PROVIDER_LAG_SECONDS: '30',
    PROVIDER_TIMEOUT_SECONDS: '20',
  };
  api = await startTestApi({
    database,
    context: stubs as unknown as Partial<Context>,
    environment,
  });
  activities = domainRenewalActivities(api.context);
});
afterAll(async () => {
  await api.close();
  await database.close();
});
beforeEach(async () => {
  [now, renewals, fault, isRunning] = [new Date(), 0, undefined, true];
  costs = 1_299;
  endsAt = new Date(now.getTime() + 20 * DAY_MS);
  const userId = await userWith(database.db, 2_000);
  token = await api.jwt(userId);
  const { id } = await database.db
    .insertInto('domains')
    .values({
      user_id: userId,
      name: `${userId}.com`,
      provider: 'namecom',
      status: 'active',
      expires_at: endsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  domainId = id;
});

const renew = () => api.call('POST', `/v1/domains/${domainId}/renew`, { token });
const wallet = async () => {
  const { body } = await api.call('GET', '/wallet', { token });
  const { availableCents, heldCents } = body.data;
  return { availableCents, heldCents };
};
/** The operation of the newest renewal, and its step's input. */
async function latest() {
  const renewal = await database.db
    .selectFrom('domain_renewals')
    .selectAll()
    .where('domain_id', '=', domainId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const { id } = await database.db
    .selectFrom('operations')
    .select('id')
    .where('resource_type', '=', 'domain_renewal')
    .where('resource_id', '=', renewal.id)
    .executeTakeFirstOrThrow();
  const operation = await getOperation(database.db, id);
  return { renewal, operation, step: { operationId: id, renewalId: renewal.id } };
}

describe('POST /v1/domains/:id/renew', () => {
  it('buys one term, charges it, and shows the new end', async () => {
    const { status, body } = await renew();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      expiresAt: endsAt.toISOString(),
      renewal: { status: 'done', newExpiresAt: endsAt.toISOString(), error: null },
    });
    expect([renewals, await wallet()]).toEqual([1, { availableCents: 500, heldCents: 0 }]);
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it('asked again within a day it is the same renewal', async () => {
    await renew();
    const again = await renew();
    expect([again.status, renewals]).toEqual([200, 1]);
    now = new Date(now.getTime() + 2 * DAY_MS);
    const later = await renew();
    expect([later.body.code, renewals]).toEqual(['RENEWAL_TOO_EARLY', 1]);
  });

  it('two at once are one renewal and one charge', async () => {
    const answers = await Promise.all([renew(), renew(), renew()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([renewals, await wallet()]).toEqual([1, { availableCents: 500, heldCents: 0 }]);
  });

  it('402 and nothing kept where the wallet has too little', async () => {
    await database.db.updateTable('domains').set({ auto_renew: true }).execute();
    await renew();
    endsAt = new Date(now.getTime() + 5 * DAY_MS);
    now = new Date(now.getTime() + 2 * DAY_MS);
    const { status, body } = await renew();
    expect([status, body.code, renewals]).toEqual([402, 'INSUFFICIENT_BALANCE', 1]);
    expect((await latest()).renewal.state).toBe('done');
  });

  it('a renewal that fails gives the money back and frees the claim', async () => {
    fault = { kind: 'rejected', hasEffect: false };
    expect((await renew()).status).toBe(502);
    expect(await wallet()).toEqual({ availableCents: 2_000, heldCents: 0 });
    expect((await latest()).renewal).toMatchObject({
      state: 'failed',
      error_code: 'PROVIDER_REJECTED',
    });
    fault = undefined;
    expect([(await renew()).status, renewals]).toEqual([200, 1]);
  });

  it('takes the registrar’s end for the truth: renewed there by a person it is too early', async () => {
    endsAt = new Date(now.getTime() + 400 * DAY_MS);
    const { body } = await renew();
    const { body: shown } = await api.call('GET', `/v1/domains/${domainId}`, { token });
    expect([body.code, shown.data.expiresAt, renewals]).toEqual([
      'RENEWAL_TOO_EARLY',
      endsAt.toISOString(),
      0,
    ]);
  });

  it('404 for the domain of somebody else, 400 where it is not active', async () => {
    const foreign = await api.call('POST', `/v1/domains/${domainId}/renew`, {
      token: await api.jwt(await userWith(database.db, 100)),
    });
    await database.db
      .updateTable('domains')
      .set({ status: 'failed' })
      .where('id', '=', domainId)
      .execute();
    expect([foreign.status, (await renew()).body.code]).toEqual([404, 'INVALID_STATE']);
  });
});

describe('the limit of what a renewal may cost us', () => {
  it.each([1_799, 3_599])('lets %i cents pass by default', async (cents) => {
    costs = cents;
    expect([(await renew()).status, renewals]).toEqual([200, 1]);
  });

  it('is an operator’s to raise, not the client’s to cure', async () => {
    isRunning = false;
    await renew();
    const { step } = await latest();
    costs = 4_001;
    const error: unknown = await activities.renewAtRegistrar(step).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: 'quota', facts: { clientCode: 'RENEWAL_ABOVE_CAP' } });
    expect((error as ProviderError).facts.operatorHint).toContain('DOMAIN_RENEWAL_COST_CAP_CENTS');
    expect(readFailure(asFailure(error))).toMatchObject({
      cure: 'operator',
      type: 'QuotaExceeded',
    });
    expect(renewals).toBe(0);
  });
});

describe('a renewal whose answer never came', () => {
  beforeEach(async () => {
    // The row and its hold, before any workflow.
    isRunning = false;
    await renew();
  });

  it('and that went through is adopted: paid once, charged once', async () => {
    const { step } = await latest();
    fault = { kind: 'outcome_unknown', hasEffect: true };
    await expect(activities.renewAtRegistrar(step)).rejects.toMatchObject({
      kind: 'outcome_unknown',
    });
    await activities.settleRenewal(step);
    expect(await activities.adoptRenewal(step)).toEqual({ renewed: true });
    expect(await activities.adoptRenewal(step)).toEqual({ renewed: true });
    await activities.renewAtRegistrar(step);
    expect([renewals, await wallet()]).toEqual([1, { availableCents: 500, heldCents: 0 }]);
  });

  it('and did nothing waits out the lag, then is asked again with another key', async () => {
    const { step } = await latest();
    fault = { kind: 'outcome_unknown', hasEffect: false };
    await expect(activities.renewAtRegistrar(step)).rejects.toMatchObject({
      kind: 'outcome_unknown',
    });
    await expect(activities.settleRenewal(step)).rejects.toMatchObject({ kind: 'not_ready' });
    now = new Date(now.getTime() + 31_000);
    await activities.settleRenewal(step);
    await activities.settleRenewal(step);
    fault = undefined;
    await activities.renewAtRegistrar(step);
    const tokens = await database.db
      .selectFrom('provider_resources')
      .select(['token', 'state'])
      .where('operation_id', '=', step.operationId)
      .orderBy('generation')
      .execute();
    expect(tokens.map(({ state }) => state)).toEqual(['absent', 'created']);
    expect(new Set(tokens.map((row) => row.token)).size).toBe(2);
    expect(renewals).toBe(1);
  });

  it('is not undone before that is known; a term that was bought stays and is charged', async () => {
    const { step, operation } = await latest();
    fault = { kind: 'outcome_unknown', hasEffect: false };
    await expect(activities.renewAtRegistrar(step)).rejects.toMatchObject({
      kind: 'outcome_unknown',
    });
    await expect(activities.abandonRenewal(step)).rejects.toMatchObject({ kind: 'not_ready' });
    endsAt = new Date(endsAt.getTime() + 365 * DAY_MS);
    await activities.abandonRenewal(step);
    await activities.abandonRenewal(step);
    await finish(operation, { code: 'CANCELLED', message: 'given up' });
    expect((await latest()).renewal.state).toBe('done');
    expect(await wallet()).toEqual({ availableCents: 500, heldCents: 0 });
  });

  it('is undone with the money back where nothing happened; a late one is an orphan', async () => {
    const { step, operation } = await latest();
    await activities.abandonRenewal(step);
    await finish(operation, { code: 'CANCELLED', message: 'given up' });
    expect(await wallet()).toEqual({ availableCents: 2_000, heldCents: 0 });
    endsAt = new Date(endsAt.getTime() + 365 * DAY_MS);
    await activities.adoptRenewal(step);
    const orphans = await database.db
      .selectFrom('operation_events')
      .select('reason')
      .where('operation_id', '=', step.operationId)
      .where('kind', '=', 'orphan')
      .execute();
    expect([orphans.length, await wallet()]).toEqual([1, { availableCents: 2_000, heldCents: 0 }]);
    expect(await auditWallets(database.db)).toEqual([]);
  });
});
