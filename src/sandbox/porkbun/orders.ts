/** Porkbun's orders: registrations and renewals, paid to the exact cent from prepaid credit. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import type { IdempotencyKeys } from '../idempotency.ts';
import { answerIsLost } from '../magic-names.ts';
import { isRegistered } from '../registry.ts';
import { loseAnswer, Refusal, send, type Answer } from '../vendor-router.ts';
import type { KeptRecord, Order, SoldDomain } from './vendor-records.ts';
import type { StandInContext } from './context.ts';
import { generatedCode, successState, type Limit } from './limits.ts';
import { isRegistrableName, priceOf } from './prices.ts';
import { failure, invalidDomain, refuse, success } from './wire.ts';

/** "Registrations over $100 are not currently supported via API." */
const MAX_ORDER_CENTS = 10_000;
export const PARKING_HOST = 'pixie.porkbun.com';

const costBody = z.object({ cost: z.int() });
const createBody = costBody.extend({ agreeToTerms: z.enum(['yes', '1']) });

export function orderRoutes(context: StandInContext): Router {
  const router = Router();
  router.post('/domain/create/:domain', (request, response) => {
    const domain = request.params.domain.toLowerCase();
    const work = () => register(context, domain, request);
    send(response, remembered(context.keys, request, { limit: context.creates, work }));
  });
  router.post('/domain/renew/:domain', (request, response) => {
    const domain = request.params.domain.toLowerCase();
    const work = () => renew(context, domain, request);
    send(response, remembered(context.keys, request, { limit: context.renewals, work }));
  });
  return router;
}

/** The vendor remembers refusals too, for 24 hours, except those by its rate limit. */
function remembered(
  keys: IdempotencyKeys,
  request: Request,
  { limit, work }: { limit: Limit; work: () => Answer },
): Answer {
  const key = request.get('idempotency-key');
  const asked = { path: request.path, body: request.body as unknown };
  const kept = key === undefined ? undefined : keys.find(key, asked);
  if (kept === 'mismatch') {
    const message = 'This idempotency key was used with a different request body.';
    return failure('IDEMPOTENCY_KEY_MISMATCH', message, {}, 409);
  }
  if (kept !== undefined) return { ...kept, headers: { 'Idempotent-Replayed': 'true' } };
  if (!limit.take()) {
    const { naturalLanguage } = limit.state();
    return failure(generatedCode(naturalLanguage), naturalLanguage);
  }
  return keys.keep(key, asked, () => answerOf(work));
}

function answerOf(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function register(context: StandInContext, domain: string, request: Request): Answer {
  const parsed = createBody.safeParse(request.body);
  if (!parsed.success) throw refuse('INVALID_REQUEST', 'cost and agreeToTerms are required.');
  const { core, vendorRecords } = context;
  const years = agreeOnOrder(context, domain, { cost: parsed.data.cost, kind: 'register' });
  if (isRegistered(core.store, domain)) {
    throw refuse('DOMAIN_NOT_AVAILABLE', 'Domain is not available for registration.');
  }
  const createdAt = wholeSeconds(new Date());
  const sold: SoldDomain = {
    domain,
    createdAt,
    expiresAt: yearsAfter(createdAt, years),
    // The account's default: a caller who does not want it has to say so.
    autoRenew: true,
    apiAccess: true,
  };
  vendorRecords.saveDomain(sold);
  for (const record of parkingRecords(domain)) {
    vendorRecords.saveRecord({ ...record, id: String(vendorRecords.nextId('record')) });
  }
  const order = keepOrder(context, domain, { kind: 'register', amountCents: parsed.data.cost });
  if (answerIsLost(core.store, 'porkbun', domain)) loseAnswer(request);
  return success({
    domain,
    cost: order.amountCents,
    orderId: order.id,
    balance: vendorRecords.balanceCents(),
    limits: {
      attempts: context.creates.state(),
      success: successState(vendorRecords.orders(), 'successful creates'),
    },
  });
}

function renew(context: StandInContext, domain: string, request: Request): Answer {
  const parsed = costBody.safeParse(request.body);
  if (!parsed.success) throw refuse('INVALID_REQUEST', 'cost is required.');
  const { vendorRecords } = context;
  const sold = vendorRecords.domain(domain);
  if (sold === undefined) throw invalidDomain();
  if (!sold.apiAccess) throw refuse('API_ACCESS_DISABLED', 'API access is disabled.');
  const years = agreeOnOrder(context, domain, { cost: parsed.data.cost, kind: 'renew' });
  const expiresAt = yearsAfter(sold.expiresAt, years);
  vendorRecords.saveDomain({ ...sold, expiresAt });
  const order = keepOrder(context, domain, { kind: 'renew', amountCents: parsed.data.cost });
  return success({
    domain,
    expirationDate: expiresAt.slice(0, 10),
    cost: order.amountCents,
    orderId: order.id,
    balance: vendorRecords.balanceCents(),
    limits: {
      attempts: context.renewals.state(),
      success: successState(vendorRecords.orders(), 'successful renewals'),
    },
  });
}

/** The years of the term; refuses what the API does not sell, in the vendor's own order. */
function agreeOnOrder(
  { vendorRecords }: StandInContext,
  domain: string,
  { cost, kind }: { cost: number; kind: Order['kind'] },
): number {
  const price = priceOf(domain);
  if (price === undefined || !isRegistrableName(domain)) throw invalidDomain();
  if (price.premium) {
    throw refuse('PREMIUM_DOMAIN_NOT_SUPPORTED', 'Premium domains are not supported via API.');
  }
  const yearly = kind === 'register' ? price.yearlyCents : price.renewalCents;
  const expected = yearly * price.minYears;
  if (cost !== expected) {
    throw refuse('COST_MISMATCH', `Cost does not match. Expected: ${expected} cents.`);
  }
  if (kind === 'register' && expected > MAX_ORDER_CENTS) {
    throw refuse('ORDER_TOO_LARGE', 'Registrations over $100 are not currently supported via API.');
  }
  if (vendorRecords.balanceCents() < expected) {
    throw refuse('INSUFFICIENT_FUNDS', 'Insufficient funds. Please add account credit.');
  }
  return price.minYears;
}

function keepOrder(
  { vendorRecords }: StandInContext,
  domain: string,
  { kind, amountCents }: Pick<Order, 'kind' | 'amountCents'>,
): Order {
  const at = wholeSeconds(new Date());
  const order = { id: vendorRecords.nextId('order'), domain, kind, amountCents, at };
  vendorRecords.saveOrder(order);
  return order;
}

/** The records of a new domain: a parking page for the apex and everything below it. */
const parkingRecords = (domain: string): Omit<KeptRecord, 'id'>[] =>
  [
    { label: '', type: 'ALIAS' },
    { label: '*', type: 'CNAME' },
  ].map((record) => ({
    ...record,
    domain,
    content: PARKING_HOST,
    ttl: 600,
    prio: null,
    changedAtMs: Date.now(),
  }));

const wholeSeconds = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

function yearsAfter(at: string, years: number): string {
  const then = new Date(at);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return wholeSeconds(then);
}
