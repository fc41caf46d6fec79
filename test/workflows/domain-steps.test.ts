/**
 * The step that buys a domain asks one registrar after the other, and a person last.
 * docs/workflow-rules.md#blocked-steps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vendorQueue } from '../../src/domain/operations/queues.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const buy = (script: Script, input: object = {}) =>
  stage.start('provisionCluster', script, { registrar: 'first', failsOver: true, ...input });
/** The alternate, then nobody, in each round. */
const second = (call: number) => ({ registrar: call % 2 === 1 ? 'second' : null });

describe('buying a domain', () => {
  it('goes on at the alternate where the first refuses us, says so, and stays at its queue', async () => {
    const operation = await buy({
      'domain_purchase.register': (call) => call === 1 && fail('quota'),
      'domain_purchase.choose': second,
    });
    expect(await operation.end()).toBeUndefined();
    expect(operation.finish().steps).toContainEqual({
      name: 'domain_purchase',
      state: 'completed',
      note: 'first refused (QuotaExceeded), bought at second',
    });
    const { events } = await operation.handle.fetchHistory();
    const queues = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: asked }) =>
      /^(domain_purchase\.register|dns_setup\.publish)$/.test(asked?.activityId ?? '')
        ? [asked!.taskQueue?.name]
        : [],
    );
    expect(queues).toEqual(['first', 'second', 'second'].map(vendorQueue));
  });

  it('asks a person when all have refused; what an alternate would charge is no end of it', async () => {
    const operation = await buy({
      'domain_purchase.register': (call) =>
        call % 2 === 1 ? fail('auth') : fail('rejected', 'PRICE_ABOVE_CAP'),
      'domain_purchase.choose': second,
    });
    const { error } = await operation.untilBlocked('domain_purchase');
    expect(error).toMatchObject({ type: 'ProviderAuth', code: 'PROVIDER_AUTH' });
    expect(error.message).toMatch(/^No vendor sold the domain: /);
    await operation.end();
  });

  it('asks the first one again where the alternate refuses for its price after a retry, too', async () => {
    const operation = await buy({
      'domain_purchase.register': (call) => {
        if (call === 1) fail('auth');
        if (call === 2) fail('outcome_unknown');
        if (call === 3) fail('rejected', 'PRICE_ABOVE_CAP');
      },
      'domain_purchase.choose': (call) => ({ registrar: call === 1 ? 'second' : 'first' }),
    });
    expect(await operation.end()).toBeUndefined();
    expect(operation.finish().steps).toContainEqual({
      name: 'domain_purchase',
      state: 'completed',
      note: 'second refused (ProviderRejected), bought at first',
    });
  });

  it('judges the first one as the first when it is asked again: what it says of the name is the end', async () => {
    const operation = await buy({
      'domain_purchase.register': (call) => {
        if (call === 1) fail('auth');
        if (call === 2) fail('outcome_unknown');
        fail('rejected', 'PRICE_ABOVE_CAP');
      },
      'domain_purchase.choose': (call) => ({
        registrar: ['second', 'first', null][call - 1] ?? null,
      }),
    });
    await operation.end();
    expect(operation.finish()).toMatchObject({ error: { code: 'PRICE_ABOVE_CAP' } });
  });

  it('ends where the alternate says that the name is taken', async () => {
    const operation = await buy({
      'domain_purchase.register': (call) =>
        call === 1 ? fail('auth') : fail('rejected', 'DOMAIN_UNAVAILABLE'),
      'domain_purchase.choose': second,
    });
    await operation.end();
    expect(operation.finish()).toMatchObject({ error: { code: 'DOMAIN_UNAVAILABLE' } });
  });

  it.each([
    ['what only the client can cure', { failsOver: true }, ['rejected', 'PRICE_ABOVE_CAP']],
    ['an outcome that is unknown', { failsOver: true }, ['outcome_unknown', undefined]],
    ['a refusal of the registrar that the client named', { failsOver: false }, ['auth', undefined]],
  ] as const)('asks no alternate after %s', async (_, input, [kind, code]) => {
    const operation = await buy(
      { 'domain_purchase.register': (call) => call === 1 && fail(kind, code) },
      input,
    );
    await operation.end();
    expect(operation.calls).not.toContain('domain_purchase.choose');
  });
});
