/** Fail-over between registrars, against their stand-ins: never two purchases of one name. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters.ts';
import { getDomain } from '../../src/db/domains.ts';
import { getOperation } from '../../src/db/operations.ts';
import { listResources } from '../../src/db/provider-resources.ts';
import { createCluster } from '../../src/services/clusters.ts';
import { activityEnvironment } from '../support/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSandboxContext, fund } from '../support/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.ts';

const PATIENCE_MS = 20_000;

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  const environment = { PROVIDER_TIMEOUT_SECONDS: '1.5', REGISTRAR_ALTERNATES: 'porkbun' };
  context = createSandboxContext(database, sandbox, '127.0.0.1:9', { environment });
  context.startOperation = async () => false;
  activities = createActivities(context);
  await fund(context, 'ann', 100_000);
});
afterEach(() => sandbox.door('DELETE', '/faults'));
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

let orders = 0;
/** A purchase whose workflow has not begun, as the API writes it. */
async function order() {
  const domain = `second-choice-${(orders += 1)}.com`;
  const { id } = await createCluster(context, 'ann', { domain, useExistingVps: false });
  const { operation_id: operationId, domain_id: domainId } = await getCluster(context.db, id);
  const { input } = await getOperation(context.db, operationId!);
  return { step: { operationId: operationId!, domainId }, domain, input };
}
type Step = Awaited<ReturnType<typeof order>>['step'];

const call = <T = unknown>(name: keyof Activities, input: object): Promise<T> =>
  activityEnvironment().run(activities[name] as (given: object) => Promise<T>, input);
const choose = async (step: Step, refused: string[]) =>
  (
    await call<{ registrar: string | null }>('chooseRegistrar', {
      ...step,
      refused,
      told: `${refused.join(', ')} refused`,
    })
  ).registrar;
const fault = (operation: string, kind: string) =>
  sandbox.door('POST', '/faults', { vendor: 'namecom', operation, kind, times: 1 });
const providerOf = async ({ domainId }: Step) => (await getDomain(context.db, domainId)).provider;

/** Who sold it, one word for each order. */
async function soldBy(domain: string): Promise<string[]> {
  const { registrars } = (await sandbox.door('GET', '/books')).body;
  return ['namecom', 'porkbun'].flatMap((vendor) =>
    registrars[vendor].orders
      .filter((one: { domain: string }) => one.domain === domain)
      .map(() => vendor),
  );
}

/** As Temporal would: again while it says "not yet". */
async function untilDone(name: keyof Activities, input: object): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await call(name, input);
      return;
    } catch (error) {
      const { type } = error as { type?: string };
      if (type !== 'NotReadyYet' || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

describe('where the first registrar refuses us', () => {
  it('the alternate sells the name, once, and what was done is written down', async () => {
    const { step, domain, input } = await order();
    expect(input).toMatchObject({ failsOver: true, registrar: 'namecom' });
    await fault('POST /domains', 'auth');
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'ProviderAuth' });
    expect([await choose(step, ['namecom']), await choose(step, ['namecom'])]).toEqual([
      'porkbun',
      'porkbun',
    ]);
    expect(await call('adoptDomain', step)).toEqual({ bought: false });
    await call('registerDomain', step);
    await call('registerDomain', step);
    expect(await soldBy(domain)).toEqual(['porkbun']);
    const { status, provider, cost_cents } = await getDomain(context.db, step.domainId);
    expect([status, provider, cost_cents! > 0]).toEqual(['active', 'porkbun', true]);
    const intents = await listResources(context.db, step.operationId, 'domain_purchase');
    expect(intents.map((one) => `${one.generation} ${one.provider} ${one.state}`)).toEqual([
      '1 namecom absent',
      '2 porkbun created',
    ]);
    const told = await context.db
      .selectFrom('operation_events')
      .select('reason')
      .where('operation_id', '=', step.operationId)
      .where('kind', '=', 'failed_over')
      .execute();
    expect(told).toEqual([{ reason: 'namecom refused, asking porkbun' }]);
  });

  it('and the alternate, too, it is the first one’s again', async () => {
    const { step } = await order();
    expect(await choose(step, ['namecom'])).toBe('porkbun');
    expect(await choose(step, ['namecom', 'porkbun'])).toBeNull();
    expect(await providerOf(step)).toBe('namecom');
  });
});

describe('an answer that was lost', () => {
  it('is settled before another registrar is asked: the name may have been sold', async () => {
    const { step, domain } = await order();
    await fault('POST /domains', 'timeout_after_effect');
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    expect([await choose(step, ['namecom']), await providerOf(step)]).toEqual([null, 'namecom']);
    await untilDone('settleRegistration', step);
    expect(await call('adoptDomain', step)).toEqual({ bought: true });
    // It has been sold: whoever asks again is sent to who sold it.
    expect(await choose(step, ['namecom'])).toBe('namecom');
    expect(await soldBy(domain)).toEqual(['namecom']);
  });

  it('stays unsettled while a repeat is refused', async () => {
    const { step, domain } = await order();
    await fault('POST /domains', 'timeout_before_effect');
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    await fault('POST /domains', 'auth');
    await expect(call('registerDomain', step)).rejects.toMatchObject({ type: 'ProviderAuth' });
    expect([await choose(step, ['namecom']), await providerOf(step)]).toEqual([null, 'namecom']);
    expect(await soldBy(domain)).toEqual([]);
  });
});

describe('a purchase that was given up', () => {
  it('is asked for nowhere else', async () => {
    const { step } = await order();
    await call('abandonDomain', step);
    expect(await choose(step, ['namecom'])).toBeNull();
  });
});
