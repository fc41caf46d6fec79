/** Renewing as a workflow: paid once whatever breaks off, parked for operators; and imported domains. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelSignal, resolveBlockedStepSignal } from '../../workflows/contracts/operator.ts';
import { ACTIVITY_QUEUE, vendorQueue } from '../../src/domain/operations/queues.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import {
  openStage,
  type Stage,
  type StartedOperation,
} from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
});

const renew = (script: Script = {}) =>
  stage.start('renewDomain', script, { renewalId: 5, charged: true });
/** The queues of the activities whose readable id begins so. */
async function queuesOf({ handle }: StartedOperation, prefix: string) {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: asked }) =>
    asked?.activityId?.startsWith(prefix) ? [asked.taskQueue?.name] : [],
  );
}
const words = { actor: 'on-call', reason: 'test' };

describe('renewDomain', () => {
  it('looks, renews and ends', async () => {
    const operation = await renew();
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls).toEqual(['wallet_hold', 'domain_renewal.look', 'domain_renewal.renew']);
  });

  it('asks the registrar by its queue, which keeps its limit; older runs by that of all', async () => {
    const queues = async (input: object) => {
      const operation = await stage.start(
        'renewDomain',
        {},
        { renewalId: 5, charged: true, ...input },
      );
      await operation.end();
      return queuesOf(operation, 'domain_renewal.');
    };
    const own = vendorQueue('first');
    expect(await queues({ registrar: 'first' })).toEqual([own, own]);
    expect(await queues({})).toEqual([ACTIVITY_QUEUE, ACTIVITY_QUEUE]);
  });

  it('renews nothing that is renewed already', async () => {
    const operation = await renew({ 'domain_renewal.look': () => ({ renewed: true }) });
    await operation.end();
    expect(operation.calls).not.toContain('domain_renewal.renew');
  });

  it('waits until a lost answer can be seen, and pays once', async () => {
    const operation = await renew({
      'domain_renewal.renew': () => fail('outcome_unknown'),
      'domain_renewal.settle': (call) => call === 1 && fail('not_ready'),
      'domain_renewal.look': (call) => ({ renewed: call > 1 }),
    });
    await operation.end();
    const count = (id: string) => operation.calls.filter((one) => one === id).length;
    expect([count('domain_renewal.renew'), count('domain_renewal.settle')]).toEqual([1, 2]);
    expect(operation.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('looks for a lost answer for longer than a registrar may need, before a person is asked', async () => {
    const from = await stage.env.currentTimeMs();
    const script: Script = {
      'domain_renewal.renew': () => fail('outcome_unknown'),
      'domain_renewal.settle': (call) => call < 120 && fail('not_ready'),
      'domain_renewal.look': (call) => ({ renewed: call > 1 }),
    };
    const input = { renewalId: 5, charged: true, pace: { ...pace, retryPace: 1 } };
    const operation = await stage.start('renewDomain', script, input);
    expect(await operation.end()).toBeUndefined();
    const minutes = ((await stage.env.currentTimeMs()) - from) / 60_000;
    expect(minutes).toBeGreaterThan(25);
    expect(operation.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it.each(['auth', 'quota'] as const)('parks for an operator at %s and goes on', async (kind) => {
    const operation = await renew({ 'domain_renewal.renew': (call) => call === 1 && fail(kind) });
    const { actions } = await operation.untilBlocked('domain_renewal');
    const answer = { step: 'domain_renewal', action: 'retry', ...words } as const;
    await operation.handle.signal(resolveBlockedStepSignal, answer);
    expect([await operation.end(), actions]).toEqual([undefined, ['retry', 'adopt', 'compensate']]);
  });

  it('gives the money back when it is refused for good', async () => {
    const operation = await renew({
      'domain_renewal.renew': () => fail('rejected', 'PRICE_ABOVE_CAP'),
    });
    await operation.end();
    expect(operation.calls.slice(-2)).toEqual(['domain_renewal.undo', 'wallet_hold.undo']);
    expect(operation.finish()).toMatchObject({
      outcome: 'failed',
      error: { code: 'PRICE_ABOVE_CAP' },
    });
  });

  it('is undone when it is cancelled while it is parked', async () => {
    const operation = await renew({ 'domain_renewal.renew': () => fail('auth') });
    await operation.untilBlocked('domain_renewal');
    await operation.handle.signal(cancelSignal, words);
    await operation.end();
    expect(operation.calls.slice(-2)).toEqual(['domain_renewal.undo', 'wallet_hold.undo']);
  });
});

describe('renewDomains', () => {
  it('asks for each domain at its registrar’s queue; one that fails stops no other', async () => {
    const due = [7, 8, 9].map((domainId) => ({ domainId, registrar: 'first' }));
    const operation = await stage.start('renewDomains', {
      due: (call) => ({ due: call === 1 ? due : [], nextId: call === 1 ? 100 : null }),
      'renew_due.8': () => fail('auth'),
    });
    await operation.end();
    expect(await operation.handle.result()).toEqual({ renewed: 2, failing: 0 });
    expect(await queuesOf(operation, 'renew_due.')).toEqual(due.map(() => vendorQueue('first')));
  });
});

describe('what else asks vendors', () => {
  it.each([
    ['destroyCluster', 'dns_withdraw', { deletesServer: true, registrar: 'first' }],
    ['destroyCluster', 'server_delete', { deletesServer: true, vps: 'first' }],
  ])('%s keeps the limit of the vendor at %s; older runs know of none', async (...given) => {
    const [workflow, step, input] = given;
    const queues = async (facts: object) => {
      const operation = await stage.start(workflow, {}, facts);
      await operation.end();
      return queuesOf(operation, step);
    };
    expect(await queues(input)).toEqual([vendorQueue('first')]);
    expect(await queues({ deletesServer: true })).toEqual([ACTIVITY_QUEUE]);
  });

  it('so does the comparison of its book; our own books have no vendor', async () => {
    const queues = async (facts: object) => {
      const operation = await stage.start('reconcileBooks', {}, { heal: 'none', ...facts });
      await operation.end();
      const { events } = await operation.handle.fetchHistory();
      return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: asked }) =>
        asked ? [[asked.activityType?.name, asked.taskQueue?.name]] : [],
      );
    };
    expect(await queues({ vendors: 'due' })).toEqual([
      ['compareOurBooks', ACTIVITY_QUEUE],
      ['compareBook', vendorQueue('first')],
    ]);
    // Runs of earlier releases.
    expect(await queues({})).toEqual([
      ['listBooks', ACTIVITY_QUEUE],
      ['compareBook', ACTIVITY_QUEUE],
      ['compareBook', vendorQueue('first')],
    ]);
  });
});

describe('a cluster on an imported domain', () => {
  it('waits for its owner as long as that takes, without asking anybody', async () => {
    const from = await stage.env.currentTimeMs();
    // Once a minute, at full pace: longer than a registrar may take.
    const operation = await stage.start(
      'provisionCluster',
      { 'dns_setup.await': (call) => call < 75 && fail('not_ready') },
      { buyDomain: false, manualDns: true, pace: { ...pace, retryPace: 1 } },
    );
    expect(await operation.end()).toBeUndefined();
    const minutes = ((await stage.env.currentTimeMs()) - from) / 60_000;
    expect(minutes).toBeGreaterThan(60);
    expect(operation.calls.filter((id) => id === 'dns_setup.await')).toHaveLength(75);
    // Nobody asks a registrar for anything: the records are its owner's to publish.
    expect(await boughtAndPublished(operation)).toEqual({
      purchase: 'skipped',
      purchaseCalls: [],
      queues: [ACTIVITY_QUEUE, ACTIVITY_QUEUE],
    });
  });

  it('that lies at our registrar buys nothing, and publishes its records there', async () => {
    const input = { buyDomain: false, registrar: 'first' };
    const operation = await stage.start('provisionCluster', {}, input);
    expect(await operation.end()).toBeUndefined();
    expect(await boughtAndPublished(operation)).toEqual({
      purchase: 'skipped',
      purchaseCalls: [],
      queues: [vendorQueue('first'), vendorQueue('first')],
    });
  });

  /** What became of the purchase, and from where the host's records and the MX were published. */
  async function boughtAndPublished(operation: StartedOperation) {
    const { events } = await operation.handle.fetchHistory();
    const steps = operation.finish().steps as { name: string; state: string }[];
    return {
      purchase: steps.find(({ name }) => name === 'domain_purchase')?.state,
      purchaseCalls: operation.calls.filter((id) => id.startsWith('domain_purchase')),
      queues: (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: asked }) =>
        asked?.activityId?.endsWith('.publish') ? [asked.taskQueue?.name] : [],
      ),
    };
  }
});

const pace = { heartbeatSeconds: 10, blockedTimeoutSeconds: 86_400 };
