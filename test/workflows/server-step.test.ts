/**
 * The step that rents a server asks one vendor after the other, and a person last.
 * docs/workflow-rules.md#blocked-steps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveBlockedStepUpdate } from '../../workflows/contracts/operator.ts';
import { ADDRESS_LISTED } from '../../src/domain/clusters/sending-hold.ts';
import { fail } from '../support/workflows/fake-activities.ts';
import { currentDetails, openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

/** Both vendors, then nobody, in each round. */
const vendorOf = (call: number) => ({ vendor: ['first', 'second', null][(call - 1) % 3] });

describe('renting a server', () => {
  it('goes on at the alternate where the first has no capacity, and says so in the step', async () => {
    let chosen = 0;
    const operation = await stage.start('provisionCluster', {
      'server_create.choose': () => vendorOf((chosen += 1)),
      'server_create.order': (call) => call === 1 && fail('quota', 'NO_CAPACITY'),
    });
    expect(await operation.end()).toBeUndefined();
    expect(operation.finish().steps).toContainEqual({
      name: 'server_create',
      state: 'completed',
      note: 'first had no capacity, ordered at second',
    });
  });

  it('asks a person when all have refused, with what each of them said', async () => {
    let chosen = 0;
    const operation = await stage.start('provisionCluster', {
      'server_create.choose': () => vendorOf((chosen += 1)),
      'server_create.order': (call) =>
        fail(call % 2 === 1 ? 'quota' : 'auth', call % 2 === 1 ? 'NO_CAPACITY' : undefined),
      'server_create.asked': () => ({ vendors: ['first', 'second'] }),
    });
    const { error } = await operation.untilBlocked('server_create');
    expect(error).toMatchObject({ type: 'QuotaExceeded', code: 'NO_CAPACITY' });
    expect(error.message).toBe(
      'No vendor gave a server: the provider says quota; the provider says auth',
    );
    expect(error.vendors).toEqual(['first', 'second']);
    const details = await currentDetails(operation.handle);
    expect(details).toContain('Cure quota. Cure auth.');
    expect(await operation.end()).toMatchObject({ type: 'QuotaExceeded' });
    expect(operation.calls.filter((id) => id === 'server_create.undo')).toHaveLength(2);
  });

  it('goes on at the alternate where the first could not make it after its answer', async () => {
    let chosen = 0;
    const operation = await stage.start('provisionCluster', {
      'server_create.choose': () => vendorOf((chosen += 1)),
      'server_create.await': (call) => call === 1 && fail('quota', 'NO_CAPACITY'),
    });
    expect(await operation.end()).toBeUndefined();
    const own = operation.calls.filter((id) => id.startsWith('server_create.'));
    expect(own).toEqual([
      'server_create.order',
      'server_create.await',
      'server_create.order',
      'server_create.await',
    ]);
  });

  it('gives two servers with listed addresses back, and tells of it in the step', async () => {
    const operation = await stage.start('provisionCluster', {
      'server_create.choose': () => ({ vendor: 'first' }),
      'server_create.await': (call) => call <= 2 && fail('quota', 'NO_CAPACITY', ADDRESS_LISTED),
    });
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls.filter((id) => id === 'server_create.order')).toHaveLength(3);
    expect(operation.finish().steps).toContainEqual({
      name: 'server_create',
      state: 'completed',
      note: '2 with a blocklisted address given back',
    });
  });

  it('asks a person where the third address is listed, too', async () => {
    let chosen = 0;
    const operation = await stage.start('provisionCluster', {
      'server_create.choose': () => ({ vendor: (chosen += 1) % 4 === 0 ? null : 'first' }),
      'server_create.await': (call) => call <= 3 && fail('quota', 'NO_CAPACITY', ADDRESS_LISTED),
    });
    const { error, token } = await operation.untilBlocked('server_create');
    expect(error).toMatchObject({ type: 'QuotaExceeded', code: 'NO_CAPACITY' });
    expect(operation.calls.filter((id) => id === 'server_create.order')).toHaveLength(3);
    const words = { actor: 'ops', reason: 'the range is delisted' };
    await operation.handle.executeUpdate(resolveBlockedStepUpdate, {
      args: [{ token, action: 'retry', ...words }],
    });
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls.filter((id) => id === 'server_create.order')).toHaveLength(4);
  });

  it('is checked before the domain is bought: no vendor sells it, so a person is asked', async () => {
    let chosen = 0;
    let isSold = false;
    const operation = await stage.start('provisionCluster', {
      'domain_purchase.vps': () => vendorOf((chosen += 1)),
      'domain_purchase.server': () => isSold || fail('quota', 'NO_CAPACITY'),
    });
    const { error, token } = await operation.untilBlocked('domain_purchase');
    expect(error).toMatchObject({ type: 'QuotaExceeded', vendors: ['first', 'second'] });
    expect(operation.calls).not.toContain('domain_purchase.register');
    isSold = true;
    const words = { actor: 'ops', reason: 'HETZNER_SERVER_TYPE is set to what is sold' };
    await operation.handle.executeUpdate(resolveBlockedStepUpdate, {
      args: [{ token, action: 'retry', ...words }],
    });
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls).toContain('domain_purchase.register');
  });

  it('asks nobody else while the outcome is unknown', async () => {
    const operation = await stage.start('provisionCluster', {
      'server_create.order': (call) => call === 1 && fail('outcome_unknown'),
    });
    expect(await operation.end()).toBeUndefined();
    const own = operation.calls.filter((id) => id.startsWith('server_create.'));
    expect(own.slice(0, 3)).toEqual([
      'server_create.order',
      'server_create.settle',
      'server_create.order',
    ]);
  });
});
