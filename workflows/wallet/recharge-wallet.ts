/** Charges a saved payment method once, and credits the wallet. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { as } from '../clusters/steps.ts';
import { policies } from '../engine/policies.ts';
import { runSaga, type Step } from '../engine/saga.ts';

export async function rechargeWallet(input: WorkflowInput<'rechargeWallet'>): Promise<void> {
  await runSaga(input, [rechargeStep(input)]);
}

/** What was charged stays: it is credited, and only a person gives it back. */
function rechargeStep({ operationId, rechargeId, pace }: WorkflowInput<'rechargeWallet'>): Step {
  const policy = policies(pace);
  const keyed = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const settle = proxyActivities<Activities>(policy.settle);
  const undo = proxyActivities<Activities>(policy.compensate);
  const recharge = { operationId, rechargeId };
  return {
    name: 'wallet_recharge',
    pivot: true,
    run: async () => {
      const charge = as('wallet_recharge.charge', 'Charge the saved payment method');
      await keyed.chargeRecharge.executeWithOptions(charge, [recharge]);
    },
    settle: () =>
      settle.settleRecharge.executeWithOptions(as('wallet_recharge.settle', 'Was it charged?'), [
        recharge,
      ]),
    undo: () =>
      undo.abandonRecharge.executeWithOptions(
        as('wallet_recharge.undo', 'Give up, unless it was charged'),
        [recharge],
      ),
  };
}
