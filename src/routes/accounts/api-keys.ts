/** Spec: API keys. Unprefixed paths, also served under /v1. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { unauthenticated } from '../../domain/errors.ts';
import { paged, reply } from '../../http/envelope.ts';
import { whitelistProblem } from '../../http/ip-whitelist.ts';
import { route, type Route } from '../../http/route.ts';
import { offsetOf, pageQuery, shortText, timestamp } from '../../http/schemas.ts';
import { hasScope, SCOPES, type Scope, type User } from '../../http/user.ts';
import * as apiKeys from '../../services/accounts/api-keys.ts';

type Needs = Pick<Context, 'db'>;
type KeyRow = Awaited<ReturnType<typeof apiKeys.getKey>>;

const tag = 'API keys';
/** Choice 43: a key is refused here unless it was created for this. */
const scope = 'keys:write';

/**
 * Key ids are short strings; any other text is no key's id and 404. Cut to the length that an index can
 * hold.
 */
const keyParams = z.object({ id: z.string().transform((id) => id.slice(0, 64)) });

const ipWhitelist = z
  .array(
    z
      .string()
      .max(64)
      .check((entry) => {
        const problem = whitelistProblem(entry.value);
        if (problem) entry.issues.push({ code: 'custom', message: problem, input: entry.value });
      }),
  )
  .max(64)
  .meta({ description: 'IPv4 or IPv6 addresses or CIDR ranges; empty = any address' });

const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length);
const expiresAt = z.iso
  .datetime({ offset: true })
  .refine((text) => {
    const time = Date.parse(text);
    return time > Date.now() && time < Date.UTC(9999, 11, 31);
  }, 'must be in the future')
  .transform((text) => new Date(text))
  .nullable();

const keyFields = {
  id: z.string(),
  name: z.string(),
  createdAt: timestamp,
  ipWhitelist: z.array(z.string()),
  scopes: z.array(z.string()),
  expiresAt: timestamp.nullable(),
};

