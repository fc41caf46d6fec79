/** Import of CSV files and export. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const leadImportRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
