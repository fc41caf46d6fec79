/** A purchase by its intent: written first, requested once, and settled when it was refused. */
import type { Context } from '../../src/context.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import {
  findResource,
  settleIntent,
  upsertIntent,
} from '../../src/db/operations/provider-resources.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { runRequest, isConsistencyLagOver, latestEnd } from './consistency-lag.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';

interface PurchaseIntent {
  operationId: number;
  step: string;
  /** The vendor's name. */
  provider: string;
  /** The vendor's id for it, where that is known in advance. */
  externalId?: string;
  /** The most calls that the adapter makes; unset = the usual number. */
  calls?: number;
  /** How long an earlier request may still turn out to have worked; unset = the provider's lag. */
  unclearForSeconds?: number | undefined;
}

/**
 * Writes the intent and runs `purchase` with its token. A generation that provably made nothing is
 * followed by the next one, so that the vendor does not replay its old answer. Throws what `purchase`
 * throws; after anything but `outcome_unknown` nothing will appear later, unless an earlier request is
 * still unclear: then the intent stays open. docs/workflow-rules.md#intent-before-purchase.
 */
export async function purchaseOnce<T>(
  context: Pick<Context, 'db' | 'config' | 'clock'>,
  { operationId, step, provider, externalId, calls, unclearForSeconds }: PurchaseIntent,
  purchase: (token: string) => Promise<T>,
): Promise<T> {
  const operation = await getOperation(context.db, operationId);
  const earlier = await findResource(context.db, operationId, step);
  // The effect of an earlier request for this intent may still appear: a refusal now proves nothing.
  const isUnclear =
    earlier?.state === 'creating' && !isConsistencyLagOver(context, earlier, unclearForSeconds);
  const generation = !earlier ? 1 : earlier.generation + (earlier.state === 'absent' ? 1 : 0);
  const intent = await upsertIntent(context.db, {
    operationId,
    step,
    generation,
    provider,
    token: `${workflowIdOf(operation)}:${step}:${generation}`,
    askedUntil: latestEnd(context, calls),
    ...(externalId !== undefined && { externalId }),
  });
  return runRequest(context, intent, () => purchase(intent.token)).catch(async (error: unknown) => {
    // A definite refusal: nothing will appear later, so nothing has to wait for it.
    const isDefinite = error instanceof ProviderError && error.kind !== 'outcome_unknown';
    if (isDefinite && !isUnclear) await settleIntent(context.db, intent.id, { state: 'absent' });
    throw error;
  });
}
