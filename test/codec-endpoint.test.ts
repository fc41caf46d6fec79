/** The codec endpoint as Temporal's UI and CLI ask it, and as nobody may. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenCodecEndpoint } from '../src/temporal/codec-endpoint.ts';
import { createPayloadCodec } from '../src/temporal/payload-codec.ts';

const token = randomBytes(24).toString('hex');
const uiOrigin = 'https://temporal.example.com';
const settings = {
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  TEMPORAL_NAMESPACE: 'default',
  CODEC_TOKEN: token,
  CODEC_PORT: 0,
  CODEC_CORS_ORIGINS: [uiOrigin],
  API_HOST: '127.0.0.1',
};

const base64 = (text: string) => Buffer.from(text).toString('base64');
const plain = { metadata: { encoding: base64('json/plain') }, data: base64('"canary"') };

let server: Server;
let url: string;

beforeAll(async () => {
  server = (await listenCodecEndpoint(settings))!;
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ payloads: [plain] }),
    ...init,
  });
const payloadsOf = async (answer: Response) =>
  ((await answer.json()) as { payloads: (typeof plain)[] }).payloads;

describe('the codec endpoint', () => {
  it('encrypts, and decrypts what a worker encrypted; what is plain stays as it is', async () => {
    const [sealed] = await payloadsOf(await ask('/codec/encode'));
    expect(Buffer.from(sealed!.metadata.encoding, 'base64').toString()).toBe('binary/encrypted');
    expect(Buffer.from(sealed!.data, 'base64').toString('latin1')).not.toContain('canary');
    const [ofWorker] = await createPayloadCodec(settings).encode([
      { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"canary"') },
    ]);
    const wire = {
      metadata: { encoding: sealed!.metadata.encoding },
      data: Buffer.from(ofWorker!.data!).toString('base64'),
    };
    const body = JSON.stringify({ payloads: [sealed, wire, plain] });
    expect(await payloadsOf(await ask('/codec/decode', { body }))).toEqual([plain, plain, plain]);
  });

  it('leaves what it has no key for as it is, and shows the rest', async () => {
    const [sealed] = await payloadsOf(await ask('/codec/encode'));
    const strange = { ...sealed!, data: base64('no sealed payload') };
    const body = JSON.stringify({ payloads: [strange, sealed] });
    expect(await payloadsOf(await ask('/codec/decode', { body }))).toEqual([strange, plain]);
  });

  it('answers none with none, as the CLI asks for a query without arguments', async () => {
    expect(await payloadsOf(await ask('/codec/encode', { body: '{}' }))).toEqual([]);
  });

  it('takes the token in the path, for the UI', async () => {
    const answer = await ask(`/codec/${token}/encode`, { headers: {} });
    expect(await payloadsOf(answer)).toHaveLength(1);
  });

  it.each([
    ['none', {}],
    ['another', { authorization: `Bearer ${token}x` }],
    ['a part of it', { authorization: `Bearer ${token.slice(1)}` }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['two', { authorization: `Bearer ${token}, Bearer ${token}` }],
  ])('refuses a request with %s token, before it reads the body', async (_title, headers) => {
    const refused = [
      await ask('/codec/decode', { headers: headers as Record<string, string>, body: '{' }),
      await ask(`/codec/${token}x/decode`, { headers: headers as Record<string, string> }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
  });

  it('answers what is no request of its own with a refusal', async () => {
    const statuses = await Promise.all(
      [
        ask('/codec/decode', { body: 'no json' }),
        ask('/codec/decode', { body: '{"payloads": 1}' }),
        ask('/codec/decode', { body: '{"payloads": [{"data": 1}]}' }),
        ask('/codec/decode', { method: 'GET', body: null }),
        ask('/'),
        ask('/codec/encrypt'),
        ask('/v1/clusters'),
      ].map(async (answer) => (await answer).status),
    );
    expect(statuses).toEqual([400, 400, 400, 405, 404, 404, 404]);
  });

  it("lets pages of the UI's origin ask, and no other's", async () => {
    const preflight = (origin: string) =>
      ask('/codec/decode', { method: 'OPTIONS', headers: { origin }, body: null });
    const [ours, other] = await Promise.all([
      preflight(uiOrigin),
      preflight('https://evil.example'),
    ]);
    expect(ours.status).toBe(204);
    expect(ours.headers.get('access-control-allow-origin')).toBe(uiOrigin);
    expect(ours.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is off without a token', async () => {
    expect(await listenCodecEndpoint({ ...settings, CODEC_TOKEN: undefined })).toBeUndefined();
  });
});
