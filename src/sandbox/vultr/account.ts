/** Vultr's account: who we are there, what the key's user may do, what is owed. */
import { Router, type NextFunction, type Request, type Response } from 'express';
import { accountOf } from '../accounts.ts';
import type { Store } from '../store.ts';
import { send } from '../vendor-router.ts';
import { failure } from './wire.ts';

const EVERY_PERMISSION = [
  'manage_users',
  'subscriptions_view',
  'subscriptions',
  'billing',
  'support',
  'provisioning',
  'dns',
  'abuse',
  'upgrade',
  'firewall',
  'alerts',
  'objstore',
  'loadbalancer',
];

/** What was paid in when the sandbox began. */
const OPENING_CREDIT_CENTS = 10_000;

export function accountRoutes(store: Store): Router {
  const router = Router();
  router.get('/account', (_request, response) => {
    const { balanceCents = OPENING_CREDIT_CENTS, permissions } = accountOf(store, 'vultr');
    const isPaid = balanceCents !== 0;
    response.json({
      account: {
        name: 'Sandbox',
        email: 'account@sandbox.test',
        acls: permissions ?? EVERY_PERMISSION,
        // What the account has is negative.
        balance: balanceCents === 0 ? 0 : -balanceCents / 100,
        pending_charges: 0,
        last_payment_date: isPaid ? '2026-01-10T01:56:20+00:00' : null,
        last_payment_amount: isPaid ? -100 : 0,
      },
    });
  });
  return router;
}

/** Keys are taken from the addresses that the account allows. */
export const allowAddress =
  (store: Store) =>
  (_request: Request, response: Response, next: NextFunction): void => {
    if (accountOf(store, 'vultr').addressAllowed !== false) return next();
    send(response, failure(401, 'Unauthorized IP address: 198.18.255.254'));
  };
