/** Suppressions, and erasure of a person. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const suppressionRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
