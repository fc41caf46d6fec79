/** Fail-over between registrars, against their stand-ins: never two purchases of one name. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Activities } from '../../activities/index.ts';
import { getDomain } from '../../src/db/domains/domains.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { listResources } from '../../src/db/operations/provider-resources.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';

let world: OrderWorld;
beforeAll(async () => {
  world = await startOrderWorld(() => ({ REGISTRAR_ALTERNATES: 'porkbun' }));
});
afterEach(() => world.sandbox.control('DELETE', '/faults'));
afterAll(() => world?.close());

let orders = 0;
/** A purchase whose workflow has not begun, as the API writes it. */
async function order() {
  const domain = `second-choice-${(orders += 1)}.com`;
  const { operation_id: operationId, domain_id: domainId } = await world.order(domain);
  const { input } = await getOperation(world.context.db, operationId!);
  return { step: { operationId: operationId!, domainId }, domain, input };
}
type Step = Awaited<ReturnType<typeof order>>['step'];

const call: OrderWorld['call'] = (name, input) => world.call(name, input);
const untilDone = (name: keyof Activities, input: object) =>
  world.callUntilDone(name, input, ['NotReadyYet']);
const choose = async (step: Step, refused: string[]) =>
  (
    await call<{ registrar: string | null }>('chooseRegistrar', {
      ...step,
      refused,
      told: `${refused.join(', ')} refused`,
    })
  ).registrar;
const fault = (operation: string, kind: string) =>
  world.sandbox.control('POST', '/faults', { vendor: 'namecom', operation, kind, times: 1 });
const providerOf = async ({ domainId }: Step) =>
  (await getDomain(world.context.db, domainId)).provider;

/** Who sold it, one word for each order. */
async function soldBy(domain: string): Promise<string[]> {
  const { registrars } = (await world.sandbox.control('GET', '/books')).body;
  return ['namecom', 'porkbun'].flatMap((vendor) =>
    registrars[vendor].orders
      .filter((one: { domain: string }) => one.domain === domain)
      .map(() => vendor),
  );
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
    const { status, provider, cost_cents } = await getDomain(world.context.db, step.domainId);
    expect([status, provider, cost_cents! > 0]).toEqual(['active', 'porkbun', true]);
    const intents = await listResources(world.context.db, step.operationId, 'domain_purchase');
    expect(intents.map((one) => `${one.generation} ${one.provider} ${one.state}`)).toEqual([
      '1 namecom absent',
      '2 porkbun created',
    ]);
    const told = await world.context.db
      .selectFrom('operation_events')
      .select('reason')
      .where('operation_id', '=', step.operationId)
      .where('kind', '=', 'failed_over')
      .execute();
    expect(told).toEqual([{ reason: 'namecom refused, asking porkbun' }]);
  });

  it('the client reads that another one is asked, not which ones these are', async () => {
    const { step } = await order();
    const { db } = world.context;
    const row = db.updateTable('operations').where('id', '=', step.operationId);
    await row.set({ state: 'running', step: 'domain_purchase' }).execute();
    expect(await choose(step, ['namecom'])).toBe('porkbun');
    const { message } = await getOperation(db, step.operationId);
    expect(message).toBe(
      'Buying the domain: the first provider did not take the order, asking another one',
    );
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
