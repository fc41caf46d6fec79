/** The list of all routes; each area appends its own. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const createRoutes = (_context: Context): Route[] => [];
