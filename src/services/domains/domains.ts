/** Domains: buying and reading them. Spec: Domains; choices 25, 26. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  findLiveDomain,
  findUserDomain,
  getDomain,
  insertDomain,
  listDomains as listDomainRows,
  type Domain,
} from '../../db/domains/domains.ts';
import { endDomain, listNamesInUse } from '../../db/domains/ended-domains.ts';
import { assertWithinSpending } from '../../db/domains/spending.ts';
import { hold } from '../../db/wallet/ledger.ts';
import {
  findLatestOperation,
  findRequestedOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { buyDomainFlow } from '../../domain/domains/flows.ts';
import { invalid, notFound, upstreamUnavailable } from '../../domain/errors.ts';
import { ACTOR } from '../accounts/actors.ts';
import {
  awaitOperation,
  operationError,
  paceOf,
  retryOperation,
} from '../operations/operations.ts';
import { findForSaleAgain, sellerOf } from './former-domains.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'clock' | 'temporal' | 'registrars' | 'startOperation'
>;

/** A domain and the workflow that buys it. */
interface Purchase {
  domain: Domain;
  workflowId: string;
}

/**
 * Spec: POST /v1/domains. Waits 25 s for the purchase; if it takes longer or is blocked, the row is
 * returned as it is. The same name attaches to the caller's running purchase and resumes a blocked one;
 * a completed purchase is returned only to a repeat with the `requestKey` that began it. Choices 25, 51.
 * A domain whose registration has ended and which is for sale again is nobody's: it is bought anew. Choice 162.
 */
export async function buyDomain(
  context: Needs,
  userId: string,
  order: { domain: string; provider?: string | undefined },
  requestKey?: string,
): Promise<Purchase> {
  const live = await findLiveDomain(context.db, order.domain);
  const asked = order.provider ?? context.config.DEFAULT_REGISTRAR;
  const ended = await findForSaleAgain(context, live, { userId, provider: asked });
  if (live && !ended) return attach(context, { userId, live, requestKey });
  const { domain: name } = order;
  const provider = await sellerOf(context, { userId, name, provider: order.provider });
  const isOurChoice = order.provider === undefined;
  const purchase = { userId, name, provider, isOurChoice, requestKey, ended };
  const operation = await insertPurchase(context, purchase);
  if (!operation) {
    const winner = await findLiveDomain(context.db, order.domain);
    if (!winner) throw upstreamUnavailable('The purchase ended meanwhile; try again');
    return attach(context, { userId, live: winner, requestKey });
  }
  if (!(await context.startOperation(operation))) return outcome(context, operation);
  return outcome(context, await awaitOperation(context, operation.id));
}

export async function getUserDomain(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Domain> {
  const domain = await findUserDomain(context.db, userId, id);
  if (!domain) throw notFound('domain');
  return domain;
}

export const listDomains = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { status?: Domain['status'] | undefined; limit: number; offset: number },
) => listDomainRows(context.db, userId, page);

interface NewPurchase {
  userId: string;
  name: string;
  provider: string;
  /** The client named no registrar, so an alternate may be asked. */
  isOurChoice: boolean;
  requestKey: string | undefined;
  /** The domain of before, which is for sale again. */
  ended: Domain | undefined;
}

async function insertPurchase(
  context: Needs,
  { userId, name, provider, isOurChoice, requestKey, ended }: NewPurchase,
): Promise<Operation | undefined> {
  const domainCents = context.config.DOMAIN_DIRECT_PRICE_CENTS;
  return commitOnce(context.db, async (trx) => {
    if (ended) await endDomain(trx, ended, { userId, now: context.clock.now() });
    const domain = await insertDomain(trx, { userId, name, provider });
    if (!domain) return undefined;
    const inUse = await listNamesInUse(trx, { userId, names: [name] });
    if (inUse.has(name)) throw invalid('DOMAIN_UNAVAILABLE', `${name} is not available`);
    const workflowId = buyDomainFlow.workflowId({ domainId: domain.id });
    const [limits, now] = [context.config, context.clock.now()];
    await assertWithinSpending(trx, { userId, isFree: domainCents === 0, limits, now });
    const held =
      domainCents === 0
        ? undefined
        : await hold(trx, {
            userId,
            amountCents: domainCents,
            operationKey: `${workflowId}:hold`,
            description: `Domain ${name}`,
            referenceType: 'domain',
            referenceId: String(domain.id),
          });
    noteChange({ resourceId: domain.id, after: { name, provider, priceCents: domainCents } });
    const input = {
      domainId: domain.id,
      domain: name,
      registrar: domain.provider,
      ...(isOurChoice && { failsOver: true }),
      charged: domainCents > 0,
      price: { domainCents },
      pace: paceOf(context),
    };
    return insertOperation(trx, buyDomainFlow, input, {
      userId,
      summary: `Buy ${name}`,
      holdId: held?.holdId,
      requested: { actor: ACTOR.user(userId), reason: 'created' },
      requestKey,
    });
  });
}

async function attach(
  context: Needs,
  { userId, live, requestKey }: { userId: string; live: Domain; requestKey: string | undefined },
): Promise<Purchase> {
  if (live.user_id !== userId) {
    throw invalid('DOMAIN_UNAVAILABLE', `${live.name} is not available`);
  }
  const purchase = await findLatestOperation(context.db, 'domain', live.id);
  const requested = requestKey && (await findRequestedOperation(context.db, userId, requestKey));
  const isRepeat = purchase && requested && requested.id === purchase.id;
  if (!purchase || (live.status === 'active' && !isRepeat)) {
    throw invalid('DOMAIN_ALREADY_OWNED', `${live.name} is in this account already`);
  }
  if (purchase.state === 'blocked') await retryOperation(context, purchase, ACTOR.user(userId));
  return outcome(context, await awaitOperation(context, purchase.id));
}

async function outcome(context: Pick<Context, 'db'>, operation: Operation): Promise<Purchase> {
  if (operation.state === 'failed') throw operationError(operation);
  const domain = await getDomain(context.db, operation.resource_id);
  return { domain, workflowId: workflowIdOf(operation) };
}
