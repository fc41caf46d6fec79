/** Leads. Spec: Leads; choices 17, 18. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const leadRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
