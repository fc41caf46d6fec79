/** Maps runs: pages of places, enrichment, import. */
import type { Context } from '../src/context.ts';

export const mapsActivities = (_context: Pick<Context, 'db'>) => ({});
