/** The caller: what authentication knows and handlers get. */

/** All scopes; a key without scopes may do everything that needs none. */
export const SCOPES = ['keys:write', 'credentials:read'] as const;
export type Scope = (typeof SCOPES)[number];

/** The authenticated caller of a request. */
export interface User {
  userId: string;
  /** A JWT may do everything; a key needs a scope where a route requires one. */
  token: 'jwt' | 'key';
  /** Set when `token` is `key`. */
  keyId: string | undefined;
  scopes: readonly Scope[];
}

/** True for a JWT, and for a key that has the scope. */
export const hasScope = (user: User, scope: Scope): boolean =>
  user.token === 'jwt' || user.scopes.includes(scope);
