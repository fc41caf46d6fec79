/** Who is calling: what authentication knows and what handlers get. */

/** The only scopes there are; a key without scopes may do everything else. */
export const SCOPES = ['keys:write', 'credentials:read'] as const;
export type Scope = (typeof SCOPES)[number];

/** The authenticated caller of a request. */
export interface User {
  userId: string;
  /** A JWT may do everything; a key needs a scope where a route asks for one. */
  token: 'jwt' | 'key';
  /** Set when `token` is `key`. */
  keyId: string | undefined;
  scopes: readonly Scope[];
}

/** True for a JWT, and for a key that carries the scope. */
export const hasScope = (user: User, scope: Scope): boolean =>
  user.token === 'jwt' || user.scopes.includes(scope);
