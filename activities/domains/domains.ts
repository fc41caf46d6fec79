/**
 * Buys a domain: check, write the intent, buy, record. The check is an activity of its own, so that a
 * failed check is simply repeated and leaves no doubt about the purchase.
 * docs/workflow-rules.md#intent-before-purchase.
 */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import {
  getDomain,
  lockDomain,
  markDomainBought,
  markDomainFailed,
  type Domain,
} from '../../src/db/domains/domains.ts';
import { getOperation, insertOperationEvent } from '../../src/db/operations/operations.ts';
import {
  findResource,
  listResources,
  settleIntent,
  upsertIntent,
  type ProviderResource,
} from '../../src/db/operations/provider-resources.ts';
import { wasAnswered } from '../../src/db/operations/resolutions.ts';
import { readNameRecords } from '../../src/db/operations/name-records.ts';
import type { Database } from '../../src/db/tables.ts';
import { listingLagSeconds } from '../../src/domain/domains/listing-lag.ts';
import { CLOCK_SKEW_MS, ownerOf } from '../../src/domain/domains/name-claims.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import type { OwnedDomain, Registration } from '../../src/providers/registrars/port.ts';
import { registrarOf } from '../engine/access.ts';
import { assertConsistencyLagIsOver } from '../engine/consistency-lag.ts';
import { purchaseOnce } from '../engine/purchase-intents.ts';
import { undecided } from '../engine/undecided.ts';
import { capturePart } from '../wallet/wallet.ts';
import { noteLostRecords } from './lost-records.ts';
import { assertNoOrder, findOrder } from './registrar-orders.ts';

export const PURCHASE_STEP = 'domain_purchase';

type DomainsContext = Pick<Context, 'db' | 'registrars' | 'config' | 'clock'>;

/** A key that the registrar forgets sooner than this is not relied on: the next request may be late. */
const KEY_MARGIN_MS = 60 * 60_000;

interface Purchase {
  operationId: number;
  domainId: number;
}

export const domainActivities = (context: DomainsContext) => ({
  /**
   * Checks first: a purchase of ours that succeeded unseen is recorded, not repeated. Throws `not_ready`
   * while a request of ours may still have its effect.
   */
  async adoptDomain({ operationId, domainId }: Purchase): Promise<{ bought: boolean }> {
    const domain = await getDomain(context.db, domainId);
    if (domain.status === 'active') return { bought: true };
    const owned = await registrarOf(context, domain.provider).find(domain.name);
    if (!owned) {
      const intent = await findResource(context.db, operationId, PURCHASE_STEP);
      if (intent?.state === 'creating') await assertNothingCame(context, domain, intent);
      return { bought: false };
    }
    await assertOurs(context, { operationId, domain, owned });
    await recordFound(context, { operationId, domain, owned });
    return { bought: true };
  },

  /**
   * Writes the intent and buys the name, which `adoptDomain` has just not found. One attempt.
   * Throws `rejected` when the name is taken, premium or above the cap.
   */
  async registerDomain({ operationId, domainId }: Purchase): Promise<void> {
    const domain = await getDomain(context.db, domainId);
    if (domain.status === 'active') return;
    const registrar = registrarOf(context, domain.provider);
    const capCents = context.config.DOMAIN_COST_CAP_CENTS;
    const { name: provider, remembersKeysMs } = registrar;
    const unclearForSeconds = remembersKeysMs && remembersKeysMs / 1_000;
    const asked = { operationId, step: PURCHASE_STEP, provider, externalId: domain.name };
    const registration = await purchaseOnce(context, { ...asked, unclearForSeconds }, (token) =>
      registrar.register(domain.name, capCents, token),
    );
    await recordPurchase(context, { operationId, domainId }, registration);
  },

  /** After an interrupted purchase: waits until a check can tell the outcome. The next run checks first. */
  async settleRegistration({ operationId, domainId }: Purchase): Promise<void> {
    const domain = await getDomain(context.db, domainId);
    const intent = await findResource(context.db, operationId, PURCHASE_STEP);
    if (domain.status === 'active' || intent?.state !== 'creating') return;
    if (await registrarOf(context, domain.provider).find(domain.name)) return;
    await assertNothingCame(context, domain, intent);
    if (isKeyRemembered(context, domain, intent)) return;
    await settleIntent(context.db, intent.id, { state: 'absent' });
  },

  /** Undo: a bought domain stays the user's; otherwise the name is freed. Safe to repeat. */
  async abandonDomain({ operationId, domainId }: Purchase): Promise<void> {
    const domain = await getDomain(context.db, domainId);
    if (domain.status !== 'pending') return;
    const intent = await findResource(context.db, operationId, PURCHASE_STEP);
    if (intent?.state === 'creating') {
      const owned = await registrarOf(context, domain.provider).find(domain.name);
      if (owned) return recordFound(context, { operationId, domain, owned });
      // It cannot ask again with the key: without a list of orders, only time tells that nothing came.
      const lagSeconds = listingLagSeconds(registrarOf(context, domain.provider), context.config);
      await assertNothingCame(context, domain, intent, lagSeconds);
      await settleIntent(context.db, intent.id, { state: 'absent' });
    }
    await markDomainFailed(context.db, domainId, {
      code: 'NOT_BOUGHT',
      message: 'The purchase was given up; nothing was bought.',
    });
  },
});

