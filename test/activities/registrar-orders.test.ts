/** What Name.com's orders tell: of renewals whose answer was lost, and of what a registry refuses later. Choice 82. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { BookInput, BookResult } from '../../activities/reconcile/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { listOpenFindings } from '../../src/db/operations/findings.ts';
import { findResource } from '../../src/db/operations/provider-resources.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { buyDomain } from '../../src/services/domains/domains.ts';
import { renewDomain } from '../../src/services/domains/domains-renewal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext, fund } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

/** Nobody listens there: the test calls the activities itself. */
const NO_TEMPORAL = '127.0.0.1:9';
const MINUTE_MS = 60_000;
/** How late the registry is in these tests: longer than any of them lasts. */
const LATE_MS = 10 * MINUTE_MS;
const words = { actor: 'system', reason: 'test' };

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;
/** Those of a process that gives up quickly on an answer, for calls whose answer is lost on purpose. */
let hasty: Context & { close(): Promise<void> };
let hastyActivities: Activities;
let users = 0;
let userId: string;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  const environment = {
    DOMAIN_DIRECT_PRICE_CENTS: '1000',
    DOMAIN_RENEWAL_PRICE_CENTS: '1500',
    PROVIDER_LAG_SECONDS: '30',
    RENEWAL_LAG_SECONDS: '1200',
  };
  context = createSandboxContext(database, sandbox, NO_TEMPORAL, { environment });
  // Rows alone: the test is the workflow.
  context.startOperation = async () => false;
  activities = createActivities(context);
  hasty = createSandboxContext(database, sandbox, NO_TEMPORAL, {
    environment: { ...environment, PROVIDER_TIMEOUT_SECONDS: '1' },
  });
  hasty.startOperation = context.startOperation;
  hasty.clock = context.clock;
  hastyActivities = createActivities(hasty);
});
beforeEach(async () => {
  later(0);
  users += 1;
  userId = `user-${users}`;
  await fund(context, userId, 100_000);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await hasty?.close();
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

const { now: realNow } = Date;
/** The clock of the product. */
const later = (ms: number) => {
  context.clock.now = () => new Date(realNow() + ms);
};
/** The clock of the registry, which it does not share. */
const registryIsDone = () => {
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + LATE_MS);
};
const call = <T>(name: keyof Activities, input: object, of = activities): Promise<T> =>
  activityEnvironment().run(of[name] as (given: unknown) => Promise<T>, input);
const callInVain = (name: keyof Activities, input: object) => call(name, input, hastyActivities);
const compare = (heal: BookInput['heal'] = 'safe') =>
  call<BookResult>('compareBook', { book: 'registrars/namecom', heal, words });
const fault = (operation: string, kind: string, delayMs = LATE_MS) =>
  sandbox.control('POST', '/faults', { vendor: 'namecom', operation, kind, delayMs, times: 1 });
const availableCents = async () => {
  const { rows } = await sql<{ cents: string }>`
    select available_cents as cents from wallets where user_id = ${userId}`.execute(context.db);
  return Number(rows[0]!.cents);
};
const capturedCents = async (operationId: number) => {
  const { rows } = await sql<{ cents: string }>`
    select -amount_cents as cents from ledger_transactions
    where operation_key = ${`operation:${operationId}:domain`}`.execute(context.db);
  return Number(rows[0]?.cents ?? 0);
};
const eventsOf = (operationId: number) =>
  context.db
    .selectFrom('operation_events')
    .select(['kind', 'step'])
    .where('operation_id', '=', operationId)
    .execute();
const rejections = async () => {
  const { rows } = await sql<{ data: object }>`select payload as data from events
    where user_id = ${userId} and type = 'domain.order_rejected'`.execute(context.db);
  return rows.map(({ data }) => data);
};
const orders = async (domain: string) => {
  const { body } = await sandbox.control('GET', '/books');
  const all = body.registrars.namecom.orders as { domain: string; kind: string; status: string }[];
  return all.filter((one) => one.domain === domain).map(({ kind, status }) => `${kind} ${status}`);
};

/** A domain that was bought with a cluster, whose operation is over. */
async function bought(domain: string) {
  const step = await ordered(domain);
  const register = domain.startsWith('lost-answer') ? callInVain : call;
  await register('registerDomain', step).catch(() => call('adoptDomain', step));
  await sql`update operations set state = 'failed', finished_at = now()
    where id = ${step.operationId}`.execute(context.db);
  return step;
}

/** A name that was ordered with a cluster, as the API writes it. */
async function ordered(domain: string) {
  const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
  const { operation_id: operationId, domain_id: domainId } = await getCluster(context.db, id);
  return { operationId: operationId!, domainId };
}

/** An ordered renewal of a domain whose term is a year old. */
async function renewal(domain: string) {
  const { domainId } = await bought(domain);
  await renewDomain(context, userId, domainId);
  const { rows } = await sql<{ operationId: number; renewalId: number }>`
    select o.id as "operationId", r.id as "renewalId" from domain_renewals r
    join operations o on o.resource_type = 'domain_renewal' and o.resource_id = r.id
    where r.domain_id = ${domainId}`.execute(context.db);
  return { domainId, step: rows[0]! };
}

/** The order of a name alone. */
const stepOf = async (domainId: number) => {
  const { rows } = await sql<{ operationId: number }>`select id as "operationId" from operations
    where resource_type = 'domain' and resource_id = ${domainId} order by id desc limit 1`.execute(
    context.db,
  );
  return { operationId: rows[0]!.operationId, domainId };
};

describe('a registration whose answer was lost', () => {
  /** The registry is late, and the answer to the order is lost. */
  async function lost(domain: string) {
    const step = await ordered(domain);
    await fault('POST /domains', 'lag');
    const registered = callInVain('registerDomain', step);
    await expect(registered).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    return step;
  }

  it('and that the registry carries out late is found in the orders, and paid once', async () => {
    const domain = 'lost-answer-slow-registry.com';
    const step = await lost(domain);
    for (const minutes of [1, 30]) {
      later(minutes * MINUTE_MS);
      await expect(call('settleRegistration', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
      await expect(call('adoptDomain', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
    }
    expect(await orders(domain)).toEqual(['register started']);
    registryIsDone();
    await call('settleRegistration', step);
    expect(await call('adoptDomain', step)).toEqual({ bought: true });
    await call('registerDomain', step);
    expect(await orders(domain)).toEqual(['register success']);
    expect(await getDomain(context.db, step.domainId)).toMatchObject({
      status: 'active',
      order_ref: expect.stringMatching(/^\d+$/),
      cost_cents: 1_299,
    });
  });

  it('is neither given back nor forgotten while the order is under way', async () => {
    const domain = 'lost-answer-given-up.com';
    const step = await lost(domain);
    later(30 * MINUTE_MS);
    await expect(call('abandonDomain', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
    expect((await getDomain(context.db, step.domainId)).status).toBe('pending');
    registryIsDone();
    await call('abandonDomain', step);
    expect(await getDomain(context.db, step.domainId)).toMatchObject({
      status: 'active',
      order_ref: expect.stringMatching(/^\d+$/),
      cost_cents: 1_299,
    });
  });

  it('is not waited for where the registrar has told its order and shows the name late', async () => {
    const domain = 'told-and-late.com';
    const { domain: row } = await buyDomain(context, userId, { domain, provider: 'porkbun' });
    const operation = `POST /domain/create/${domain}`;
    const late = { vendor: 'porkbun', operation, kind: 'lag', delayMs: 60_000, times: 1 };
    await sandbox.control('POST', '/faults', late);
    await call('registerDomain', await stepOf(row.id));
    expect(await context.registrars['porkbun']!.find(domain)).toBeNull();
    expect(await getDomain(context.db, row.id)).toMatchObject({
      status: 'active',
      order_ref: expect.stringMatching(/^\d+$/),
    });
  });

  it('and whose order failed is asked for again', async () => {
    const domain = 'lost-answer-then-refused.com';
    const step = await ordered(domain);
    await fault('POST /domains', 'fails_later', 1);
    const registered = callInVain('registerDomain', step);
    await expect(registered).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    later(MINUTE_MS);
    await call('settleRegistration', step);
    expect(await call('adoptDomain', step)).toEqual({ bought: false });
    await call('registerDomain', step);
    expect(await orders(domain)).toEqual(['register failed', 'register success']);
  });
});

describe('a name that came to us after its purchase had been given up', () => {
  const buy = (as: string, domain: string, provider?: string) =>
    buyDomain(context, as, { domain, ...(provider && { provider }) });
  /** A registrar that showed it later than anybody waited. */
  async function orphan(domain: string, provider?: string) {
    const { domain: row } = await buy(userId, domain, provider);
    const step = await stepOf(row.id);
    await callInVain('registerDomain', step).catch(() => undefined);
    await sql`update provider_resources set state = 'absent'
      where operation_id = ${step.operationId}`.execute(context.db);
    await call('abandonDomain', step);
    await sql`update operations set state = 'failed', finished_at = now()
      where id = ${step.operationId}`.execute(context.db);
    expect((await getDomain(context.db, row.id)).status).toBe('failed');
  }

  it('is taken over when the same user orders it again, and not bought twice', async () => {
    const domain = 'lost-answer-and-forgotten.com';
    await orphan(domain);
    const { domain: again } = await buy(userId, domain);
    const step = await stepOf(again.id);
    expect(await call('adoptDomain', step)).toEqual({ bought: true });
    expect(await orders(domain)).toEqual(['register success']);
    expect((await getDomain(context.db, again.id)).status).toBe('active');
  });

  it('at another registrar than is asked by default is taken over there', async () => {
    const domain = 'lost-answer-elsewhere.com';
    await orphan(domain, 'porkbun');
    const { domain: again } = await buy(userId, domain);
    expect(again.provider).toBe('porkbun');
    expect(await call('adoptDomain', await stepOf(again.id))).toEqual({ bought: true });
  });

  it('is not available to another user', async () => {
    const domain = 'lost-answer-not-yours.com';
    await orphan(domain);
    await expect(buy(`stranger-of-${userId}`, domain)).rejects.toMatchObject({
      code: 'DOMAIN_UNAVAILABLE',
    });
  });

  it('and is asked for by nobody here any more waits for a person, as after a restore', async () => {
    const domain = 'lost-answer-no-row.com';
    await orphan(domain);
    await sql`delete from provider_resources where external_id = ${domain}`.execute(context.db);
    later(10 * MINUTE_MS);
    await compare();
    later(0);
    const { domain: again } = await buy(userId, domain);
    await expect(call('adoptDomain', await stepOf(again.id))).rejects.toMatchObject({
      type: 'Undecided',
    });
  });
});

describe('a renewal whose answer was lost', () => {
  it('and that the registry carries out late is found in the orders, and paid once', async () => {
    const domain = 'lost-answer-late.com';
    const { step } = await renewal(domain);
    await fault('POST /domains/{domain}:renew', 'lag');
    await expect(callInVain('renewAtRegistrar', step)).rejects.toMatchObject({
      type: 'OutcomeUnknown',
    });
    // Longer than a vendor usually takes, and then longer than Name.com is waited for.
    for (const minutes of [1, 16, 25]) {
      later(minutes * MINUTE_MS);
      await expect(call('settleRenewal', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
      await expect(call('adoptRenewal', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
    }
    expect(await orders(domain)).toEqual(['register success', 'renew started']);
    registryIsDone();
    await call('settleRenewal', step);
    expect(await call('adoptRenewal', step)).toEqual({ renewed: true });
    expect(await orders(domain)).toEqual(['register success', 'renew success']);
    const { rows } = await sql<{ order_ref: string; cost_cents: number }>`
      select order_ref, cost_cents from domain_renewals where id = ${step.renewalId}`.execute(
      context.db,
    );
    expect(rows).toEqual([{ order_ref: expect.stringMatching(/^\d+$/), cost_cents: 1_799 }]);
  });

  it('and that did nothing is asked for again only after twenty minutes', async () => {
    const domain = 'nothing-done.com';
    const { step } = await renewal(domain);
    await fault('POST /domains/{domain}:renew', 'timeout_before_effect');
    await expect(callInVain('renewAtRegistrar', step)).rejects.toMatchObject({
      type: 'OutcomeUnknown',
    });
    later(19 * MINUTE_MS);
    await expect(call('settleRenewal', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
    later(21 * MINUTE_MS);
    await call('settleRenewal', step);
    expect(await call('adoptRenewal', step)).toEqual({ renewed: false });
    await call('renewAtRegistrar', step);
    expect(await orders(domain)).toEqual(['register success', 'renew success']);
  });
});

/** Activities of a process that sees the registrar differently. */
const seeing = (seen: Partial<Registrar>) => {
  const registrar = { ...context.registrars['namecom']!, ...seen };
  const own = createActivities({ ...context, registrars: { namecom: registrar } });
  return <T>(name: keyof Activities, input: object): Promise<T> =>
    activityEnvironment().run(own[name] as (given: unknown) => Promise<T>, input);
};
const nothing: Partial<Registrar> = { find: async () => null, listOrders: async () => [] };

/** A registration that was made, whose answer was lost, and that was taken for absent. */
async function takenForAbsent(domain: string) {
  const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
  const { operation_id: operationId, domain_id: domainId } = await getCluster(context.db, id);
  const step = { operationId: operationId!, domainId, clusterId: id };
  await fault('POST /domains', 'timeout_after_effect');
  const registered = callInVain('registerDomain', step);
  await expect(registered).rejects.toMatchObject({ type: 'OutcomeUnknown' });
  later(2 * MINUTE_MS);
  await seeing(nothing)('settleRegistration', step);
  expect(await findResource(context.db, step.operationId, 'domain_purchase')).toMatchObject({
    state: 'absent',
  });
  return step;
}

/** The registry refuses it: the order has failed, and the name is gone. */
async function refuse(domain: string) {
  const registrar = context.registrars['namecom']!;
  const orders = await registrar.listOrders!(new Date(0), domain);
  expect(orders).toHaveLength(1);
  const refused = async () => orders.map((one) => ({ ...one, state: 'failed' }) as const);
  const compared = seeing({ find: async () => null, listOrders: refused });
  const input = { book: 'registrars/namecom', heal: 'safe', words } as const;
  const results = [
    await compared<BookResult>('compareBook', input),
    await compared<BookResult>('compareBook', input),
  ];
  return results.map(({ healed }) => healed);
}

describe('a name that was taken for absent, found later, and refused by the registry in the end', () => {
  it('is refunded as it was captured, once', async () => {
    const domain = 'found-again.com';
    const step = await takenForAbsent(domain);
    expect(await call('adoptDomain', step)).toEqual({ bought: true });
    const [paid, captured] = [await availableCents(), await capturedCents(step.operationId)];
    expect(captured).toBeGreaterThan(0);
    expect(await refuse(domain)).toEqual([1, 0]);
    expect(await availableCents()).toBe(paid + captured);
    expect(await rejections()).toMatchObject([{ domain, refundedCents: captured }]);
    expect(await eventsOf(step.operationId)).toContainEqual(
      expect.objectContaining({ kind: 'reconciled', step: 'domain_purchase' }),
    );
    expect(await auditWallets(context.db)).toEqual([]);
  });

  it('by an order that paid for it anew: that one gets its money back, the first one had it already', async () => {
    const domain = 'paid-anew.com';
    const first = await takenForAbsent(domain);
    await seeing(nothing)('abandonDomain', first);
    await call('releaseHold', first);
    const end = { outcome: 'failed', steps: [], error: { code: 'NOT_BOUGHT', message: 'x' } };
    await call('finishOperation', { ...first, ...end });
    const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
    const cluster = await getCluster(context.db, id);
    const second = { operationId: cluster.operation_id!, domainId: cluster.domain_id };
    expect(second.domainId).not.toBe(first.domainId);
    // The clock of the registrar is long past that of the first order.
    await sql`update domains set created_at = now() + interval '1 hour'
      where id = ${second.domainId}`.execute(context.db);
    expect(await call('adoptDomain', second)).toEqual({ bought: true });
    const [paid, captured] = [await availableCents(), await capturedCents(second.operationId)];
    expect(captured).toBeGreaterThan(0);
    expect(await refuse(domain)).toEqual([1, 0]);
    expect(await availableCents()).toBe(paid + captured);
    expect(await rejections()).toMatchObject([{ domain, refundedCents: captured }]);
    expect(await auditWallets(context.db)).toEqual([]);
  });

  it('is refunded also where it was found by the undo of its order', async () => {
    const domain = 'found-by-undo.com';
    const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
    const { operation_id: operationId, domain_id: domainId } = await getCluster(context.db, id);
    const step = { operationId: operationId!, domainId };
    await fault('POST /domains', 'timeout_after_effect');
    const registered = callInVain('registerDomain', step);
    await expect(registered).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    await call('abandonDomain', step);
    const [paid, captured] = [await availableCents(), await capturedCents(step.operationId)];
    expect(captured).toBeGreaterThan(0);
    expect(await refuse(domain)).toEqual([1, 0]);
    expect(await availableCents()).toBe(paid + captured);
    expect(await rejections()).toMatchObject([{ domain, refundedCents: captured }]);
  });
});

describe('an order that the registry refuses later', () => {
  it('of a name: the money comes back, once, the name is free, and the client is told', async () => {
    const domain = 'refused-later.com';
    await fault('POST /domains', 'fails_later');
    const { domainId } = await bought(domain);
    const paid = await availableCents();
    expect(await compare()).toMatchObject({ healed: 0 });
    expect((await getDomain(context.db, domainId)).status).toBe('active');
    registryIsDone();
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await compare()).toMatchObject({ found: 0, healed: 0 });
    expect(await getDomain(context.db, domainId)).toMatchObject({
      status: 'failed',
      error_code: 'DOMAIN_REJECTED',
    });
    const [told, ...more] = (await rejections()) as { refundedCents: number }[];
    expect([told, more]).toMatchObject([{ domainId, domain, order: 'registration' }, []]);
    expect(told!.refundedCents).toBeGreaterThan(0);
    expect(await availableCents()).toBe(paid + told!.refundedCents);
    expect(await auditWallets(context.db)).toEqual([]);
  });

  it('of a renewal: the term ends as before, and may be ordered again', async () => {
    const domain = 'not-longer.com';
    const { domainId, step } = await renewal(domain);
    const { expires_at: end } = await getDomain(context.db, domainId);
    const before = await availableCents();
    await fault('POST /domains/{domain}:renew', 'fails_later');
    await call('renewAtRegistrar', step);
    registryIsDone();
    expect(await compare()).toMatchObject({ healed: 1 });
    expect(await compare()).toMatchObject({ healed: 0 });
    expect((await getDomain(context.db, domainId)).expires_at).toEqual(end);
    expect(await availableCents()).toBe(before + 1_500);
    expect(await rejections()).toMatchObject([
      { domainId, order: 'renewal', refundedCents: 1_500, expiresAt: end!.toISOString() },
    ]);
    await renewDomain(context, userId, domainId);
    expect(await auditWallets(context.db)).toEqual([]);
  });

  it('is for a person where the registrar still shows the domain', async () => {
    const { domainId } = await bought('both-ways.com');
    const failed = { orderRef: '1', domain: 'both-ways.com', kind: 'registration' } as const;
    await sql`update domains set order_ref = '1' where id = ${domainId}`.execute(context.db);
    const registrar = context.registrars['namecom']!;
    const shown = { ...failed, state: 'failed', placedAt: new Date().toISOString() } as const;
    const odd = { ...registrar, listOrders: async () => [{ ...shown, chargedCents: 0 }] };
    const own = createActivities({ ...context, registrars: { namecom: odd } });
    const input = { book: 'registrars/namecom', heal: 'safe', words } as const;
    const result = await activityEnvironment().run(
      (given: BookInput) => own.compareBook(given),
      input,
    );
    expect(result).toMatchObject({ healed: 0 });
    expect((await getDomain(context.db, domainId)).status).toBe('active');
    expect(await listOpenFindings(context.db)).toContainEqual(
      expect.objectContaining({ kind: 'rejected_order', subject: 'namecom/1/both-ways.com' }),
    );
  });
});
