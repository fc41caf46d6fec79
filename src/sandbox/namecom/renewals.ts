/** Name.com's renewals, and the switch of its own automatic ones. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import type { Store } from '../store.ts';
import { answerIsLost } from '../magic-names.ts';
import { failsLater, lateMs, loseAnswer } from '../vendor-router.ts';
import type { NamecomRecords, Order, SoldDomain } from './vendor-records.ts';
import { isTerm, nameIn, owned, shownDomain, wholeSeconds, yearsAfter } from './domains.ts';
import { dollars, minYears, priceOf } from './prices.ts';
import { parseBody } from './request-body.ts';
import { refuse } from './wire.ts';

const renewBody = z.object({ purchasePrice: z.number().optional(), years: z.int().optional() });

const updateBody = z
  .object({
    autorenewEnabled: z.boolean().optional(),
    privacyEnabled: z.boolean().optional(),
    locked: z.boolean().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'At least one field is required.');

export function renewalRoutes(store: Store, vendorRecords: NamecomRecords): Router {
  const router = Router();
  // No idempotency key is documented here, so none is honoured: each call is charged. The order is there
  // at once, whenever the domain shows it.
  router.post('/domains/:name\\:renew', (request, response) => {
    const sold = owned(vendorRecords, nameIn(request));
    response.json(store.batch(() => renew({ store, vendorRecords }, sold, request)));
  });
  router.patch('/domains/:name', (request, response) => {
    const sold = owned(vendorRecords, request.params.name);
    const { autorenewEnabled, privacyEnabled } = parseBody(updateBody, request);
    const updated = {
      ...sold,
      autorenewEnabled: autorenewEnabled ?? sold.autorenewEnabled ?? false,
      privacyEnabled: privacyEnabled ?? sold.privacyEnabled,
    };
    vendorRecords.saveDomain(updated);
    response.json(shownDomain(updated));
  });
  return router;
}

function renew(
  { store, vendorRecords }: { store: Store; vendorRecords: NamecomRecords },
  sold: SoldDomain,
  request: Request,
): object {
  const { purchasePrice, years = minYears(sold.domain) } = parseBody(renewBody, request);
  if (!isTerm(sold.domain, years)) throw refuse(400, 'Invalid years');
  const price = priceOf(sold.domain, years);
  if (price === undefined) throw refuse(422, 'Unsupported TLD');
  if (price.premium && purchasePrice === undefined) {
    throw refuse(
      400,
      'Purchase price is required for premium domains in order to complete this request',
    );
  }
  if (purchasePrice !== undefined && Math.round(purchasePrice * 100) !== price.renewalCents) {
    throw refuse(400, 'Purchase price does not match');
  }
  if (vendorRecords.balanceCents() < price.renewalCents) {
    throw refuse(402, 'Payment Required', 'Insufficient Funds');
  }
  const lateBy = lateMs(request);
  const rejection = { atMs: Date.now() + lateBy, before: sold };
  const order: Order = {
    id: vendorRecords.nextId('order'),
    itemId: vendorRecords.nextId('order'),
    domain: sold.domain,
    kind: 'renew',
    years,
    amountCents: price.renewalCents,
    at: wholeSeconds(new Date()),
    refundedAt: null,
    ...(failsLater(request)
      ? { rejection }
      : lateBy > 0 && { startedUntilMs: Date.now() + lateBy }),
  };
  const renewed = { ...sold, expiresAt: yearsAfter(sold.expiresAt, years) };
  store.withLag(0, () => vendorRecords.saveOrder(order));
  vendorRecords.saveDomain(renewed);
  if (answerIsLost(store, 'namecom:renew', sold.domain)) loseAnswer(request);
  return {
    domain: shownDomain(renewed),
    order: order.id,
    totalPaid: dollars(order.amountCents),
  };
}
