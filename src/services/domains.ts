/** Domains: buying one, and its DNS records at the registrar. Spec: Domains; choices 24-26. */
import { sql } from 'kysely';
import { isIPv4, isIPv6 } from 'node:net';
import { buyDomainType, buyDomainWorkflowId } from '../../workflows/contracts/buy-domain.ts';
import { WORKFLOW_QUEUE } from '../../workflows/contracts/queues.ts';
import type { Context } from '../context.ts';
import {
  findLiveDomain,
  findUserDomain,
  getDomain,
  insertDomain,
  listDomains as listDomainRows,
  type Domain,
} from '../db/domains.ts';
import { hold } from '../db/ledger.ts';
import {
  findLatestOperation,
  insertOperation,
  insertOperationEvent,
  type Operation,
} from '../db/operations.ts';
import type { PlannedRecord } from '../domain/dns-plan.ts';
import { policyOf, sameRecord } from '../domain/dns-plan.ts';
import {
  invalid,
  notFound,
  OutreachError,
  ProviderError,
  upstreamUnavailable,
  validationError,
} from '../domain/errors.ts';
import type { DnsRecord, Registrar } from '../providers/registrars/port.ts';
import { ACTOR } from './actors.ts';
import { awaitOperation, operationError, paceOf, retryOperation } from './operations.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'registrars' | 'startOperation'>;

/**
 * Spec: POST /v1/domains. Waits 25 s for the purchase; slower than that, or parked, the row is
 * answered as it is. The same name attaches to the caller's running purchase and resumes a
 * parked one. Choice 25.
 */
