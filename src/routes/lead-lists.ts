/** Lead lists. Spec: Lead lists; choices 3-5. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const leadListRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
