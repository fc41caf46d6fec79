/** Who gets in: every way to forge a JWT that we know, and every kind of bad credential. */
import {
  createHmac,
  generateKeyPairSync,
  randomBytes,
  sign as signBytes,
  type KeyObject,
} from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_ROUTES } from '../support/api/public-routes.ts';
import { pathsOf } from '../../src/http/route.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { signTestJwt, startTestApi, testJwtSecret, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const now = () => Math.floor(Date.now() / 1_000);
const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const good = () => ({ userId: 'u', email: 'u@x.test', name: 'U', iat: now(), exp: now() + 600 });
const hmac = (bits: number, secret: string | Buffer, text: string) =>
  createHmac(`sha${bits}`, secret).update(text).digest('base64url');

/** A token with any header and claims, signed as told. */
function token(header: object, claims: unknown, sign: (text: string) => string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign(text)}`;
}

const hs256 = { alg: 'HS256', typ: 'JWT' };
const ours = (text: string) => hmac(256, testJwtSecret, text);

/** Claims that a token must not have, each signed with the right secret. */
const badClaims: unknown[] = [
  { ...good(), exp: now() - 61 },
  { ...good(), exp: 0 },
  { ...good(), exp: -1 },
  { ...good(), exp: '9999999999' },
  { ...good(), exp: null },
  { ...good(), exp: undefined },
  { ...good(), userId: undefined },
  { ...good(), userId: '' },
  { ...good(), userId: 7 },
  { ...good(), userId: null },
  { ...good(), userId: ['u'] },
  { ...good(), userId: { $ne: '' } },
  { ...good(), userId: 'x'.repeat(256) },
  { ...good(), userId: 'nul\u0000' },
  { ...good(), email: undefined },
  { ...good(), email: '' },
  { ...good(), email: 1 },
  { ...good(), nbf: now() + 3_600 },
  { ...good(), nbf: 'soon' },
  { ...good(), iat: 'yesterday' },
  [],
  'text',
  7,
  null,
];

const algorithms = ['none', 'None', 'NONE', 'nOnE', '', 'HS384', 'HS512', 'HS1', 'RS256', 'RS512'];
algorithms.push('ES256', 'ES384', 'PS256', 'EdDSA', 'dir', 'A256KW', 'hs256', 'HS256 ');

/** About 300 tokens, none of which the web application made. */
function forgeries(): string[] {
  const found: string[] = [];
  for (const claims of badClaims) found.push(token(hs256, claims, ours));
  const signers: ((text: string) => string)[] = [
    () => '',
    () => encode('signature'),
    (text) => hmac(256, '', text),
    (text) => hmac(256, 'secret', text),
    (text) => hmac(256, testJwtSecret.slice(0, -1), text),
    (text) => hmac(512, testJwtSecret, text),
  ];
  for (const alg of algorithms) {
    for (const sign of signers) found.push(token({ alg, typ: 'JWT' }, good(), sign));
    if (alg !== 'HS256') found.push(token({ alg, typ: 'JWT' }, good(), ours));
  }
  for (const sign of signers) found.push(token(hs256, good(), sign));
  const valid = token(hs256, good(), ours);
  const [header = '', claims = '', signature = ''] = valid.split('.');
  const other = encode({ ...good(), userId: 'admin' });
  found.push(`${header}.${other}.${signature}`, `${header}.${claims}`, `${header}..${signature}`);
  found.push(`.${claims}.${signature}`, `${header}.${claims}.`, `${valid}.x`, `x.${valid}`, '..');
  found.push(`${encode({ ...hs256, crit: ['b64'], b64: false })}.${claims}.${signature}`);
  for (const extra of [{ kid: '../../dev/null' }, { jku: 'http://evil.test/k' }, { jwk: {} }]) {
    const headers = { alg: 'HS256', ...extra };
    found.push(token(headers, good(), (text) => hmac(256, '', text)));
  }
  for (let at = 0; at < 60; at += 1) found.push(flipped(valid, at, header, claims));
  for (let at = 0; at < 40; at += 1) found.push(randomBytes(at + 10).toString('base64url'));
  for (let at = 0; at < 40; at += 1) {
    found.push(token(hs256, good(), (text) => hmac(256, randomBytes(32), text)));
  }
  return found;
}

/** The token with one bit of its signature or claims turned. */
function flipped(valid: string, at: number, header: string, claims: string): string {
  const signature = Buffer.from(valid.split('.')[2]!, 'base64url');
  const body = Buffer.from(claims, 'base64url');
  if (at % 2 === 0) signature[at % signature.length]! ^= 1 << (at % 8);
  else body[at % body.length]! ^= 1;
  return `${header}.${body.toString('base64url')}.${signature.toString('base64url')}`;
}

describe('a JWT', () => {
  it('lets its user in, 60 seconds of skew included', async () => {
    for (const claims of [good(), { ...good(), exp: now() - 50 }, { ...good(), iat: now() + 50 }]) {
      const { status } = await api.call('GET', '/v1/account', {
        token: token(hs256, claims, ours),
      });
      expect(status).toBe(200);
    }
  });

  it('is accepted under each of two secrets while one replaces the other, and under no third', async () => {
    const [next, old, third] = ['a', 'b', 'c'].map(
      (mark) => mark + randomBytes(24).toString('hex'),
    );
    const environment = { JWT_SECRET: `${next}, ${old}` };
    const replacing = await startTestApi({ database, environment });
    try {
      const statuses: number[] = [];
      for (const secret of [next!, old!, third!, `${next}, ${old}`]) {
        const signed = token(hs256, good(), (text) => hmac(256, secret, text));
        const { status } = await replacing.call('GET', '/v1/account', { token: signed });
        statuses.push(status);
      }
      expect(statuses).toEqual([200, 200, 401, 401]);
    } finally {
      await replacing.close();
    }
  });

  it('gets in 0 times of 300 when it is forged', async () => {
    const tokens = forgeries();
    expect(tokens.length).toBeGreaterThanOrEqual(300);
    const through: string[] = [];
    for (const forged of tokens) {
      const { status, body } = await api.call('GET', '/v1/account', { token: forged });
      if (status !== 401 || body.code !== 'UNAUTHORIZED') through.push(`${status} ${forged}`);
    }
    expect(through).toEqual([]);
  });

  it('is refused with another issuer or audience where these are configured', async () => {
    const environment = { JWT_ISSUER: 'web', JWT_AUDIENCE: 'api' };
    const strict = await startTestApi({ database, environment });
    const statusFor = async (claims: object) => {
      const signed = await signTestJwt({ userId: 'u', email: 'u@x.test', ...claims });
      return (await strict.call('GET', '/v1/account', { token: signed })).status;
    };
    expect(await statusFor({ iss: 'web', aud: 'api' })).toBe(200);
    expect(await statusFor({ iss: 'web', aud: 'other' })).toBe(401);
    expect(await statusFor({ iss: 'other', aud: 'api' })).toBe(401);
    expect(await statusFor({})).toBe(401);
    await strict.close();
  });
});

describe('a JWT by public key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

  it('lets RS256 in and refuses the public key as an HMAC secret', async () => {
    const asymmetric = await startTestApi({
      database,
      environment: { JWT_SECRET: '', JWT_PUBLIC_KEY: pem },
    });
    const statusFor = async (made: string) =>
      (await asymmetric.call('GET', '/v1/account', { token: made })).status;
    const rs256 = token({ alg: 'RS256' }, good(), (text) =>
      signBytes('sha256', Buffer.from(text), rsa.privateKey).toString('base64url'),
    );
    expect(await statusFor(rs256)).toBe(200);
    for (const secret of [pem, pem.trim(), rsa.publicKey.export({ type: 'spki', format: 'der' })]) {
      expect(await statusFor(token(hs256, good(), (text) => hmac(256, secret, text)))).toBe(401);
    }
    const claimsEs = token({ alg: 'ES256' }, good(), () => encode('x'.repeat(64)));
    expect(await statusFor(claimsEs)).toBe(401);
    await asymmetric.close();
  });
});

describe('a JWT by JWKS', () => {
  it.each([
    ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EdDSA', () => generateKeyPairSync('ed25519')],
  ])('lets %s in, refuses another key, and is 502 when the URL is down', async (alg, generate) => {
    const pair = generate();
    const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), alg, kid: 'k1' }] };
    const site = await serve(JSON.stringify(jwks));
    const environment = { JWT_SECRET: '', JWT_JWKS_URL: site.url };
    const sign = (key: KeyObject) =>
      new SignJWT({ userId: 'u', email: 'u@x.test' })
        .setProtectedHeader({ alg, kid: 'k1' })
        .setExpirationTime('5m')
        .sign(key);
    const by = await startTestApi({ database, environment });
    const statusFor = async (made: string) =>
      (await by.call('GET', '/v1/account', { token: made })).status;
    expect(await statusFor(await sign(pair.privateKey))).toBe(200);
    expect(await statusFor(await sign(generate().privateKey))).toBe(401);
    await by.close();
    site.server.close();
    const cut = await startTestApi({ database, environment });
    const options = { token: await sign(pair.privateKey) };
    const { status, body } = await cut.call('GET', '/v1/account', options);
    await cut.close();
    expect([status, body.code]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
  });
});

async function serve(text: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close');
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`, server };
}

