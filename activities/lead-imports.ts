/** Imports of lead files, in batches of rows. */
import type { Context } from '../src/context.ts';

export const leadImportActivities = (_context: Pick<Context, 'db'>) => ({});
