/** One more term for a domain, on request or automatically. Choice 25. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { findLatestRenewals, setExpiry } from '../../db/domains/domain-renewals.ts';
import { insertRenewal } from '../../transactions/renew-domain.ts';
import { setAutoRenew, type Domain } from '../../db/domains/domains.ts';
import { findLatestOperation, type Operation } from '../../db/operations/operations.ts';
import { assertManaged } from '../../domain/domains/domain-management.ts';
import { renewalDue } from '../../domain/domains/domain-renewals.ts';
import { invalid, upstreamUnavailable } from '../../domain/errors.ts';
import { ACTOR } from '../accounts/actors.ts';
import { getUserDomain } from './domains.ts';
import {
  awaitOperation,
  operationError,
  paceOf,
  retryOperation,
} from '../operations/operations.ts';
import { withRegistrarErrors, registrarOf } from './registrars.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'clock' | 'temporal' | 'registrars' | 'startOperation'
>;

/** The workflow that renews; undefined where nothing had to be done. */
export interface AskedRenewal {
  workflowId: string | undefined;
}

/**
 * Choice 25: POST /v1/domains/:id/renew. Waits 25 s, as a purchase does. Attaches to a running renewal
 * and resumes a blocked one; a renewal completed within the last day is the answer to a repeat. Throws
 * RENEWAL_TOO_EARLY with more than a term left, DOMAIN_NOT_MANAGED, INSUFFICIENT_BALANCE (402).
 */
export async function renewDomain(
  context: Needs,
  userId: string,
  id: number,
): Promise<AskedRenewal> {
  const domain = await activeDomain(context, userId, id);
  const underWay = await findUnderWay(context, id);
  if (underWay) return attach(context, userId, underWay);
  const expiresAt = await currentExpiry(context, domain);
  const latest = (await findLatestRenewals(context.db, [id])).get(id);
  const renewed =
    latest?.state === 'done' && latest.new_expires_at
      ? { at: latest.updated_at, until: latest.new_expires_at }
      : undefined;
  const due = renewalDue({ expiresAt, renewed }, context.clock.now());
  if (due === 'repeated') return { workflowId: undefined };
  if (due === 'early') {
    const day = expiresAt.toISOString().slice(0, 10);
    throw invalid('RENEWAL_TOO_EARLY', `${domain.name} lasts until ${day}, longer than a term`);
  }
  const operation = await commitOnce(context.db, (trx) =>
    insertRenewal(trx, {
      domainId: id,
      expiresAt,
      priceCents: context.config.DOMAIN_RENEWAL_PRICE_CENTS,
      pace: paceOf(context),
      spending: context.config,
      requested: { actor: ACTOR.user(userId), reason: 'renewal requested' },
      now: context.clock.now(),
    }),
  );
  if (!operation) {
    // Another request began one at the same moment.
    const winner = await findUnderWay(context, id);
    return winner ? attach(context, userId, winner) : { workflowId: undefined };
  }
  if (!(await context.startOperation(operation))) return outcome(operation);
  return outcome(await awaitOperation(context, operation.id));
}

/** Choice 25: PATCH /v1/domains/:id {autoRenew}. */
export async function changeDomain(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
  change: { autoRenew: boolean },
): Promise<void> {
  await commitOnce(context.db, async (trx) => {
    const { auto_renew: autoRenew } = await activeDomain({ db: trx }, userId, id);
    await setAutoRenew(trx, id, change.autoRenew);
    noteChange({ before: { autoRenew }, after: { autoRenew: change.autoRenew } });
  });
}

async function activeDomain(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Domain> {
  const domain = await getUserDomain(context, userId, id);
  if (domain.status !== 'active') {
    throw invalid('INVALID_STATE', `${domain.name} is not active`);
  }
  assertManaged(domain);
  return domain;
}

async function findUnderWay({ db }: Needs, domainId: number): Promise<Operation | undefined> {
  const latest = (await findLatestRenewals(db, [domainId])).get(domainId);
  if (latest?.state !== 'pending') return undefined;
  return findLatestOperation(db, 'domain_renewal', latest.id);
}

async function attach(context: Needs, userId: string, running: Operation): Promise<AskedRenewal> {
  if (running.state === 'blocked') await retryOperation(context, running, ACTOR.user(userId));
  return outcome(await awaitOperation(context, running.id));
}

function outcome(operation: Operation): AskedRenewal {
  if (operation.state === 'failed') throw operationError(operation);
  return { workflowId: workflowIdOf(operation) };
}

/** The registrar knows the expiry; ours is corrected where a person has renewed the domain there. */
async function currentExpiry(context: Needs, { id, name, provider }: Domain): Promise<Date> {
  const found = await withRegistrarErrors(() => registrarOf(context, provider).find(name));
  if (!found) throw upstreamUnavailable(`${name} is not at its registrar any more; ask for help`);
  const expiresAt = new Date(found.expiresAt);
  await setExpiry(context.db, { domainId: id, expiresAt, now: context.clock.now() });
  return expiresAt;
}
