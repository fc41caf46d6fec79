/** Discovery processes. Spec: Lead discovery; choices 19-23. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const leadProcessRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
