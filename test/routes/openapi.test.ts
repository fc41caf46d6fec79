/** The API's document: valid OpenAPI 3.1, complete, and readable without a network. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildDocument } from '../../src/dev/contract/built-document.ts';
import {
  operationsOf as operationsOfDocument,
  resolve,
  type ContractDocument,
  type Schema,
} from '../../src/dev/contract/schema.ts';
import { invalid } from '../../src/domain/errors.ts';
import { ERROR_CODES } from '../../src/http/error-codes.ts';
import { errorsOf } from '../../src/http/route-errors.ts';
import { documentPath } from '../../src/http/openapi.ts';
import { pathsOf, route } from '../../src/http/route.ts';
import { scopeOf } from '../../src/http/scopes.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { readSources } from '../docs/documents.ts';
import { startTestApi } from '../support/api/api.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi();

const mayBeNull = ({ type, enum: values, anyOf, oneOf }: Schema): boolean =>
  [type ?? []].flat().includes('null') ||
  (values ?? []).includes(null) ||
  (anyOf ?? oneOf ?? []).some(mayBeNull);

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { status, body } = await api.call('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(body));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    validator.resolveRefs();
  });

  it('is what is released and linted, which is made without an API', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    expect(buildDocument()).toEqual(body);
  });

  it('tells which days and how many follow-ups a campaign has', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const { schema } = body.paths['/v1/campaigns'].post.requestBody.content['application/json'];
    const { activeDays, maxFollowups } = schema.properties;
    expect(activeDays.items.enum).toEqual(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
    expect(maxFollowups.description).toContain('Default');
  });

  it('says of each field of a body whether it may be null', () => {
    const document = buildDocument() as unknown as ContractDocument;
    const bodies = new Map(
      operationsOfDocument(document).map(({ operation }) => [
        operation.operationId,
        operation.requestBody?.content?.['application/json']?.schema,
      ]),
    );
    const unsaid = createRoutes(api.context).flatMap(({ operationId, body }) => {
      if (!(body instanceof z.ZodObject)) return [];
      const { properties = {} } = resolve(document, bodies.get(operationId)!);
      return Object.entries(body.shape as Record<string, z.ZodType>)
        .filter(([, field]) => field.safeParse(null).success)
        .filter(([name]) => !mayBeNull(resolve(document, properties[name]!)))
        .map(([name]) => `${operationId} ${name}`);
    });
    expect(unsaid).toEqual([]);
  });

  it('has every route once, under its own path', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const routes = createRoutes(api.context);
    for (const route of routes) {
      const operation = body.paths[documentPath(route.path)]?.[route.method];
      expect(operation, `${route.method} ${route.path}`).toBeDefined();
      expect(operation.operationId).toBe(route.operationId);
      expect(operation.summary).toBe(route.summary);
      const scopes = [scopeOf(route)].filter((scope) => scope !== undefined);
      expect(operation.security).toEqual(route.public ? [] : [{ apiKey: scopes }, { jwt: [] }]);
      expect(Object.keys(operation.responses)).toContain(String(route.status));
    }
    expect(operationsOf(body)).toHaveLength(routes.length);
  });

  it('names each operation by resource and verb, and none twice', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const ids = operationsOf(body).map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+\.[a-z][a-zA-Z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes every tag', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const described = new Set(body.tags.map((tag: { name: string }) => tag.name));
    expect(operationsOf(body).filter(({ tags }) => !described.has(tags[0]))).toEqual([]);
    expect(body.tags.every((tag: { description: string }) => tag.description !== '')).toBe(true);
  });

  it('has patterns that every reader of ECMA expressions understands', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const patterns = [...JSON.stringify(body).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text!) as string,
    );
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[pP]\{|\/[a-z]*$/.test(pattern))).toEqual([]);
    for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow();
  });
});

/** Each GET that answers under two paths, with an id that nothing has: the declared path and the other. */
const TWINS = Object.entries<object>(buildDocument().paths ?? {})
  .filter(([, item]) => 'get' in item)
  .map(([path]) => pathsOf(path.replaceAll(/\{\w+\}/g, '1')))
  .filter((paths): paths is [string, string] => paths.length === 2);

describe('a path of before', () => {
  it('is one of three areas, whatever is read there', () => {
    const areas = TWINS.map(([path]) => path.replace(/^\/v1/, '').split('/')[1]);
    expect([...new Set(areas)].toSorted()).toEqual(['api', 'clusters', 'wallet']);
    expect(areas.length).toBeGreaterThan(6);
  });

  it.each(TWINS)('answers as %s does: %s', async (path, twin) => {
    const token = await api.jwt();
    const [first, second] = [
      await api.call('GET', path, { token }),
      await api.call('GET', twin, { token }),
    ];
    expect(second.status).toBe(first.status);
    expect({ ...second.body, requestId: null }).toEqual({ ...first.body, requestId: null });
    const { body } = await api.call('GET', '/openapi.json');
    expect(Object.keys(body.paths)).not.toContain(twin);
  });
});

/** Codes that come by the command line of operators alone. */
const OF_OPERATORS = [
  'ACTION_NOT_POSSIBLE',
  'ACTIVE_CLUSTER_NOT_FOUND',
  'ADJUSTMENT_TOO_LARGE',
  'ALREADY_RUNNING',
  'MAIL_HOST_NOT_FOUND',
  'NOT_BLOCKED',
  'USER_NOT_FOUND',
  'WORKFLOW_GONE',
];

const headersOf = ({ headers = {} }: { headers?: object }) => Object.keys(headers);

