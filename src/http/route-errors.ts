/** Which errors a route may answer with: those that follow from its kind, and its own. */
import type { ErrorCode, ErrorStatus } from './error-codes.ts';
import type { Route } from './route.ts';
import { scopeOf } from './scopes.ts';

/** All codes that a route may answer with: by its kind, and its own. */
export function errorsOf(route: Route): [status: ErrorStatus, codes: ErrorCode[]][] {
  const { errors = {} } = route;
  const all: [ErrorStatus, ErrorCode[]][] = [
    [400, [...refusals(route), ...(errors[400] ?? [])]],
    [401, refusedTokens(route)],
    [402, [...(errors[402] ?? [])]],
    [404, [...(errors[404] ?? [])]],
    [429, [...(route.public ? [] : (['RATE_LIMITED'] as const)), ...(errors[429] ?? [])]],
    [500, ['INTERNAL', ...(errors[500] ?? [])]],
    [502, ['UPSTREAM_UNAVAILABLE', ...(errors[502] ?? [])]],
  ];
  return all.filter(([, codes]) => codes.length > 0);
}

function refusals(route: Route): ErrorCode[] {
  const isKeyed = !route.public && route.method === 'post';
  return [
    'INVALID_INPUT',
    ...(route.query || route.body ? (['VALIDATION_ERROR'] as const) : []),
    ...(isKeyed ? (['IDEMPOTENCY_KEY_REUSED', 'ANSWER_ERASED'] as const) : []),
  ];
}

function refusedTokens(route: Route): ErrorCode[] {
  if (route.public) return [];
  const scope = scopeOf(route);
  if (scope === undefined) return ['UNAUTHORIZED', 'IP_NOT_ALLOWED', 'TEST_MODE_OFF'];
  const byScope = route.scope ? 'JWT_REQUIRED' : 'SCOPE_REQUIRED';
  return ['UNAUTHORIZED', 'IP_NOT_ALLOWED', 'TEST_MODE_OFF', byScope];
}
