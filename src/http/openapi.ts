/** The OpenAPI 3.1 document, generated from the schemas that validate requests. */
import {
  OpenApiGeneratorV31,
  OpenAPIRegistry,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { version } from '../domain/version.ts';
import {
  errorAnswers,
  errorCodeSchema,
  errorSchema,
  headers,
  successHeaders,
} from './openapi-answers.ts';
import { exampleOf, requestExamples, type OperationExample } from './openapi-examples.ts';
import { withPlainPatterns } from './openapi-patterns.ts';
import type { Route } from './route.ts';
import { cursorPaginationSchema, paginationSchema } from './schemas.ts';
import { scopeOf } from './scopes.ts';
import { TAGS } from './tags.ts';

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

const DESCRIPTION = `Every answer is \`{success: true, data, message?, meta?}\` or
\`{success: false, error, code, details?, requestId}\`; the codes are those of \`ErrorCode\`.
Where an id of the query or the body is of nothing, \`details\` has a \`field\` and a \`message\` for each such id.
The id of a request is in \`X-Request-Id\`, of one that is no GET in \`meta.requestId\`, too.

Rate limits: 100 requests a minute and 1,000 an hour for each API key (each user with a JWT). The headers of
every answer to a token say how many are left; 429 says in \`Retry-After\` when to come again.

Keys that begin with \`svc_test_\` are of test mode: what they do happens in a sandbox and costs nothing. They are
made, and a JWT is in test mode, under \`/test\`: \`POST /test/api/keys\`.

A POST with an \`Idempotency-Key\` may be repeated within a day: the first answer comes again.

Each operation stands here once. Those under \`/wallet\` and \`/api/keys\` also answer under \`/v1/wallet\` and
\`/v1/api/keys\`, those of clusters both under \`/clusters\` and \`/v1/clusters\`, in the same way.`;

/** Documents every route under its own path, and the events posted to clients' endpoints. */
export function createDocument(
  routes: readonly Route[],
  webhooks: readonly DocumentedWebhook[] = [],
): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registerShared(registry);
  const shared = new Set<string>();
  for (const route of routes) {
    const errors = errorAnswers(route, (name, answer) => {
      if (!shared.has(name)) registry.registerComponent('responses', name, answer);
      shared.add(name);
      return { $ref: `#/components/responses/${name}` };
    });
    registry.registerPath(operation(route, errors));
  }
  for (const each of webhooks) registry.registerWebhook(posting(each));
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Outreach',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => [...routes, ...webhooks].some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
  });
  return withPlainPatterns(document);
}

function registerShared(registry: OpenAPIRegistry): void {
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key: `svc_` (of test mode `svc_test_`) and 64 hex characters. A key without scopes may do everything but change ' +
      'keys (`keys:write`) and read passwords of mailboxes (`credentials:read`); a key with a scope ' +
      'of an area, such as `clusters:write`, may do what its scopes name and nothing else. ' +
      '`:write` includes `:read`.',
  });
  registry.registerComponent('securitySchemes', 'jwt', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of the web application with `userId`, `email` and `name`; has every scope.',
  });
  registry.registerComponent('schemas', 'ErrorCode', errorCodeSchema);
  registry.registerComponent('schemas', 'Error', errorSchema);
  registry.registerComponent('parameters', 'IdempotencyKey', {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repetition with the same key within a day gets the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });
  for (const [name, header] of Object.entries(headers)) {
    registry.registerComponent('headers', name, header);
  }
}

function posting({ name, tag, summary, headers: sent, body }: DocumentedWebhook): RouteConfig {
  const content = { 'application/json': { schema: body } };
  return {
    method: 'post',
    path: name,
    operationId: `webhook_${name.replaceAll('.', '_')}`,
    tags: [tag],
    summary,
    security: [],
    request: { headers: sent, body: { required: true, content } },
    responses: { '2XX': { description: 'Taken, whatever the body says' } },
  };
}

function operation(route: Route, errors: RouteConfig['responses']): RouteConfig {
  const isKeyed = !route.public && route.method === 'post';
  const scopes = [scopeOf(route)].filter((scope) => scope !== undefined);
  const example = exampleOf(route.operationId);
  return {
    method: route.method,
    path: documentPath(route.path),
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: route.public ? [] : [{ apiKey: scopes }, { jwt: [] }],
    ...(isKeyed && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
    request: {
      ...(route.params && { params: route.params }),
      ...(route.query && { query: route.query }),
      ...(route.body && { body: requestBody(route.body, route.files ?? [], example ?? {}) }),
    },
    responses: {
      [route.status]: {
        description: route.status === 201 ? 'Created' : 'Success',
        headers: successHeaders(route),
        content: {
          [route.contentType ?? 'application/json']: {
            schema: successSchema(route),
            ...(example?.answer !== undefined && { example: example.answer }),
          },
        },
      },
      ...errors,
    },
  };
}

/** `/v1/clusters/:id` -> `/v1/clusters/{id}`. */
export const documentPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

const requestBody = (schema: z.ZodType, files: readonly string[], example: OperationExample) => ({
  required: !schema.safeParse({}).success,
  content: {
    'application/json': { schema, ...requestExamples(example) },
    ...Object.fromEntries(files.map((type) => [type, { schema: z.string() }])),
  },
});

function successSchema(route: Route): z.ZodType {
  if (route.envelope === 'custom' || route.contentType !== undefined) return route.response;
  return z.object({
    success: z.literal(true),
    data: route.response,
    message: z.string().optional(),
    // Answers that were stored before they had it are repeated without it.
    ...(route.method !== 'get' && { meta: z.object({ requestId: z.string() }).optional() }),
    ...(route.paged === true && { meta: z.object({ pagination: paginationSchema }) }),
    ...(route.paged === 'asked' && {
      meta: z.object({ pagination: paginationSchema }).optional(),
    }),
    ...(route.paged === 'cursor' && {
      meta: z.object({ pagination: cursorPaginationSchema }).optional(),
    }),
  });
}
