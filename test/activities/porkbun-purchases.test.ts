/** Purchases at Porkbun, which keeps no list of orders, lists a name late and would renew it by itself. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { BookInput, BookResult } from '../../activities/reconcile/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { listResources } from '../../src/db/operations/provider-resources.ts';
import { ownershipProof } from '../../src/domain/domains/domain-import.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { importDomain, verifyDomain } from '../../src/services/domains/domains-import.ts';
import { changeDomain } from '../../src/services/domains/domains-renewal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { createSandboxContext, fund } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const NO_TEMPORAL = '127.0.0.1:9';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** How late the vendor lists a name in these tests, in real time: longer than they take. */
const LATE_MS = 600_000;

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  const environment = {
    DEFAULT_REGISTRAR: 'porkbun',
    REGISTRAR_ALTERNATES: 'namecom',
    PROVIDER_LAG_SECONDS: '30',
    RENEWAL_LAG_SECONDS: '1200',
    PROVIDER_TIMEOUT_SECONDS: '2',
  };
  context = createSandboxContext(database, sandbox, NO_TEMPORAL, { environment });
  context.startOperation = async () => false;
  activities = createActivities(context);
  await fund(context, 'ann', 100_000);
});
beforeEach(async () => {
  later(0);
  await sandbox.control('DELETE', '/faults');
});
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

const later = (ms: number) => {
  context.clock.now = () => new Date(Date.now() + ms);
};
const call = <T>(name: keyof Activities, input: object): Promise<T> =>
  activityEnvironment().run(activities[name] as (given: unknown) => Promise<T>, input);
const fault = (operation: string, kind: string, delayMs: number) =>
  sandbox.control('POST', '/faults', { vendor: 'porkbun', operation, kind, delayMs, times: 1 });
const orders = async (domain: string) => {
  const { body } = await sandbox.control('GET', '/books');
  const all = body.registrars.porkbun.orders as { domain: string; kind: string }[];
  return all.filter((one) => one.domain === domain).map(({ kind }) => kind);
};

/** A cluster with a new name, as the API inserts it; the registrar lists the name late. */
async function orderedAndListedLate(domain: string) {
  const { id } = await createCluster(context, 'ann', { domain, useExistingVps: false });
  const { operation_id, domain_id: domainId } = await getCluster(context.db, id);
  await fault(`POST /domain/create/${domain}`, 'lag', LATE_MS);
  return { operationId: operation_id!, domainId, clusterId: id };
}

describe('a name that was bought and is not listed yet', () => {
  it('is waited for before it gets its records, for a day, and nothing else waits for it', async () => {
    const step = await orderedAndListedLate('records-later.com');
    await call('registerDomain', step);
    expect((await getDomain(context.db, step.domainId)).status).toBe('active');
    const serverId = await addServer(context.db, {
      user_id: 'ann',
      host_name: 'mail.records-later.com',
      status: 'active',
      ipv4: '192.0.2.7',
    });
    await sql`update clusters set server_id = ${serverId} where id = ${step.clusterId}`.execute(
      context.db,
    );
    const publish = () => call('publishRecords', { ...step, phase: 'host' });
    // Its few attempts must outlast a listing that takes minutes.
    await expect(publish()).rejects.toMatchObject({
      type: 'NotReadyYet',
      nextRetryDelay: 2 * MINUTE_MS * context.config.RETRY_PACE,
    });
    const registrar = context.registrars['porkbun']!;
    await expect(registrar.listRecords('records-later.com')).rejects.toMatchObject({
      kind: 'rejected',
    });
    later(25 * HOUR_MS);
    await expect(publish()).rejects.toMatchObject({ type: 'ProviderRejected' });
  });
});

