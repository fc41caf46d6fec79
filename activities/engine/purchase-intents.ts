/** A purchase by its intent: written down first, asked for once, and settled when it was refused. */
import type { Context } from '../../src/context.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import {
  findResource,
  settleIntent,
  upsertIntent,
} from '../../src/db/operations/provider-resources.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { runRequest, isConsistencyLagOver, latestEnd } from './consistency-lag.ts';

interface PurchaseIntent {
  operationId: number;
  step: string;
  /** The vendor's name. */
  provider: string;
  /** What the vendor knows it by, where that is known before. */
  externalId?: string;
  /** How many calls the adapter makes at most; unset = the usual number. */
  calls?: number;
}

/**
 * Writes the intent and runs `purchase` with its token. A generation that provably made nothing is
 * followed by the next one, so that the vendor does not answer from its memory. Throws what
 * `purchase` throws; after anything but `outcome_unknown` nothing will appear later, unless an earlier
 * request is still unclear: then the intent stays open. Workflows: W6.
 */
export async function purchaseOnce<T>(
  context: Pick<Context, 'db' | 'config' | 'clock'>,
  { operationId, step, provider, externalId, calls }: PurchaseIntent,
  purchase: (token: string) => Promise<T>,
): Promise<T> {
  const { workflow_id } = await getOperation(context.db, operationId);
  const earlier = await findResource(context.db, operationId, step);
  // What an earlier request for this intent did may still appear: a refusal now proves nothing.
  const isUnclear = earlier?.state === 'creating' && !isConsistencyLagOver(context, earlier);
  const generation = !earlier ? 1 : earlier.generation + (earlier.state === 'absent' ? 1 : 0);
  const intent = await upsertIntent(context.db, {
    operationId,
    step,
    generation,
    provider,
    token: `${workflow_id}:${step}:${generation}`,
    askedUntil: latestEnd(context, calls),
    ...(externalId !== undefined && { externalId }),
  });
  return runRequest(context, intent, () => purchase(intent.token)).catch(async (error: unknown) => {
    // A definite refusal: nothing will appear later, nobody has to wait for it.
    const isDefinite = error instanceof ProviderError && error.kind !== 'outcome_unknown';
    if (isDefinite && !isUnclear) await settleIntent(context.db, intent.id, { state: 'absent' });
    throw error;
  });
}