describe('the headers of an answer', () => {
  it('are named where it comes: what is left of the limits, and that it is a repeated one', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    for (const { operationId, method, path, public: isPublic, status } of createRoutes(
      api.context,
    )) {
      const { responses } = body.paths[documentPath(path)][method];
      const named = headersOf(responses[status]);
      const wanted = {
        'X-Request-Id': true,
        'X-RateLimit-Limit': !isPublic,
        'X-RateLimit-Remaining': !isPublic,
        'X-RateLimit-Reset': !isPublic,
        RateLimit: !isPublic,
        'RateLimit-Policy': !isPublic,
        'Idempotent-Replayed': !isPublic && method === 'post',
      };
      const found = Object.keys(wanted).map((name) => [name, named.includes(name)]);
      expect([operationId, Object.fromEntries(found)]).toEqual([operationId, wanted]);
    }
  });

  it('with 429 are all limits and when the request may succeed', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const limits = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];
    for (const { operationId, method, path, public: isPublic } of createRoutes(api.context)) {
      const { responses } = body.paths[documentPath(path)][method];
      const { $ref = '' } = (responses[429] ?? {}) as { $ref?: string };
      const answer = body.components.responses[$ref.split('/').at(-1)!] ?? responses[429] ?? {};
      const named = limits.filter((name) => headersOf(answer).includes(name));
      expect([operationId, named]).toEqual([operationId, isPublic ? [] : limits]);
    }
  });

  it('are described, each of them', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const refs = [...JSON.stringify(body).matchAll(/"#\/components\/headers\/([\w-]+)"/g)];
    const named = new Set(refs.map(([, name]) => name));
    expect(Object.keys(body.components.headers).toSorted()).toEqual([...named].toSorted());
  });
});

describe('the errors of an operation', () => {
  it('are listed by status, with every code', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    for (const route of createRoutes(api.context)) {
      const { responses } = body.paths[documentPath(route.path)][route.method];
      for (const [status, codes] of errorsOf(route)) {
        const { $ref = '' } = responses[status] as { $ref?: string };
        const answer = body.components.responses[$ref.split('/').at(-1)!] ?? responses[status];
        const [, own] = answer.content['application/json'].schema.allOf;
        expect(own.properties.code.enum, `${route.operationId} ${status}`).toEqual(codes);
      }
    }
  });

  it('have codes that the document explains, also where no test provokes them', async () => {
    const folders = ['services', 'transactions', 'db', 'http', 'routes', 'domain'];
    const text = await readSources(folders.map((name) => `src/${name}`));
    const sources = text.replaceAll(/\s+/g, ' ');
    const named =
      /\binvalid\( ?'([A-Z_]+)'|\bunauthenticated\( ?'([A-Z_]+)'|\bnotFound\('([\w ]+)'\)/g;
    const codes = [...sources.matchAll(named)].map(
      ([, one, two, thing = '']) =>
        one ?? two ?? `${thing.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`,
    );
    const unexplained = new Set(codes.filter((code) => !(code in ERROR_CODES)));
    expect([...unexplained].toSorted()).toEqual(OF_OPERATORS);
  });

  it('come for every missing thing that a path names', async () => {
    const withIds = createRoutes(api.context).filter(
      ({ path, public: isPublic }) => path.includes('/:') && !isPublic,
    );
    expect(withIds.length).toBeGreaterThan(80);
    expect(withIds.filter(({ errors }) => !errors?.[404]).map(({ path }) => path)).toEqual([]);
  });

  it('are not what the API answers in tests where the document does not list them', async () => {
    const undocumented = route({
      method: 'get',
      path: '/v1/probe',
      operationId: 'probe.read',
      tag: 'Health',
      public: true,
      status: 200,
      summary: 'Refuses.',
      response: z.object({}),
      handler: () => {
        throw invalid('INVALID_STATE', 'Not possible');
      },
    });
    const told: string[] = [];
    const logger = { error: ({ err }: { err: Error }) => void told.push(err.message) };
    const probe = await startTestApi({
      database,
      routes: () => [undocumented],
      context: { logger: logger as never },
    });
    const { status, body } = await probe.call('GET', '/v1/probe');
    await probe.close();
    expect(status).toBe(500);
    expect(body.code).toBe('INTERNAL');
    expect(told).toEqual([
      'probe.read answers 400 INVALID_STATE, which its document does not list',
    ]);
  });
});

interface Operation {
  operationId: string;
  tags: string[];
}

const operationsOf = (document: { paths: object }): Operation[] =>
  Object.values(document.paths).flatMap((item: Record<string, Operation>) => Object.values(item));

/** The registered schemas within `schema` that may be null by `.nullable()`, which the document loses. */
function nullableNames(schema: z.core.$ZodType): string[] {
  const def = schema._zod.def as z.core.$ZodTypeDef & {
    innerType?: z.core.$ZodType;
    element?: z.core.$ZodType;
    options?: z.core.$ZodType[];
    shape?: Record<string, z.core.$ZodType>;
  };
  const { innerType, element, options = [], shape = {} } = def;
  const name = innerType && (z.globalRegistry.get(innerType)?.['id'] as string | undefined);
  const within = [innerType, element, ...options, ...Object.values(shape)].filter(
    (each) => each !== undefined,
  );
  return [
    ...(def.type === 'nullable' && name !== undefined ? [name] : []),
    ...within.flatMap(nullableNames),
  ];
}

describe('what may be null', () => {
  it('is said in the document: a registered schema is made nullable by `orNull`', () => {
    const pair = z.object({ one: z.int().meta({ id: 'One' }).nullable() });
    expect(nullableNames(pair)).toEqual(['One']);
    z.globalRegistry.remove(pair.shape.one.unwrap());
    expect(createRoutes(api.context).flatMap(({ response }) => nullableNames(response))).toEqual(
      [],
    );
  });
});
