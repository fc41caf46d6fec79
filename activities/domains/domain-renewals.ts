/**
 * One more term for a domain: check, write the intent, renew, record, as for a purchase.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import type { Context } from '../../src/context.ts';
import {
  getRenewal,
  markRenewed,
  type DomainRenewal,
} from '../../src/db/domains/domain-renewals.ts';
import { getDomain, lockDomain, type Domain } from '../../src/db/domains/domains.ts';
import { getOperation, insertOperationEvent } from '../../src/db/operations/operations.ts';
import {
  findResource,
  settleIntent,
  type ProviderResource,
} from '../../src/db/operations/provider-resources.ts';
import { isRenewed } from '../../src/domain/domains/domain-renewals.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { OwnedDomain, Renewal } from '../../src/providers/registrars/port.ts';
import { registrarOf } from '../engine/access.ts';
import { assertConsistencyLagIsOver } from '../engine/consistency-lag.ts';
import { purchaseOnce } from '../engine/purchase-intents.ts';
import { capturePart } from '../wallet/wallet.ts';
import { assertNoOrder, findOrder } from './registrar-orders.ts';

const STEP = 'domain_renewal';

/** An adapter checks, disables the registrar's own renewal, asks the price and renews. */
const CALLS_PER_RENEWAL = 4;

type RenewalsContext = Pick<Context, 'db' | 'registrars' | 'config' | 'clock'>;

interface RenewalStep {
  operationId: number;
  renewalId: number;
}

export const domainRenewalActivities = (context: RenewalsContext) => ({
  /**
   * Checks first: a term that was added unseen, or by a person, is recorded, not paid again. Throws
   * `not_ready` while a request of ours may still have its effect.
   */
  async adoptRenewal(step: RenewalStep): Promise<{ renewed: boolean }> {
    const { renewal, domain } = await subjectOf(context, step);
    if (renewal.state === 'done') return { renewed: true };
    if (await recordIfRenewed(context, step, { renewal, domain })) return { renewed: true };
    const intent = await findResource(context.db, step.operationId, STEP);
    if (intent?.state === 'creating') await assertNothingCame(context, domain, intent);
    return { renewed: false };
  },

  /**
   * Writes the intent and renews, which `adoptRenewal` has just not found done. One attempt.
   * Throws `rejected` when the domain is not in the account, `quota` when the price is above the cap.
   */
  async renewAtRegistrar(step: RenewalStep): Promise<void> {
    const { operationId } = step;
    const { renewal, domain } = await subjectOf(context, step);
    if (renewal.state === 'done') return;
    const registrar = registrarOf(context, domain.provider);
    const capCents = context.config.DOMAIN_RENEWAL_COST_CAP_CENTS;
    const endsAt = renewal.expires_at.toISOString();
    const done = await purchaseOnce(
      context,
      { operationId, step: STEP, provider: registrar.name, calls: CALLS_PER_RENEWAL },
      (token) =>
        registrar.renew(domain.name, capCents, token, endsAt).catch((error: unknown) => {
          throw isTooDear(error) ? overCap(error, capCents) : error;
        }),
    );
    await recordRenewal(context, step, done);
  },

  /** After an interrupted renewal: waits until a check can tell the outcome. The next run checks first. */
  async settleRenewal(step: RenewalStep): Promise<void> {
    const { renewal, domain } = await subjectOf(context, step);
    const intent = await findResource(context.db, step.operationId, STEP);
    if (renewal.state === 'done' || intent?.state !== 'creating') return;
    if (await findRenewed(context, { renewal, domain })) return;
    await assertNothingCame(context, domain, intent);
    await settleIntent(context.db, intent.id, { state: 'absent' });
  },

  /** Undo: a term that was bought stays the user's; otherwise there is nothing. Safe to repeat. */
  async abandonRenewal(step: RenewalStep): Promise<void> {
    const { renewal, domain } = await subjectOf(context, step);
    const intent = await findResource(context.db, step.operationId, STEP);
    if (renewal.state !== 'pending' || intent?.state !== 'creating') return;
    if (await recordIfRenewed(context, step, { renewal, domain })) return;
    await assertNothingCame(context, domain, intent);
    await settleIntent(context.db, intent.id, { state: 'absent' });
  },
});