/**
 * A name in our registrar account that no purchase of this user asked for at that time is not theirs. One that came
 * there after they had claimed it, or lately and by no order that a row knows, may be: its intent, or the whole order
 * of which this one is the repeat, may be lost, which a person has to say (`adopt`).
 */
async function assertOurs(
  context: DomainsContext,
  { operationId, domain, owned }: { operationId: number; domain: Domain; owned: OwnedDomain },
): Promise<void> {
  const { db } = context;
  const { name, provider, user_id: userId } = domain;
  const own = await listResources(db, operationId, PURCHASE_STEP);
  // It was not there before this order asked for it.
  if (own.some((intent) => intent.provider === provider)) return;
  const purchasedAt = new Date(owned.purchasedAt);
  const { created_at: orderedAt } = domain;
  const lagMs = listingLagSeconds(registrarOf(context, provider), context.config) * 1_000;
  const records = await readNameRecords(db, { provider, name, claimedAt: orderedAt });
  const owner = ownerOf(records, { userId, purchasedAt, orderedAt, lagMs });
  if (owner === 'caller') return;
  const isNew = purchasedAt.getTime() > orderedAt.getTime() - CLOCK_SKEW_MS;
  if (isNew || owner === 'unknown') {
    const asked = { operationId, step: PURCHASE_STEP, action: 'adopt' } as const;
    if (await wasAnswered(db, asked)) return noteIntent(context, operationId, domain);
    throw undecided(`${name} is in our account at ${provider}, and no row says who bought it`, {
      provider,
      operatorHint:
        'After a restore it was bought by this order, whose note is lost: `adopt` takes it over. Where it ' +
        "is another account's, or your own, `compensate` gives the money back. docs/runbook.md#restore",
    });
  }
  throw new ProviderError('rejected', `${domain.name} is not available`, {
    provider: domain.provider,
    clientCode: 'DOMAIN_UNAVAILABLE',
  });
}

/** The intent that was lost, last: with it, the rest has been noted. */
async function noteIntent(
  context: DomainsContext,
  operationId: number,
  domain: Domain,
): Promise<void> {
  const { db, clock } = context;
  const { name, provider } = domain;
  const registrar = registrarOf(context, provider);
  await noteLostRecords(context, { operationId, domain, registrar });
  const token = `${workflowIdOf(await getOperation(db, operationId))}:${PURCHASE_STEP}:1`;
  const intent = { operationId, step: PURCHASE_STEP, generation: 1, provider, token };
  await upsertIntent(db, { ...intent, askedUntil: clock.now(), externalId: name });
}

/** Throws `not_ready` while the registrar may still do what it was asked for, or is about to show it. */
async function assertNothingCame(
  context: DomainsContext,
  { name, provider }: Domain,
  intent: ProviderResource,
  lagSeconds?: number,
): Promise<void> {
  assertConsistencyLagIsOver(context, intent, lagSeconds);
  const asked = { domain: name, kind: 'registration', asked: intent.created_at } as const;
  await assertNoOrder(registrarOf(context, provider), asked);
}

/** Whether asking once more with the same key tells the outcome, however late the registrar shows the name. */
function isKeyRemembered(
  context: DomainsContext,
  { provider }: Domain,
  { created_at }: ProviderResource,
): boolean {
  const { remembersKeysMs = 0 } = registrarOf(context, provider);
  return context.clock.now().getTime() < created_at.getTime() + remembersKeysMs - KEY_MARGIN_MS;
}

/** What is there already, with the order behind it: without that, nobody would hear of its refusal later. */
async function recordFound(
  context: DomainsContext,
  { operationId, domain, owned }: { operationId: number; domain: Domain; owned: OwnedDomain },
): Promise<void> {
  // An earlier order of the client, given up since, may have bought it.
  const bought = new Date(owned.purchasedAt).getTime() - DAY_MS;
  const asked = new Date(Math.min(domain.created_at.getTime(), bought));
  const registrar = registrarOf(context, domain.provider);
  const order = await findOrder(registrar, { domain: domain.name, kind: 'registration', asked });
  await recordPurchase(context, { operationId, domainId: domain.id }, { ...owned, ...order });
}

/** In one transaction: the domain is the user's and its price is captured. */
async function recordPurchase(
  context: DomainsContext,
  { operationId, domainId }: Purchase,
  bought: OwnedDomain | Registration,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const operation = await getOperation(trx, operationId);
    const { status } = await lockDomain(trx, domainId);
    if (status === 'active') return;
    if (status === 'failed') return noteOrphan(trx, operationId, bought.domain);
    await markDomainBought(trx, domainId, {
      purchasedAt: new Date(bought.purchasedAt),
      expiresAt: new Date(bought.expiresAt),
      orderRef: 'orderRef' in bought ? bought.orderRef : null,
      costCents: 'chargedCents' in bought ? bought.chargedCents : null,
    });
    const intent = await findResource(trx, operationId, PURCHASE_STEP);
    if (intent) await settleIntent(trx, intent.id, { state: 'created' });
    await capturePart(trx, operation, 'domain', `Domain ${bought.domain}`);
  });
}

/** An attempt that was given up earlier succeeded after all: a person has to decide. */
async function noteOrphan(
  trx: Transaction<Database>,
  operationId: number,
  domain: string,
): Promise<void> {
  await insertOperationEvent(trx, {
    operationId,
    kind: 'orphan',
    step: PURCHASE_STEP,
    actor: 'system',
    reason: `${domain} was bought after its purchase had been given up and refunded`,
  });
}