const listedKey = z
  .object({
    ...keyFields,
    prefix: z.string().meta({ description: 'The first characters of the key' }),
    last4: z.string(),
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

const fullKey = z.string().meta({ description: 'The full key; shown here and never again' });
const createdKey = z.object({ ...keyFields, key: fullKey }).meta({ id: 'CreatedApiKey' });
const rotatedKey = z
  .object({ ...keyFields, key: fullKey, previousKeyExpiresAt: timestamp })
  .meta({ id: 'RotatedApiKey' });

export const apiKeyRoutes = (context: Needs): Route[] => [
  createRoute(context),
  listRoute(context),
  getRoute(context),
  changeRoute(context),
  deleteRoute(context),
  rotateRoute(context),
];

const createRoute = (context: Needs) =>
  route({
    method: 'post',
    path: '/api/keys',
    operationId: 'apiKeys.create',
    tag,
    scope,
    status: 201,
    errors: { 400: ['API_KEY_LIMIT'] },
    summary: 'Creates an API key',
    description: 'Authenticated with a JWT. The full key is in this answer and nowhere else.',
    body: z.object({
      name: shortText,
      ipWhitelist: ipWhitelist.optional(),
      scopes: scopes.optional(),
      expiresAt: expiresAt.optional(),
    }),
    response: createdKey,
    handler: async ({ body, user }) => {
      requireOwn(user, body.scopes);
      const { row, key } = await apiKeys.createKey(context, user.userId, {
        name: body.name,
        ipWhitelist: unique(body.ipWhitelist),
        scopes: unique(body.scopes),
        expiresAt: body.expiresAt ?? null,
      });
      return { ...present(row), key };
    },
  });

const listRoute = (context: Needs) =>
  route({
    method: 'get',
    path: '/api/keys',
    operationId: 'apiKeys.list',
    tag,
    scope,
    status: 200,
    paged: true,
    summary: 'Lists the API keys, newest first',
    query: pageQuery,
    response: z.array(listedKey),
    handler: async ({ query, user }) => {
      const page = { limit: query.limit, offset: offsetOf(query) };
      const { rows, total } = await apiKeys.listKeys(context, user.userId, page);
      return paged(rows.map(presentListed), query, total);
    },
  });

const getRoute = (context: Needs) =>
  route({
    method: 'get',
    path: '/api/keys/:id',
    operationId: 'apiKeys.read',
    tag,
    scope,
    status: 200,
    errors: { 404: ['API_KEY_NOT_FOUND'] },
    summary: 'Shows an API key, without its secret',
    params: keyParams,
    response: listedKey,
    handler: async ({ params, user }) =>
      presentListed(await apiKeys.getKey(context, user.userId, params.id)),
  });

const changeRoute = (context: Needs) =>
  route({
    method: 'patch',
    path: '/api/keys/:id',
    operationId: 'apiKeys.update',
    tag,
    scope,
    status: 200,
    errors: { 404: ['API_KEY_NOT_FOUND'] },
    summary: 'Changes name, whitelist, scopes or expiry of an API key',
    params: keyParams,
    body: z.object({
      name: shortText.optional(),
      ipWhitelist: ipWhitelist.optional(),
      scopes: scopes.optional(),
      expiresAt: expiresAt.optional(),
    }),
    response: listedKey,
    handler: async ({ params, body, user }) => {
      requireOwn(user, body.scopes);
      const row = await apiKeys.changeKey(context, user.userId, params.id, {
        name: body.name,
        ipWhitelist: body.ipWhitelist && unique(body.ipWhitelist),
        scopes: body.scopes && unique(body.scopes),
        expiresAt: body.expiresAt,
      });
      return presentListed(row);
    },
  });

const deleteRoute = (context: Needs) =>
  route({
    method: 'delete',
    path: '/api/keys/:id',
    operationId: 'apiKeys.delete',
    tag,
    scope,
    status: 200,
    errors: { 404: ['API_KEY_NOT_FOUND'] },
    summary: 'Deletes an API key at once',
    params: keyParams,
    response: z.object({ id: z.string() }),
    handler: async ({ params, user }) => {
      await apiKeys.deleteKey(context, user.userId, params.id);
      return reply({ id: params.id }, { message: 'API key deleted' });
    },
  });

const rotateRoute = (context: Needs) =>
  route({
    method: 'post',
    path: '/api/keys/:id/rotate',
    operationId: 'apiKeys.rotate',
    tag,
    scope,
    status: 200,
    errors: { 404: ['API_KEY_NOT_FOUND'] },
    summary: 'Gives an API key a new secret without downtime',
    description:
      'The id stays. The previous secret works for `gracePeriodHours` more (0 = not at all); ' +
      'one that was already in its grace period keeps its own expiry.',
    params: keyParams,
    body: z.object({ gracePeriodHours: z.int().min(0).max(168).default(24) }),
    response: rotatedKey,
    handler: async ({ params, body, user }) => {
      const target = await apiKeys.getKey(context, user.userId, params.id);
      requireOwn(user, target.scopes);
      const { row, key, previousKeyExpiresAt } = await apiKeys.rotateKey(
        context,
        user.userId,
        params.id,
        body.gracePeriodHours,
      );
      return { ...present(row), key, previousKeyExpiresAt: previousKeyExpiresAt.toISOString() };
    },
  });

/** A key cannot grant a scope that it does not have itself, not even by a rotation. */
function requireOwn(user: User, wanted: readonly string[] | undefined): void {
  const missing = (wanted ?? []).find((each) => !hasScope(user, each as Scope));
  if (missing === undefined) return;
  throw unauthenticated('JWT_REQUIRED', `This key may not hand out the scope ${missing}`);
}

const unique = <T>(entries: readonly T[] | undefined): T[] => [...new Set(entries)];

const present = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  ipWhitelist: row.ip_whitelist,
  scopes: row.scopes,
  expiresAt: row.expires_at?.toISOString() ?? null,
});

const presentListed = (row: KeyRow) => ({
  ...present(row),
  prefix: row.prefix,
  last4: row.last4,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});
