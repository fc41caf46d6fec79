/** Validation of addresses, in batches. */
import type { Context } from '../src/context.ts';

export const emailValidationActivities = (_context: Pick<Context, 'db'>) => ({});