export async function buyDomain(
  context: Needs,
  userId: string,
  order: { domain: string; provider?: string | undefined },
): Promise<Domain> {
  const live = await findLiveDomain(context.db, order.domain);
  if (live) return attach(context, userId, live);
  const provider = order.provider ?? context.config.DEFAULT_REGISTRAR;
  await assertForSale(context, provider, order.domain);
  const operation = await insertPurchase(context, { userId, name: order.domain, provider });
  if (!operation) {
    const winner = await findLiveDomain(context.db, order.domain);
    if (!winner) throw upstreamUnavailable('The purchase ended meanwhile; try again');
    return attach(context, userId, winner);
  }
  if (!(await context.startOperation(operation))) {
    return getDomain(context.db, operation.resource_id);
  }
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

/** Spec: GET /v1/domains/:id/dns. The records as the registrar holds them. */
export async function listDnsRecords(
  context: Pick<Context, 'db' | 'registrars'>,
  userId: string,
  id: number,
): Promise<DnsRecord[]> {
  const domain = await activeDomain(context, userId, id);
  return asking(() => registrarOf(context, domain.provider).listRecords(domain.name));
}

/** Spec: POST /v1/domains/:id/dns. A second SPF or DMARC record is refused. Choice 24. */
export async function addDnsRecord(
  context: Pick<Context, 'db' | 'registrars'>,
  userId: string,
  id: number,
  input: PlannedRecord & { ttl?: number | undefined },
): Promise<DnsRecord> {
  const domain = await activeDomain(context, userId, id);
  const registrar = registrarOf(context, domain.provider);
  const { ttl, ...given } = input;
  const record = normalRecord(given, domain.name);
  if (!registrar.recordTypes.includes(record.type)) {
    throw invalid('RECORD_TYPE_NOT_SUPPORTED', `${registrar.name} has no ${record.type} records`);
  }
  return context.db.transaction().execute(async (trx) => {
    // Two requests at once must not both find "no SPF yet".
    await sql`select pg_advisory_xact_lock(${DNS_LOCK}, ${domain.id})`.execute(trx);
    const existing = await asking(() => registrar.listRecords(domain.name));
    assertNoRival(record, existing);
    return asking(() =>
      registrar.createRecord(domain.name, { ...record, ...(ttl !== undefined && { ttl }) }),
    );
  });
}

/** First key of the advisory locks that serialise changes of one domain's records. */
const DNS_LOCK = 5_301;

/** A registrar that is down keeps nothing: the name is not even claimed. */
async function assertForSale(context: Needs, provider: string, name: string): Promise<void> {
  const registrar = registrarOf(context, provider);
  let quote;
  try {
    quote = await registrar.quote(name);
  } catch (error) {
    // What an operator has to cure parks the purchase: it is not lost.
    if (error instanceof ProviderError && ['auth', 'quota'].includes(error.kind)) return;
    return asking(() => Promise.reject(error));
  }
  if (!quote.available && !quote.premium) {
    throw invalid('DOMAIN_UNAVAILABLE', `${name} is not available`);
  }
}

async function insertPurchase(
  context: Needs,
  { userId, name, provider }: { userId: string; name: string; provider: string },
): Promise<Operation | undefined> {
  const domainCents = context.config.DOMAIN_DIRECT_PRICE_CENTS;
  return context.db.transaction().execute(async (trx) => {
    const domain = await insertDomain(trx, { userId, name, provider });
    if (!domain) return undefined;
    const workflowId = buyDomainWorkflowId(domain.id);
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
    const operation = await insertOperation(trx, {
      userId,
      kind: buyDomainType,
      workflowId,
      taskQueue: WORKFLOW_QUEUE,
      summary: `Buy ${name}`,
      input: {
        domainId: domain.id,
        domain: name,
        charged: domainCents > 0,
        price: { domainCents },
        pace: paceOf(context),
      },
      resourceType: 'domain',
      resourceId: domain.id,
      ...(held && { holdId: held.holdId }),
      steps: ['wallet_hold', 'domain_purchase'].map((step) => ({ name: step, state: 'pending' })),
    });
    await insertOperationEvent(trx, {
      operationId: operation.id,
      kind: 'requested',
      step: null,
      actor: ACTOR.user(userId),
      reason: 'created',
    });
    return operation;
  });
}

async function attach(context: Needs, userId: string, live: Domain): Promise<Domain> {
  if (live.user_id !== userId) {
    throw invalid('DOMAIN_UNAVAILABLE', `${live.name} is not available`);
  }
  const purchase = await findLatestOperation(context.db, 'domain', live.id);
  if (live.status === 'active' || !purchase) {
    throw invalid('DOMAIN_ALREADY_OWNED', `${live.name} is in this account already`);
  }
  if (purchase.state === 'blocked') await retryOperation(context, purchase, ACTOR.user(userId));
  return outcome(context, await awaitOperation(context, purchase.id));
}

function outcome(context: Pick<Context, 'db'>, operation: Operation): Promise<Domain> {
  if (operation.state === 'failed') throw operationError(operation);
  return getDomain(context.db, operation.resource_id);
}

async function activeDomain(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Domain> {
  const domain = await getUserDomain(context, userId, id);
  if (domain.status === 'active') return domain;
  throw invalid('INVALID_STATE', `${domain.name} is not active, it has no DNS records`);
}

function registrarOf(context: Pick<Context, 'registrars'>, name: string): Registrar {
  const registrar = context.registrars[name];
  if (registrar) return registrar;
  throw upstreamUnavailable(`The registrar ${name} is not configured`);
}

/** A vendor's refusal is the caller's 400, everything else a 502. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { provider, clientCode } = error.facts;
    if (error.kind === 'rejected') {
      throw new OutreachError('invalid', clientCode ?? 'PROVIDER_REJECTED', error.message);
    }
    throw upstreamUnavailable(`${provider} is not available: ${error.message}`);
  }
}

/** Relative name, default priority, and a value that fits the type. */
function normalRecord(record: PlannedRecord, domain: string): PlannedRecord {
  const name = record.name.toLowerCase().replace(/\.$/, '');
  const label =
    name === '' || name === domain
      ? '@'
      : name.endsWith(`.${domain}`)
        ? name.slice(0, -domain.length - 1)
        : name;
  const problem = valueProblem(record);
  if (problem) throw validationError([{ field: 'value', message: `value ${problem}` }]);
  if (
    !/^(@|\*|(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*)$/.test(
      label,
    )
  ) {
    throw validationError([{ field: 'name', message: 'name must be a host label or @' }]);
  }
  const priority = record.type === 'MX' ? (record.priority ?? 10) : record.priority;
  return {
    type: record.type,
    name: label,
    value: record.value,
    ...(priority !== undefined && { priority }),
  };
}

function valueProblem({ type, value }: PlannedRecord): string | undefined {
  if (type === 'A' && !isIPv4(value)) return 'must be an IPv4 address';
  if (type === 'AAAA' && !isIPv6(value)) return 'must be an IPv6 address';
  const isHost =
    /^(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
  if (['CNAME', 'MX', 'NS'].includes(type) && !isHost.test(value)) return 'must be a host name';
  if (type === 'SRV' && !/^\d{1,5} \d{1,5} \S+$/.test(value)) {
    return 'must be "weight port target"';
  }
  return undefined;
}

function assertNoRival(record: PlannedRecord, existing: readonly DnsRecord[]): void {
  const policy = policyOf(record);
  if (policy && existing.some((e) => e.name === record.name && policyOf(e) === policy)) {
    throw invalid(`DUPLICATE_${policy}`, `There is a ${policy} record already; change that one`);
  }
  if (existing.some((other) => sameRecord(record, other))) {
    throw invalid('DUPLICATE_RECORD', 'There is such a record already');
  }
}
