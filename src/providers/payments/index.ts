/** Every payment processor by name. */
import { stripe } from './stripe.ts';

export const payments = { stripe } as const;
