/** Spec: API keys. Unprefixed paths, also served under /v1. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { MODES, TEST_PATH, type Mode } from '../../domain/accounts/modes.ts';
import { validationError } from '../../domain/errors.ts';
import { paged, reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { offsetOf, pageQuery, shortText } from '../../http/schemas.ts';
import * as apiKeys from '../../services/accounts/api-keys.ts';
import {
  limitsOf,
  requireChange,
  requireNoBroader,
  requireOwn,
  requireWithin,
} from './api-key-grants.ts';
import {
  createdKey,
  expiresAt,
  ipWhitelist,
  keyParams,
  listedKey,
  present,
  presentListed,
  rotatedKey,
  scopes,
} from './api-key-shapes.ts';

type Needs = Pick<Context, 'db'> & { config: Pick<Context['config'], 'OUTREACH_MODE'> };

const tag = 'API keys';
/** Choice 43: a key is refused here unless it was created for this. */
const scope = 'keys:write';

export const apiKeyRoutes = (context: Needs): Route[] => [
  createRoute(context),
  listRoute(context),
  currentRoute(context),
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
    description:
      'Authenticated with a JWT, or with a key that has the scope `keys:write`; the new key then has that one’s ' +
      '`ipWhitelist` and `expiresAt` where it names none, and none that are wider. The full key is in this answer and nowhere else. Keys of test mode ' +
      '(`svc_test_...`) are made under `/test`: `POST /test/api/keys`.',
    body: z.object({
      name: shortText,
      ipWhitelist: ipWhitelist.optional(),
      scopes: scopes.optional(),
      expiresAt: expiresAt.optional(),
      mode: z.enum(MODES).optional().describe('Must be that of the address; it may be left out.'),
    }),
    response: createdKey,
    handler: async ({ body, user }) => {
      requireMode(context, body.mode);
      requireOwn(user, body.scopes ?? []);
      const own = await limitsOf(context, user);
      const limits = {
        ipWhitelist: unique(body.ipWhitelist ?? own?.ipWhitelist),
        expiresAt: body.expiresAt === undefined ? (own?.expiresAt ?? null) : body.expiresAt,
      };
      requireWithin(own, limits);
      const { row, key } = await apiKeys.createKey(context, user.userId, {
        name: body.name,
        scopes: unique(body.scopes),
        ...limits,
      });
      return { ...present(row, modeOf(context)), key };
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
      const mode = modeOf(context);
      return paged(
        rows.map((row) => presentListed(row, mode)),
        query,
        total,
      );
    },
  });

const currentRoute = (context: Needs) =>
  route({
    method: 'get',
    path: '/api/keys/current',
    operationId: 'apiKeys.readCurrent',
    tag,
    status: 200,
    errors: { 404: ['API_KEY_NOT_FOUND'] },
    summary: 'Shows the key of this very request: what it may do',
    description: 'Needs no scope. With a JWT: 404.',
    response: listedKey,
    handler: async ({ user }) =>
      presentListed(await apiKeys.getKey(context, user.userId, user.keyId ?? ''), modeOf(context)),
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
      presentListed(await apiKeys.getKey(context, user.userId, params.id), modeOf(context)),
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
      await requireChange(context, user, params.id, body);
      const row = await apiKeys.changeKey(context, user.userId, params.id, {
        name: body.name,
        ipWhitelist: body.ipWhitelist && unique(body.ipWhitelist),
        scopes: body.scopes && unique(body.scopes),
        expiresAt: body.expiresAt,
      });
      return presentListed(row, modeOf(context));
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
      await requireNoBroader(context, user, params.id);
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
      const { ip_whitelist: whitelist, expires_at: end } = target;
      requireWithin(await limitsOf(context, user), { ipWhitelist: whitelist, expiresAt: end });
      const { row, key, previousKeyExpiresAt } = await apiKeys.rotateKey(
        context,
        user.userId,
        params.id,
        body.gracePeriodHours,
      );
      const shown = present(row, modeOf(context));
      return { ...shown, key, previousKeyExpiresAt: previousKeyExpiresAt.toISOString() };
    },
  });

/** A key of the other mode than was asked for would be a surprise. */
function requireMode(context: Needs, wanted: Mode | undefined): void {
  if (wanted === undefined || wanted === modeOf(context)) return;
  const path = `${wanted === 'test' ? TEST_PATH : ''}/api/keys`;
  const message = `mode: keys of ${wanted} mode are made by POST ${path}`;
  throw validationError([{ field: 'mode', message }]);
}

const modeOf = ({ config }: Needs): Mode => config.OUTREACH_MODE;

const unique = <T>(entries: readonly T[] | undefined): T[] => [...new Set(entries)];