describe('a bad credential', () => {
  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    `svc_${'a'.repeat(64)}`,
    `Bearer svc_${'a'.repeat(64)}`,
    `Bearer svc_${'A'.repeat(64)}`,
    `Bearer svc_${'a'.repeat(63)}`,
    `Bearer svc_${'a'.repeat(65)}`,
    `Bearer svc_${'a'.repeat(64)} extra`,
    `Bearer ${'x'.repeat(9_000)}`,
    'Bearer null',
  ])('%s is 401 in the envelope', async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, body } = await api.call('GET', '/v1/account', { headers });
    expect(status).toBe(401);
    expect(body).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
  });
});

describe('the list of public routes', () => {
  it('names exactly the routes that answer without a token', async () => {
    const open: string[] = ['GET /docs'];
    for (const route of createRoutes(api.context)) {
      for (const path of pathsOf(route.path)) {
        const method = route.method.toUpperCase();
        const { status } = await api.call(method, path.replaceAll(/:\w+/g, '1'));
        // A twin is as public as the path it repeats.
        if (status !== 401) open.push(`${method} ${route.path}`);
      }
    }
    expect([...new Set(open)].toSorted()).toEqual(PUBLIC_ROUTES.toSorted());
    expect((await api.call('GET', '/docs')).status).toBe(200);
  });
});
