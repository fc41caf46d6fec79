/** What API keys may do: areas by verb, and two privileges that nothing else includes. Choices 43, 95. */
import { unauthenticated } from '../domain/errors.ts';
import type { Tag } from './tags.ts';

/** A key has them only where it was made with them. */
const PRIVILEGES = ['keys:write', 'credentials:read'] as const;
type Privilege = (typeof PRIVILEGES)[number];

/** Areas of the document whose operations are nobody's, or have their own rule. */
type Unscoped = 'Health' | 'API keys' | 'Links in messages' | 'Documentation';

const AREAS = {
  Account: 'account',
  Wallet: 'wallet',
  Domains: 'domains',
  Clusters: 'clusters',
  Mailboxes: 'mailboxes',
  'Lead discovery': 'discovery',
  Leads: 'leads',
  Companies: 'companies',
  'Lead lists': 'lead-lists',
  Suppressions: 'suppressions',
  'Maps scraper': 'maps',
  Schedules: 'schedules',
  'Email validation': 'email-validation',
  Campaigns: 'campaigns',
  Inbox: 'inbox',
  'Warm-up': 'warmup',
  Placement: 'placement',
  Webhooks: 'webhooks',
  Operations: 'operations',
  'Audit log': 'audit',
} as const satisfies Record<Exclude<Tag, Unscoped>, string>;
/** The audit log has no operation that writes. */
type AreaScope = Exclude<
  `${(typeof AREAS)[keyof typeof AREAS]}:${'read' | 'write'}`,
  'audit:write'
>;

export type Scope = Privilege | AreaScope;

/** All scopes, as keys name them. */
export const SCOPES: readonly Scope[] = [
  ...PRIVILEGES,
  ...Object.values(AREAS).flatMap((area): AreaScope[] =>
    area === 'audit' ? ['audit:read'] : [`${area}:read`, `${area}:write`],
  ),
];

interface Scoped {
  method: string;
  tag: string;
  public: boolean;
  scope?: Scope;
  reads?: true;
}

/** The scope that a route asks of a key; undefined for a route that asks none. */
export function scopeOf({
  scope,
  tag,
  method,
  reads,
  public: isPublic,
}: Scoped): Scope | undefined {
  if (scope !== undefined || isPublic || !isScoped(tag)) return scope;
  return `${AREAS[tag]}:${method === 'get' || reads ? 'read' : 'write'}` as AreaScope;
}

/**
 * Whether a key with these scopes, as stored, has the one that is wanted. A key with scopes of no area may do
 * everything but the privileges; one with some may do those only. To write includes to read. A scope that this version
 * does not know, as while it is rolled back, counts as one of an area and grants nothing: else a key that a newer
 * version has narrowed down could do everything here.
 */
export function includesScope(scopes: readonly string[], wanted: Scope): boolean {
  if (scopes.includes(wanted)) return true;
  if (isPrivilege(wanted)) return false;
  const areas = scopes.filter((scope) => !isPrivilege(scope));
  const writing = wanted.replace(/read$/, 'write');
  return areas.length === 0 || (isKnown(writing) && areas.includes(writing));
}

/** All that a key with these scopes may do. */
export const permissionsOf = (scopes: readonly string[]): Scope[] =>
  SCOPES.filter((scope) => includesScope(scopes, scope));

/**
 * What a key with the scopes `wanted` could do and one with `own` could not; undefined where there is nothing. One that
 * this version does not know may be a privilege: it has to be named.
 */
export function lackedScope(own: readonly string[], wanted: readonly string[]): string | undefined {
  const unknown = wanted.filter((scope) => !isKnown(scope) && !own.includes(scope));
  return permissionsOf(wanted).find((scope) => !includesScope(own, scope)) ?? unknown[0];
}

/** A JWT has every scope. Throws the 401 that names the missing one. */
export function requireScope(
  user: { token: 'jwt' | 'key'; scopes: readonly string[] },
  wanted: Scope | undefined,
): void {
  if (wanted === undefined || user.token === 'jwt' || includesScope(user.scopes, wanted)) return;
  if (isPrivilege(wanted)) {
    const message = `This operation needs a JWT, or a key with the scope ${wanted}`;
    throw unauthenticated('JWT_REQUIRED', message);
  }
  throw unauthenticated('SCOPE_REQUIRED', `This key lacks the scope ${wanted}`);
}

const isScoped = (tag: string): tag is keyof typeof AREAS => Object.hasOwn(AREAS, tag);

const isKnown = (scope: string): boolean => (SCOPES as readonly string[]).includes(scope);

const isPrivilege = (scope: string): boolean => (PRIVILEGES as readonly string[]).includes(scope);
