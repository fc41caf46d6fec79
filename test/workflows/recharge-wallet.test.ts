/** Recharging as a workflow: charged once whatever breaks off, and never hammered. Choice 75. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveBlockedStepSignal } from '../../workflows/contracts/operator.ts';
import { fail, type Script } from '../support/workflows/fake-activities.ts';
import { openStage, type Stage } from '../support/workflows/workflow-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
});

const recharge = (script: Script = {}) => stage.start('rechargeWallet', script, { rechargeId: 5 });
const CHARGE = 'wallet_recharge.charge';

describe('rechargeWallet', () => {
  it('charges and ends', async () => {
    const operation = await recharge();
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls).toEqual([CHARGE]);
    expect(operation.finish()).toMatchObject({ outcome: 'succeeded' });
  });

  it('asks no second time for a card that was declined', async () => {
    const operation = await recharge({ [CHARGE]: () => fail('rejected', 'CARD_DECLINED') });
    await operation.end();
    expect(operation.calls).toEqual([CHARGE, 'wallet_recharge.undo']);
    expect(operation.finish()).toMatchObject({
      outcome: 'failed',
      error: { code: 'CARD_DECLINED' },
    });
  });

  it('looks for the payment after an answer was lost, then goes on', async () => {
    const operation = await recharge({ [CHARGE]: (call) => call <= 6 && fail('unavailable') });
    expect(await operation.end()).toBeUndefined();
    expect(operation.calls.slice(-2)).toEqual(['wallet_recharge.settle', CHARGE]);
  });

  it('waits for an operator where our key is refused', async () => {
    const operation = await recharge({ [CHARGE]: (call) => call === 1 && fail('auth') });
    const { actions } = await operation.untilBlocked('wallet_recharge');
    expect(actions).toEqual(['retry', 'adopt', 'compensate']);
    const answer = { step: 'wallet_recharge', action: 'retry', actor: 'ann', reason: 'test' };
    await operation.handle.signal(resolveBlockedStepSignal, { ...answer, action: 'retry' });
    expect(await operation.end()).toBeUndefined();
  });
});
