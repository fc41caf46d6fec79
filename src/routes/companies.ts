/** Companies. Spec: Company; choices 1, 2. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const companyRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
