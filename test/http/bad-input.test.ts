/** What no client should send: every oddity gets a 4xx in the envelope, none a 500. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { upstreamUnavailable } from '../../src/domain/errors.ts';
import { route } from '../../src/http/route.ts';
import { idParams } from '../../src/http/schemas.ts';
import { accountRoutes } from '../../src/routes/accounts/account.ts';
import { apiKeyRoutes } from '../../src/routes/accounts/api-keys.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let api: TestApi;
let token: string;

/** Routes beside the product's, for what no real one does. */
const probes = () => [
  route({
    method: 'get',
    path: '/probe/:id',
    operationId: 'probe.ask',
    tag: 'probe',
    summary: 'Tells the id',
    status: 200,
    params: idParams,
    response: z.object({ id: z.int() }),
    handler: ({ params }) => params,
  }),
  route({
    method: 'post',
    path: '/probe',
    operationId: 'probe.ask2',
    tag: 'probe',
    summary: 'Tells what arrived',
    status: 200,
    body: z.object({ text: z.string().optional(), any: z.record(z.string(), z.json()).optional() }),
    response: z.object({ text: z.string().optional(), admin: z.boolean(), keys: z.int() }),
    handler: ({ body }) => ({
      ...(body.text !== undefined && { text: body.text }),
      admin: 'admin' in {} || 'admin' in body || 'admin' in (body.any ?? {}),
      keys: Object.keys(body.any ?? {}).length,
    }),
  }),
  route({
    method: 'post',
    path: '/probe/fail/:how',
    operationId: 'probe.ask3',
    tag: 'probe',
    summary: 'Fails',
    status: 200,
    params: z.object({ how: z.string() }),
    response: z.object({}),
    handler: ({ params }): Record<string, never> => {
      if (params.how === 'upstream') throw upstreamUnavailable('The registrar is unavailable');
      throw new Error('secret words of the inside');
    },
  }),
];

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    database,
    routes: (context) => [...probes(), ...accountAndKeys(context)],
    context: { logger: pino({ level: 'silent' }) },
  });
  token = await api.jwt();
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const accountAndKeys = (context: TestApi['context']) => [
  ...accountRoutes(context),
  ...apiKeyRoutes(context),
];

