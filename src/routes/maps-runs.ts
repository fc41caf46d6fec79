/** Maps runs. Spec: Maps scraper; choices 30-33, 54. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const mapsRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
