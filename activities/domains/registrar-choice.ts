/** Which registrar is asked next after one refused a name: never while a purchase may be open. */
import type { Context } from '../../src/context.ts';
import { lockDomain, setPurchaseProvider } from '../../src/db/domains/domains.ts';
import { setOperationMessage } from '../../src/db/operations/operation-progress.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import { findResource } from '../../src/db/operations/provider-resources.ts';
import { failOverMessage } from '../../src/domain/operations/operations.ts';
import { PURCHASE_STEP } from './domains.ts';

interface Choice {
  operationId: number;
  domainId: number;
  /** In the order in which they were asked; the last one is the domain's current registrar. */
  refused: string[];
  /** What each of them said, in a few words. Histories have it under this name. */
  told: string;
}

export const registrarChoiceActivities = (
  context: Pick<Context, 'db' | 'config' | 'registrars'>,
) => ({
  /**
   * Moves the purchase to the next configured registrar. Null where there is none: then it goes back to
   * the first one. Null, and nothing changed, while an earlier request may have bought the name: only
   * what was certainly refused is requested elsewhere. Safe to repeat.
   * docs/workflow-rules.md#intent-before-purchase.
   */
  chooseRegistrar: (choice: Choice): Promise<{ registrar: string | null }> =>
    context.db.transaction().execute(async (trx) => {
      const { operationId, domainId, refused, told } = choice;
      const { status, provider } = await lockDomain(trx, domainId);
      // Bought meanwhile: the registrar that sold it is asked again.
      if (status !== 'pending') return { registrar: status === 'active' ? provider : null };
      const intent = await findResource(trx, operationId, PURCHASE_STEP);
      if (intent && intent.state !== 'absent') return { registrar: null };
      const { DEFAULT_REGISTRAR, REGISTRAR_ALTERNATES } = context.config;
      const known = [DEFAULT_REGISTRAR, ...REGISTRAR_ALTERNATES].filter(
        (name) => context.registrars[name] !== undefined,
      );
      const next = known.find((name) => !refused.includes(name));
      const registrar = next ?? refused[0]!;
      if (registrar !== provider) await setPurchaseProvider(trx, domainId, registrar);
      if (next === undefined) return { registrar: null };
      if (registrar !== provider) {
        const reason = `${told}, asking ${registrar}`;
        const event = { operationId, step: PURCHASE_STEP, kind: 'failed_over' } as const;
        await insertOperationEvent(trx, { ...event, actor: 'system', reason });
        const message = failOverMessage(PURCHASE_STEP);
        await setOperationMessage(trx, operationId, { step: PURCHASE_STEP, message });
      }
      return { registrar };
    }),
});
