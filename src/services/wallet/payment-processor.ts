/** The payment processor as requests of clients meet it. */
import { upstreamUnavailable } from '../../domain/errors.ts';
import type { Payments } from '../../providers/payments/port.ts';
import { unavailable } from '../providers.ts';

export function configuredPayments(payments: Payments | undefined): Payments {
  if (!payments) throw upstreamUnavailable('No payment processor is configured');
  return payments;
}

/** Whatever the processor refuses is ours to fix, not the caller's. */
export const refusePayments = (error: unknown): never => {
  throw unavailable(error, 'The payment processor');
};
