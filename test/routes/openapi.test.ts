/** The API's document: valid OpenAPI 3.1, complete, and readable without a network. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pathsOf } from '../../src/http/route.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api } = describeApi();

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

  it('tells which days and how many follow-ups a campaign has', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const { schema } = body.paths['/v1/campaigns'].post.requestBody.content['application/json'];
    const { activeDays, maxFollowups } = schema.properties;
    expect(activeDays.items.enum).toEqual(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
    expect(maxFollowups.description).toContain('Default');
  });

  it('has every route under each of its paths, and no operation id twice', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const routes = createRoutes(api.context);
    for (const route of routes) {
      for (const path of pathsOf(route.path)) {
        const operation = body.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method];
        expect(operation, `${route.method} ${path}`).toBeDefined();
        expect(operation.summary).toBe(route.summary);
        expect(operation.security).toEqual(route.public ? [] : [{ apiKey: [] }, { jwt: [] }]);
        expect(Object.keys(operation.responses)).toContain(String(route.status));
      }
    }
    const ids = Object.values<object>(body.paths).flatMap((item) =>
      Object.values(item).map((operation: { operationId: string }) => operation.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(routes.flatMap((route) => pathsOf(route.path)).length);
  });
});

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

describe('GET /docs', () => {
  it('brings every file that it names, and none from elsewhere', async () => {
    const page = await api.call('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to!);
    expect(links).toHaveLength(4);
    for (const link of links) {
      expect(link).toMatch(/^\/docs\//);
      expect((await api.call('GET', link)).status).toBe(200);
    }
    expect(page.body).not.toMatch(/https?:\/\//);
  });

  it('runs under its content security policy: scripts from here, none inline', async () => {
    const { headers, body } = await api.call('GET', '/docs');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    expect(body).not.toMatch(/<script>|onclick|style=/);
  });
});
