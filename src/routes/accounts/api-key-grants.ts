/** What a key may hand out: nothing that it may not do itself, whatever it does to other keys. Choices 43, 187. */
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../domain/errors.ts';
import { liesWithin } from '../../http/ip-whitelist.ts';
import { lackedScope } from '../../http/scopes.ts';
import type { User } from '../../http/user.ts';
import { getKey } from '../../services/accounts/api-keys.ts';

type Needs = Pick<Context, 'db'>;

/** A key cannot grant what it may not do itself, not even by a rotation, or by naming no scope. */
export function requireOwn(user: User, wanted: readonly string[] | undefined): void {
  if (user.token === 'jwt' || wanted === undefined) return;
  const missing = lackedScope(user.scopes, wanted);
  if (missing === undefined) return;
  throw unauthenticated('JWT_REQUIRED', `This key may not hand out the scope ${missing}`);
}

/** A key that may do more than the caller is none of the caller's business. */
export async function requireNoBroader(context: Needs, user: User, id: string): Promise<void> {
  if (user.token === 'jwt') return;
  requireOwn(user, (await getKey(context, user.userId, id)).scopes);
}

interface Limits {
  ipWhitelist?: readonly string[] | undefined;
  expiresAt?: Date | null | undefined;
}

/**
 * A key that gets rights gets them with the limits that it then has: else a key with others would be a way around the
 * caller's. One that gets none keeps limits that are wider.
 */
export async function requireChange(
  context: Needs,
  user: User,
  id: string,
  changes: Limits & { scopes?: readonly string[] | undefined },
): Promise<void> {
  if (user.token === 'jwt') return;
  const { scopes, ipWhitelist, expiresAt } = changes;
  requireOwn(user, scopes);
  const target = await getKey(context, user.userId, id);
  requireOwn(user, target.scopes);
  const gains = scopes !== undefined && lackedScope(target.scopes, scopes) !== undefined;
  const limits = {
    ipWhitelist: ipWhitelist ?? target.ip_whitelist,
    expiresAt: expiresAt === undefined ? target.expires_at : expiresAt,
  };
  requireWithin(await limitsOf(context, user), gains ? limits : changes);
}

/** Where and how long the caller's key may be used; undefined for a JWT. */
export async function limitsOf(context: Needs, user: User) {
  if (user.keyId === undefined) return undefined;
  const own = await getKey(context, user.userId, user.keyId);
  return { ipWhitelist: own.ip_whitelist, expiresAt: own.expires_at };
}

/** Whoever has a key must not get one that is good elsewhere, or for longer, itself included. */
export function requireWithin(own: Awaited<ReturnType<typeof limitsOf>>, wanted: Limits): void {
  if (!own) return;
  if (wanted.ipWhitelist && !liesWithin(wanted.ipWhitelist, own.ipWhitelist)) {
    const message = 'This key may not let a key be used from addresses that are not its own';
    throw unauthenticated('JWT_REQUIRED', message);
  }
  if (wanted.expiresAt === undefined || own.expiresAt === null) return;
  if (wanted.expiresAt !== null && wanted.expiresAt <= own.expiresAt) return;
  throw unauthenticated(
    'JWT_REQUIRED',
    'This key may not let a key be used for longer than itself',
  );
}
