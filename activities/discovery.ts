/** Discovery: pages of ads, companies, contacts, leads. */
import type { Context } from '../src/context.ts';

export const discoveryActivities = (_context: Pick<Context, 'db'>) => ({});
