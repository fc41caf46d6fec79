/** E-mail validation. Choices 28, 29. */
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';

export const emailValidationRoutes = (_context: Pick<Context, 'db'>): Route[] => [];
