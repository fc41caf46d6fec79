/**
 * Chooses the vendor that is asked for a server: another one only while no order is open.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import type { Context } from '../../src/context.ts';
import { setOperationMessage } from '../../src/db/operations/operation-progress.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { findResource } from '../../src/db/operations/provider-resources.ts';
import { failOverMessage } from '../../src/domain/operations/operations.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { vpsOf } from '../engine/access.ts';
import { isOpen, SERVER_STEP } from './server-tokens.ts';

export const vpsChoiceActivities = (context: Pick<Context, 'db' | 'config' | 'vps'>) => ({
  /**
   * Throws `quota` where the vendor does not sell the configured server now: a person has to know before the
   * domain is bought, which nobody takes back. Changes nothing.
   */
  async checkServerOrder({ vendor }: { operationId: number; vendor: string }): Promise<void> {
    const problems = await vpsOf(context, vendor).orderProblems();
    const problem = problems.find(({ prevents }) => prevents);
    if (!problem) return;
    throw new ProviderError('quota', `${vendor}: ${problem.message}`, {
      provider: vendor,
      clientCode: 'NO_CAPACITY',
      operatorHint:
        problem.cure ?? `Set ${problem.variable} to what ${vendor} sells, and restart the workers.`,
    });
  },

  /**
   * The vendor to ask: the one whose order is still open, else the first that is configured and not
   * among `refused`; null when there is none. `told` is what the refusals said: it is kept
   * in the history, under this name, while the waiting client reads only that another vendor is asked.
   */
  async chooseVps({
    operationId,
    refused,
    told,
  }: {
    operationId: number;
    refused: string[];
    told?: string;
  }): Promise<{ vendor: string | null }> {
    const { DEFAULT_VPS, VPS_ALTERNATES } = context.config;
    const latest = await findResource(context.db, operationId, SERVER_STEP);
    const candidates =
      latest && isOpen(latest) ? [latest.provider] : [DEFAULT_VPS, ...VPS_ALTERNATES];
    const vendor = candidates.find((name) => !refused.includes(name)) ?? null;
    if (vendor !== null && told !== undefined) {
      const message = failOverMessage(SERVER_STEP);
      await setOperationMessage(context.db, operationId, { step: SERVER_STEP, message });
    }
    return { vendor };
  },

  /** Records that an alternate vendor gave the server. Safe to repeat. */
  async noteFailOver({
    operationId,
    reason,
  }: {
    operationId: number;
    reason: string;
  }): Promise<void> {
    const known = await context.db
      .selectFrom('operation_events')
      .select('id')
      .where('operation_id', '=', operationId)
      .where('kind', '=', 'failed_over')
      .where('reason', '=', reason)
      .executeTakeFirst();
    if (known) return;
    const event = { operationId, kind: 'failed_over', step: SERVER_STEP, actor: 'system' } as const;
    await insertOperationEvent(context.db, { ...event, reason });
  },
});
