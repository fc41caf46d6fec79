/** The OpenAPI 3.1 document, generated from the schemas that validate requests. */
import {
  OpenApiGeneratorV31,
  OpenAPIRegistry,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { version } from '../domain/version.ts';
import { pathsOf, type Route } from './route.ts';
import { cursorPaginationSchema, paginationSchema } from './schemas.ts';

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

/** An event that is posted to clients' endpoints. */
export interface DocumentedWebhook {
  /** The event type. */
  name: string;
  tag: string;
  /** One line: when it is posted. */
  summary: string;
  headers: z.ZodObject;
  body: z.ZodType;
}

/** Documents every route under each of its paths, and the events posted to clients' endpoints. */
export function createDocument(
  routes: readonly Route[],
  webhooks: readonly DocumentedWebhook[] = [],
): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `svc_` and 64 hex characters.',
  });
  registry.registerComponent('securitySchemes', 'jwt', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of the web application with `userId`, `email` and `name`.',
  });
  for (const each of routes) {
    for (const path of pathsOf(each.path)) registry.registerPath(operation(each, path));
  }
  for (const each of webhooks) registry.registerWebhook(posting(each));
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Outreach',
      version,
      description:
        'Every answer is `{success: true, data, message?, meta?}` or `{success: false, error, ' +
        'code, details?, requestId}`. Rate limits: 100 requests a minute and 1,000 an hour for ' +
        'each API key (each user with a JWT).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((each) => each.tag))].map((name) => ({ name })),
  });
}

function posting({ name, tag, summary, headers, body }: DocumentedWebhook): RouteConfig {
  const content = { 'application/json': { schema: body } };
  return {
    method: 'post',
    path: name,
    operationId: `webhook_${name.replaceAll('.', '_')}`,
    tags: [tag],
    summary,
    security: [],
    request: { headers, body: { required: true, content } },
    responses: { '2XX': { description: 'Taken, whatever the body says' } },
  };
}

function operation(route: Route, path: string): RouteConfig {
  const twin = path !== route.path;
  const description = [twin && `The same as \`${route.path}\`.`, route.description]
    .filter(Boolean)
    .join('\n\n');
  return {
    method: route.method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    operationId: `${route.method}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`,
    tags: [route.tag],
    summary: route.summary,
    ...(description !== '' && { description }),
    security: route.public ? [] : [{ apiKey: [] }, { jwt: [] }],
    request: {
      ...(route.params && { params: route.params }),
      ...(route.query && { query: route.query }),
      ...(!route.public && route.method === 'post' && { headers: idempotencyHeader }),
      ...(route.body && {
        body: {
          required: !route.body.safeParse({}).success,
          content: {
            'application/json': { schema: route.body },
            ...Object.fromEntries(
              (route.files ?? []).map((type) => [type, { schema: z.string() }]),
            ),
          },
        },
      }),
    },
    responses: {
      [route.status]: {
        description: route.status === 201 ? 'Created' : 'Success',
        content: { [route.contentType ?? 'application/json']: { schema: successSchema(route) } },
      },
      ...errorResponses(route),
      ...(route.page && { 404: noSuchPage }),
    },
  };
}

const noSuchPage = {
  description: 'A page for people: the link is not one of ours',
  content: { 'text/html': { schema: z.string() } },
};

const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description: 'A repetition with the same key within a day gets the first answer again.',
  }),
});

const errorSchema = z
  .object({
    success: z.literal(false),
    error: z.string().meta({ description: 'The problem in words' }),
    code: z.string().meta({ description: 'The problem for programs' }),
    details: z.array(z.record(z.string(), z.unknown())).optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error' });

function successSchema(route: Route): z.ZodType {
  if (route.envelope === 'custom' || route.contentType !== undefined) return route.response;
  return z.object({
    success: z.literal(true),
    data: route.response,
    message: z.string().optional(),
    ...(route.paged === true && { meta: z.object({ pagination: paginationSchema }) }),
    ...(route.paged === 'cursor' && {
      meta: z.object({ pagination: cursorPaginationSchema }).optional(),
    }),
  });
}

const ERROR_WORDS: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The token is missing or not valid',
  402: 'The wallet is short of money',
  404: 'There is no such resource',
  429: 'A rate limit is exceeded; see Retry-After',
  500: 'An internal error',
  502: 'A backing subsystem is unavailable',
};

function errorResponses(route: Route): RouteConfig['responses'] {
  const statuses = [400, ...(route.public ? [] : [401, 429]), ...(route.errors ?? []), 500, 502];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: ERROR_WORDS[status]!,
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  );
}
