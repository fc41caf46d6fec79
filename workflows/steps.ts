/** Steps that several operations share. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { OperationInput } from './contracts/operator.ts';
import { policies } from './policies.ts';
import type { Step } from './saga.ts';

/** A readable id and a line for the Temporal UI. Workflows: W9. */
export const as = (activityId: string, summary: string) => ({ activityId, summary });

/** The hold was taken with the row; here it is only confirmed. Undo releases what is left. */
export function walletHoldStep(input: OperationInput, applies: boolean): Step {
  const { operationId, pace } = input;
  const policy = policies(pace);
  const db = proxyActivities<Activities>(policy.dbWrite);
  const undo = proxyActivities<Activities>(policy.compensate);
  return {
    name: 'wallet_hold',
    applies,
    run: () =>
      db.confirmHold.executeWithOptions(as('wallet_hold', 'Confirm the hold'), [{ operationId }]),
    undo: () =>
      undo.releaseHold.executeWithOptions(as('wallet_hold.undo', 'Release the hold'), [
        { operationId },
      ]),
  };
}

/** The pivot: a bought domain cannot be un-bought. It stays the user's and captured. */
export function domainPurchaseStep(
  input: OperationInput & { domainId: number; domain: string },
  applies: boolean,
): Step {
  const { operationId, domainId, domain, pace } = input;
  const policy = policies(pace);
  const read = proxyActivities<Activities>(policy.remoteRead);
  const unsafe = proxyActivities<Activities>(policy.remoteWriteUnsafe);
  const settle = proxyActivities<Activities>(policy.settle);
  const undo = proxyActivities<Activities>(policy.compensate);
  const purchase = { operationId, domainId };
  return {
    name: 'domain_purchase',
    applies,
    pivot: true,
    run: async () => {
      const look = as('domain_purchase.look', `Is ${domain} ours already?`);
      const { bought } = await read.adoptDomain.executeWithOptions(look, [purchase]);
      if (bought) return;
      const register = as('domain_purchase.register', `Buy ${domain}`);
      await unsafe.registerDomain.executeWithOptions(register, [purchase]);
    },
    settle: () => {
      const look = as('domain_purchase.settle', `Was ${domain} bought?`);
      return settle.settleRegistration.executeWithOptions(look, [purchase]);
    },
    undo: () => {
      const abandon = as('domain_purchase.undo', `Give up ${domain}, unless it was bought`);
      return undo.abandonDomain.executeWithOptions(abandon, [purchase]);
    },
  };
}
