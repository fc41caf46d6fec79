/** The flow of a recharge: one payment by a saved method, made at most once. */
import { defineFlow, pendingSteps, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface WalletRecharge extends FlowOrder {
  rechargeId: number;
}

export const rechargeWalletFlow = defineFlow<WalletRecharge>()({
  kind: 'rechargeWallet',
  queue: WORKFLOW_QUEUE,
  resource: 'wallet_recharge',
  resourceId: ({ rechargeId }) => rechargeId,
  workflowId: ({ rechargeId }: { rechargeId: number }) => `wallet-recharge/${rechargeId}`,
  steps: () => pendingSteps('wallet_recharge'),
  outcome: 'ending',
  // The payment has a key and is looked for first: a lost run may go on.
  direction: 'forward',
  priority: 'high',
});
