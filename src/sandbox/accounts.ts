/** Accounts at vendors, as the control API sets them: what they may do, what they own, what they forgot. */
import { Router } from 'express';
import { z } from 'zod';
import type { Store } from './store.ts';

const VENDORS = ['namecom', 'porkbun', 'hetzner', 'vultr', 'stripe'] as const;

const endpoint = z.strictObject({
  url: z.url(),
  events: z.array(z.string()).min(1),
  status: z.enum(['enabled', 'disabled']).default('enabled'),
});

/** Whatever is left out is as usual. */
export const accountBody = z.strictObject({
  /** Hetzner: the token may only read. */
  readOnly: z.boolean().optional(),
  /** Hetzner: no further server is given. */
  limitReached: z.boolean().optional(),
  /** Name.com, Vultr: whether calls from here are taken. */
  addressAllowed: z.boolean().optional(),
  /** Name.com, Porkbun, Vultr: what can be spent. */
  balanceCents: z.int().optional(),
  /** Vultr: what the key's user may do. */
  permissions: z.array(z.string()).optional(),
  /** Hetzner: server types by name that are sold out everywhere, or not for sale any more. */
  soldOut: z.array(z.string()).optional(),
  retired: z.array(z.string()).optional(),
  /** Stripe: its webhook endpoints. */
  endpoints: z.array(endpoint).optional(),
});

export type AccountState = z.infer<typeof accountBody>;
export type AccountVendor = (typeof VENDORS)[number];

const COLLECTION = 'accounts';

export const accountOf = (store: Store, vendor: AccountVendor): AccountState =>
  store.get<AccountState>(COLLECTION, vendor) ?? {};

/** `GET`, `PUT` and `DELETE /_sandbox/accounts/:vendor`. */
export function accountRoutes(
  store: Store,
  checked: <S extends z.ZodType>(schema: S, value: unknown) => z.infer<S>,
): Router {
  const router = Router();
  const vendorIn = (request: { params: { vendor: string } }) =>
    checked(z.enum(VENDORS), request.params.vendor);
  router.get('/accounts/:vendor', (request, response) => {
    response.json(accountOf(store, vendorIn(request)));
  });
  router.put('/accounts/:vendor', (request, response) => {
    const vendor = vendorIn(request);
    store.put(COLLECTION, vendor, checked(accountBody, request.body));
    response.json(accountOf(store, vendor));
  });
  router.delete('/accounts/:vendor', (request, response) => {
    const vendor = vendorIn(request);
    store.delete(COLLECTION, vendor);
    response.json(accountOf(store, vendor));
  });
  return router;
}