const post = (body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', '/probe', { token, body, headers });

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a body', () => {
  const bytes = (...codes: number[]) =>
    Buffer.from([...Buffer.from('{"text":"'), ...codes, 34, 125]);
  it.each<[string, string | Buffer, string]>([
    ['malformed JSON', '{"text":', 'not valid JSON'],
    ['two values', '{} {}', 'not valid JSON'],
    ['single quotes', "{'text':1}", 'not valid JSON'],
    ['NaN', '{"text":NaN}', 'not valid JSON'],
    ['a BOM and nothing', '\ufeff', 'not valid JSON'],
    ['a lone continuation byte', bytes(0x80), 'not valid UTF-8'],
    ['an overlong slash', bytes(0xc0, 0xaf), 'not valid UTF-8'],
    ['a surrogate in UTF-8', bytes(0xed, 0xa0, 0x80), 'not valid UTF-8'],
    ['UTF-16', Buffer.from('{"text":"x"}', 'utf16le'), 'not valid'],
    ['an escaped NUL', '{"text":"a\\u0000b"}', 'characters that are not allowed'],
    ['an escaped NUL in a name', '{"a\\u0000b":1}', 'characters that are not allowed'],
    ['a lone surrogate', '{"text":"\\ud800"}', 'characters that are not allowed'],
    ['65 levels', `{"any":${nested(65)}}`, 'nested too deeply'],
    ['100,000 levels', nested(100_000), 'nested too deeply'],
    ['an array', '[]', 'body must be an object'],
    ['null', 'null', 'body must be an object'],
    ['a text', '"x"', 'body must be an object'],
    ['a number', '1e999', 'body must be an object'],
    ['a number for a text', '{"text":1}', 'text must be a string'],
    ['null for a text', '{"text":null}', 'text must be a string'],
  ])('of %s is 400', async (_name, body, words) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, requestId: expect.any(String) });
    expect(answer.body.error).toContain(words);
  });

  it('over 1 MB is 400, one of 1 MB is read', async () => {
    const fits = JSON.stringify({ text: 'x'.repeat(1_048_576 - 11) });
    expect(Buffer.byteLength(fits)).toBe(1_048_576);
    expect((await post(fits)).status).toBe(200);
    const answer = await post(`${fits} `);
    expect([answer.status, answer.body.error]).toEqual([400, 'The body is larger than 1 MB']);
  });

  it('that unpacks to more than 1 MB is 400', async () => {
    const bomb = gzipSync(JSON.stringify({ text: 'x'.repeat(5_000_000) }));
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(400);
    const fair = gzipSync(JSON.stringify({ text: 'fair' }));
    expect((await post(fair, { 'content-encoding': 'gzip' })).body.data.text).toBe('fair');
    expect((await post('not gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post('{}', { 'content-encoding': 'zstd' })).status).toBe(400);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ])('with content type %j is 400', async (type) => {
    const { status, body } = await post('{"text":"x"}', { 'content-type': type });
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error).toContain('Content-Type');
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  ])('with content type %s is read', async (type) => {
    expect((await post('{"text":"é"}', { 'content-type': type })).body.data.text).toBe('é');
  });

  it('that is missing counts as empty', async () => {
    const { status } = await api.call('POST', '/probe', { token });
    expect(status).toBe(200);
  });

  it('keeps unknown fields and prototype tricks out', async () => {
    for (const trick of [
      '{"__proto__":{"admin":true}}',
      '{"constructor":{"prototype":{"admin":true}},"admin":true}',
      '{"any":{"__proto__":{"admin":true},"x":1}}',
      '{"any":{"x":{"__proto__":{"admin":true}}}}',
    ]) {
      const { status, body } = await post(trick);
      expect([trick, status, body.data.admin]).toEqual([trick, 200, false]);
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('a path', () => {
  it.each([
    ['/probe/abc', 400],
    ['/probe/1.5', 400],
    ['/probe/-1', 400],
    ['/probe/1e3', 400],
    ['/probe/0x10', 400],
    ['/probe/%31', 200],
    ['/probe/١', 400],
    ['/probe/9007199254740993', 200],
    ['/probe/99999999999999999999999', 200],
    ['/probe/%00', 400],
    ['/probe/%', 400],
    ['/probe/%zz', 400],
    ['/probe/%c0%af', 400],
    ['/probe/1%2f2', 400],
    ['/probe/7', 200],
    ['/api/keys/%00', 400],
    ['/api/keys/%ED%A0%80', 400],
    ['/api/keys/..%2f..%2fetc', 404],
    [`/api/keys/${'x'.repeat(8_000)}`, 404],
    ['/nowhere', 404],
    ['/v1', 404],
    ['/', 404],
    ['//', 404],
    ['/PROBE', 404],
    ['/v1/account/extra', 404],
    ['/docs/../src/api.ts', 404],
    ['/docs/%2e%2e/package.json', 404],
    ['/docs/nothing.js', 404],
  ])('%s is %i', async (path, expected) => {
    const { status, body } = await api.call('GET', path, { token });
    const code = { 200: undefined, 400: 'INVALID_INPUT', 404: 'NOT_FOUND' }[expected];
    // API_KEY_NOT_FOUND is a NOT_FOUND, too.
    const found = (body.code as string | undefined)?.replace(/^API_KEY_/, '');
    expect([status, found, body.success]).toEqual([expected, code, expected === 200]);
  });

  it.each(['/probe/%', '/probe/%zz', '/api/keys/%ED%A0%80'])(
    '%s without a token is 401',
    async (path) => {
      const { status, body } = await api.call('GET', path);
      expect([status, body.success]).toEqual([401, false]);
    },
  );

  it.each(['DELETE', 'PUT', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'that exists is 404 for the method %s',
    async (method) => {
      const answer = await raw(`${method} /v1/account HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toContain('"code":"NOT_FOUND"');
    },
  );

  it('answers HEAD like GET, without a body', async () => {
    const { status, headers, body } = await api.call('HEAD', '/v1/account', { token });
    expect([status, body]).toEqual([200, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
    expect((await api.call('HEAD', '/nowhere')).status).toBe(404);
  });
});

describe('a query', () => {
  it.each([
    ['page=1&page=2', 400],
    ['page=%', 400],
    ['page=%00', 400],
    ['page=%ff', 400],
    ['page=1&__proto__=x&constructor=y', 200],
    ['page[]=1', 200],
    ['page=99999999999999999999', 400],
    ['page=999999999999999', 200],
    ['&&&', 200],
    ['page', 400],
    ['=', 200],
    ['limit=100000000000000', 200],
  ])('?%s is %i', async (query, expected) => {
    const { status, body } = await api.call('GET', `/api/keys?${query}`, { token });
    expect([status, body.success]).toEqual([expected, expected === 200]);
  });
});

describe('a request that is no HTTP', () => {
  it.each([
    ['a bad start line', 'NONSENSE\r\n\r\n'],
    ['headers of 40 kB', `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
    [
      'two lengths',
      'POST /probe HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    ['a bad length', 'POST /probe HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['no host and a body', 'POST /probe HTTP/1.1\r\nContent-Length: 3\r\n\r\n{}\n'],
  ])('with %s is 400 in the envelope', async (_name, text) => {
    const answer = await raw(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      success: false,
      error: expect.any(String),
      code: 'INVALID_INPUT',
      requestId: expect.any(String),
    });
  });

  it('of HTTP/1.0 needs no host', async () => {
    expect(await raw('GET /v1/account HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('X-Request-Id', () => {
  it('is taken over when it is sane, and else made', async () => {
    const idOf = async (given: string) =>
      (await api.call('GET', '/nowhere', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idOf('trace-1:a.b_c')).toBe('trace-1:a.b_c');
    for (const odd of ['a b', 'x'.repeat(129), '{"a":1}', 'é'])
      expect(await idOf(odd)).not.toBe(odd);
  });
});

describe('a failure of ours', () => {
  it('is 500 without a word about the inside', async () => {
    const { status, body } = await api.call('POST', '/probe/fail/inside', { token });
    expect(status).toBe(500);
    expect(body).toEqual({
      success: false,
      error: 'Internal server error',
      code: 'INTERNAL',
      requestId: expect.any(String),
    });
  });

  it('is 502 when a backing service is down', async () => {
    const { status, body } = await api.call('POST', '/probe/fail/upstream', { token });
    expect([status, body.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
  });
});

/** Sends bytes as they are and returns what comes back: an answer whose length is told, or until the server hangs up. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      answer += String(part);
      const [head = '', body] = answer.split('\r\n\r\n');
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (length !== undefined && Buffer.byteLength(body ?? '') >= Number(length)) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