describe('a purchase whose answer was lost and that is listed late', () => {
  it('is asked for again under its key, which buys nothing more', async () => {
    const domain = 'lost-answer-listed-late.com';
    const step = await orderedAndListedLate(domain);
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    later(MINUTE_MS);
    await call('settleRegistration', step);
    expect(await call('adoptDomain', step)).toEqual({ bought: false });
    await call('registerDomain', step);
    expect(await orders(domain)).toEqual(['register']);
    expect(await getDomain(context.db, step.domainId)).toMatchObject({
      status: 'active',
      order_ref: expect.stringMatching(/^\d+$/),
    });
  });

  it('is not asked for elsewhere while a repetition is refused: that proves nothing', async () => {
    const domain = 'lost-answer-then-refused-us.com';
    const step = await orderedAndListedLate(domain);
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    later(MINUTE_MS);
    await call('settleRegistration', step);
    await fault(`POST /domain/checkDomain/${domain}`, 'auth', 0);
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'ProviderAuth' });
    const choice = { ...step, refused: ['porkbun'], told: 'porkbun refused' };
    expect(await call('chooseRegistrar', choice)).toEqual({ registrar: null });
  });

  it('is given up only after the time that an order may take to show', async () => {
    const step = await orderedAndListedLate('lost-answer-given-up.com');
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    const status = async () => (await getDomain(context.db, step.domainId)).status;
    later(19 * MINUTE_MS);
    await expect(call('abandonDomain', step)).rejects.toMatchObject({ type: 'NotReadyYet' });
    expect(await status()).toBe('pending');
    later(21 * MINUTE_MS);
    await call('abandonDomain', step);
    expect(await status()).toBe('failed');
  });

  it('has another key once the vendor has forgotten the first one', async () => {
    const { operationId, ...rest } = await orderedAndListedLate('lost-answer-forgotten.com');
    const step = { operationId, ...rest };
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    const states = async () =>
      (await listResources(context.db, operationId, 'domain_purchase')).map(({ state }) => state);
    later(22 * HOUR_MS);
    await call('settleRegistration', step);
    expect(await states()).toEqual(['creating']);
    later(24 * HOUR_MS);
    await call('settleRegistration', step);
    expect(await states()).toEqual(['absent']);
  });
});

describe('the automatic renewal of the vendor', () => {
  const words = { actor: 'system', reason: 'test' };
  const compare = (heal: BookInput['heal']) =>
    call<BookResult>('compareBook', { book: 'registrars/porkbun', heal, words });
  const renewsItself = async (name: string) => {
    const all = await context.registrars['porkbun']!.listDomains!();
    return all.find(({ domain }) => domain === name)?.renewsItself;
  };

  const refuseToStop = (domain: string) =>
    sandbox.control('POST', '/faults', {
      vendor: 'porkbun',
      operation: `POST /domain/updateAutoRenew/${domain}`,
      kind: 'error_500',
      times: 5,
    });
  /** In our account, and renewing itself as the vendor does by default. */
  const boughtByHand = async (domain: string) => {
    await refuseToStop(domain);
    await context.registrars['porkbun']!.register(domain, 2_000, `by hand: ${domain}`);
    await sandbox.control('DELETE', '/faults');
  };

  it('that could not be stopped with the purchase is stopped by the comparison', async () => {
    const domain = 'renews-itself.com';
    const { id } = await createCluster(context, 'ann', { domain, useExistingVps: false });
    const { operation_id, domain_id: domainId } = await getCluster(context.db, id);
    await refuseToStop(domain);
    await call('registerDomain', { operationId: operation_id!, domainId });
    await sandbox.control('DELETE', '/faults');
    expect(await renewsItself(domain)).toBe(true);
    // A report alone changes nothing.
    await compare('none');
    expect(await renewsItself(domain)).toBe(true);
    await compare('safe');
    expect(await renewsItself(domain)).toBe(false);
  });

  it('of a name that its owner imported is theirs, until the product renews it', async () => {
    const domain = 'imported-and-renewing.com';
    await boughtByHand(domain);
    const { id, verification_token: token } = await importDomain(context, 'ann', domain);
    const { type, value } = ownershipProof(domain, token!);
    const proof = { type, name: '_outreach-challenge', value };
    await context.registrars['porkbun']!.createRecord(domain, proof);
    const row = await verifyDomain(context, 'ann', id);
    expect(row).toMatchObject({ provider: 'porkbun', status: 'active', auto_renew: false });
    await compare('safe');
    expect(await renewsItself(domain)).toBe(true);
    await changeDomain(context, 'ann', id, { autoRenew: true });
    await compare('safe');
    expect(await renewsItself(domain)).toBe(false);
  });

  it('of a name that no account here has is left as it is', async () => {
    const domain = 'the-operators-own.com';
    await boughtByHand(domain);
    await compare('safe');
    expect(await renewsItself(domain)).toBe(true);
  });
});
