/** Name.com's orders, and the refund that deletes a domain inside its add-grace period. */
import { Router, type Request } from 'express';
import { z } from 'zod';
import { DAY_MS } from '../../domain/day.ts';
import type { IdempotencyKeys } from '../idempotency.ts';
import { send, type Answer } from '../vendor-router.ts';
import { statusOf, type NamecomRecords, type Order } from './vendor-records.ts';
import { wholeSeconds } from './domains.ts';
import { page } from './paging.ts';
import { dollars, tldOf } from './prices.ts';
import { parseBody, withIdempotency } from './request-body.ts';
import { refuse } from './wire.ts';

/** A registry takes a new name back for five days. */
const ADD_GRACE_MS = 5 * DAY_MS;

const refundBody = z.object({
  orderId: z.int(),
  orderItemIds: z.array(z.int()).min(1, 'orderItemIds array must contain at least one item.'),
});

export function orderRoutes(vendorRecords: NamecomRecords, keys: IdempotencyKeys): Router {
  const router = Router();
  router.get('/orders', (request, response) => {
    const found = vendorRecords.orders().filter(wantedBy(request));
    const { items, ...counts } = page(found, request);
    response.json({ ...counts, orders: items.map(shownOrder) });
  });
  router.get('/orders/:id', (request, response) => {
    response.json(shownOrder(existing(vendorRecords, Number(request.params.id))));
  });
  router.post('/refund', (request, response) => {
    const body = parseBody(refundBody, request);
    send(
      response,
      withIdempotency(keys, request, () => refund(vendorRecords, body)),
    );
  });
  return router;
}

/** Day or moment; the vendor's filters are of its own clock. */
const DATE = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional();
const filters = z.object({
  domainName: z.string().optional(),
  createDateStart: DATE,
  createDateEnd: DATE,
  type: z.string().optional(),
  orderStatus: z.enum(['success', 'failed', 'initialized', 'review', 'started']).optional(),
});

function wantedBy(request: Request): (order: Order) => boolean {
  const parsed = filters.safeParse(request.query);
  if (!parsed.success) throw refuse(400, 'Bad Request', 'Invalid query parameters.');
  const { domainName, createDateStart, createDateEnd, type, orderStatus } = parsed.data;
  return (order) =>
    (domainName === undefined || order.domain === domainName) &&
    (createDateStart === undefined || Date.parse(order.at) >= Date.parse(createDateStart)) &&
    (createDateEnd === undefined || Date.parse(order.at) <= Date.parse(createDateEnd)) &&
    (type === undefined || typeOf(order) === type) &&
    (orderStatus === undefined || statusOf(order) === orderStatus);
}

const typeOf = ({ kind }: Order) => (kind === 'register' ? 'registration' : 'renewal');

function existing(vendorRecords: NamecomRecords, id: number): Order {
  const order = vendorRecords.order(id);
  if (order === undefined) {
    throw refuse(404, 'Not Found', `Order with ID ${id} does not exist.`);
  }
  return order;
}

function refund(vendorRecords: NamecomRecords, asked: z.infer<typeof refundBody>): Answer {
  const order = existing(vendorRecords, asked.orderId);
  const strange = asked.orderItemIds.find((id) => id !== order.itemId);
  if (strange !== undefined) {
    throw refuse(
      404,
      'Not Found',
      `Order item ${strange} does not exist or does not belong to order ${order.id}.`,
    );
  }
  if (order.refundedAt !== null) {
    throw refuse(400, 'Bad Request', `Order item ${order.itemId} has already been refunded.`);
  }
  if (!isInGrace(order)) {
    throw refuse(
      423,
      'Resource Locked',
      `The Add Grace Period (AGP) deletion window has expired for domain ${order.domain}. ` +
        'AGP deletes are only allowed within 5 days of registration.',
    );
  }
  vendorRecords.saveOrder({ ...order, refundedAt: wholeSeconds(new Date()) });
  vendorRecords.deleteDomain(order.domain);
  const refundAmount = dollars(order.amountCents);
  const result = {
    orderId: order.id,
    orderItemId: order.itemId,
    orderItemStatus: 'refunded',
    refundAmount,
    message: 'Domain successfully deleted and refund processed.',
  };
  return { status: 200, body: { results: [result], totalRefundAmount: refundAmount } };
}

const isInGrace = (order: Order): boolean => Date.parse(order.at) + ADD_GRACE_MS > Date.now();

function shownOrder(order: Order) {
  const amount = dollars(order.amountCents);
  const isRefunded = order.refundedAt !== null;
  const status = statusOf(order);
  const isFailed = status === 'failed';
  return {
    id: order.id,
    createDate: order.at,
    status,
    currency: 'USD',
    currencyRate: 1,
    authAmount: amount,
    totalCapture: isFailed ? 0 : amount,
    totalRefund: isRefunded ? amount : 0,
    finalAmount: isRefunded || isFailed ? 0 : amount,
    registrar: 'Name.com, Inc.',
    orderItems: [
      {
        id: order.itemId,
        name: order.domain,
        tld: tldOf(order.domain),
        type: typeOf(order),
        status: isRefunded ? 'refunded' : status,
        price: amount,
        priceNonUsd: amount,
        originalPrice: amount,
        quantity: 1,
        duration: order.years,
        interval: 'year',
        isRefundable: !isRefunded && !isFailed && order.kind === 'register' && isInGrace(order),
      },
    ],
  };
}