const isTooDear = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.facts.clientCode === 'PRICE_ABOVE_CAP';

/**
 * The client pays a fixed price and cannot take another name, so a price above our cap is an operator's
 * to cure. Choice 25.
 */
function overCap({ message, facts }: ProviderError, capCents: number): ProviderError {
  const operatorHint =
    `Raise DOMAIN_RENEWAL_COST_CAP_CENTS (${capCents}) and restart the workers, or renew it in the ` +
    "registrar's console: retry finds the new end.";
  const clientCode = 'RENEWAL_ABOVE_CAP';
  return new ProviderError('quota', message, { ...facts, clientCode, operatorHint });
}

interface Subject {
  renewal: DomainRenewal;
  domain: Domain;
}

async function subjectOf({ db }: RenewalsContext, { renewalId }: RenewalStep): Promise<Subject> {
  const renewal = await getRenewal(db, renewalId);
  return { renewal, domain: await getDomain(db, renewal.domain_id) };
}

/** The domain as the registrar has it, if it expires a term later than when the renewal began. */
async function findRenewed(
  context: RenewalsContext,
  { renewal, domain }: Subject,
): Promise<OwnedDomain | undefined> {
  const found = await registrarOf(context, domain.provider).find(domain.name);
  const isLater = found && isRenewed(renewal.expires_at, new Date(found.expiresAt));
  return isLater ? found : undefined;
}

async function recordIfRenewed(
  context: RenewalsContext,
  step: RenewalStep,
  subject: Subject,
): Promise<boolean> {
  const found = await findRenewed(context, subject);
  if (!found) return false;
  const intent = await findResource(context.db, step.operationId, STEP);
  const registrar = registrarOf(context, subject.domain.provider);
  const order =
    intent &&
    (await findOrder(registrar, {
      domain: found.domain,
      kind: 'renewal',
      asked: intent.created_at,
    }));
  await recordRenewal(context, step, { ...found, ...order });
  return true;
}

/** Throws `not_ready` while the registrar may still do what it was asked for, or is about to show it. */
async function assertNothingCame(
  context: RenewalsContext,
  { name, provider }: Domain,
  intent: ProviderResource,
): Promise<void> {
  const registrar = registrarOf(context, provider);
  const { RENEWAL_LAG_SECONDS, PROVIDER_LAG_SECONDS } = context.config;
  const lagSeconds = registrar.renewsWithoutKey ? RENEWAL_LAG_SECONDS : PROVIDER_LAG_SECONDS;
  assertConsistencyLagIsOver(context, intent, lagSeconds);
  await assertNoOrder(registrar, { domain: name, kind: 'renewal', asked: intent.created_at });
}

/** In one transaction: stores the new expiry and captures the price. */
async function recordRenewal(
  context: RenewalsContext,
  { operationId, renewalId }: RenewalStep,
  bought: OwnedDomain | Renewal,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const operation = await getOperation(trx, operationId);
    const { domain_id } = await getRenewal(trx, renewalId);
    await lockDomain(trx, domain_id);
    const renewal = await getRenewal(trx, renewalId);
    if (renewal.state === 'done') return;
    if (renewal.state === 'failed') {
      // An attempt that was given up earlier succeeded after all: a person has to decide.
      const reason = `${bought.domain} was renewed after its renewal had been given up`;
      const event = { operationId, kind: 'orphan', step: STEP, actor: 'system', reason } as const;
      return insertOperationEvent(trx, event);
    }
    await markRenewed(trx, renewal, {
      expiresAt: new Date(bought.expiresAt),
      orderRef: 'orderRef' in bought ? bought.orderRef : null,
      costCents: 'chargedCents' in bought ? bought.chargedCents : null,
    });
    const intent = await findResource(trx, operationId, STEP);
    if (intent) await settleIntent(trx, intent.id, { state: 'created' });
    await capturePart(trx, operation, 'domain', `Renewal of ${bought.domain}`);
  });
}
