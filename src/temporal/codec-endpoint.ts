/** Decodes Temporal's payloads for operators: the payload codec over HTTP, for Temporal's UI and CLI. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { z } from 'zod';
import { createPayloadCodec, type CodecSettings } from './payload-codec.ts';

export interface CodecEndpointSettings extends CodecSettings {
  /** Grants reading of every payload; the endpoint is off without it. */
  CODEC_TOKEN?: string | undefined;
  CODEC_PORT: number;
  /** Origins of Temporal's UI, such as `https://temporal.example.com`. */
  CODEC_CORS_ORIGINS: readonly string[];
  API_HOST: string;
}

/** More than Temporal's own limit of a message. */
const MAX_BODY_BYTES = 16_000_000;
const REQUEST_MS = 10_000;

/** As Temporal's UI and CLI send it: protobuf's JSON form, bytes in base64, empty fields left out. */
const wirePayload = z.looseObject({
  metadata: z.record(z.string(), z.string()).nullish(),
  data: z.string().nullish(),
});
const wireBody = z.object({ payloads: z.array(wirePayload).max(10_000).nullish() });
type WirePayload = z.infer<typeof wirePayload>;

interface Answer {
  status: number;
  body?: object;
}

/**
 * Serves `POST /codec/decode` and `/codec/encode` on a port of its own, beside the public API:
 * `Authorization: Bearer <CODEC_TOKEN>`, or the token as a part of the path (`/codec/<token>/decode`)
 * for the UI, which cannot send one. Payloads of the namespace of test mode are read by its own keys. Undefined
 * when no token is set. Nothing of a request is logged.
 * docs/workflow-rules.md#small-and-encrypted-payloads.
 */
export async function listenCodecEndpoint(
  settings: CodecEndpointSettings,
  testMode?: CodecSettings,
): Promise<Server | undefined> {
  const { CODEC_TOKEN: token } = settings;
  if (token === undefined) return undefined;
  const own = createPayloadCodec(settings);
  const ofTestMode = testMode && createPayloadCodec(testMode);
  // Temporal's UI and CLI say which namespace the payloads are from.
  const codecOf = ({ headers }: IncomingMessage): PayloadCodec =>
    ofTestMode && headers['x-namespace'] === testMode.TEMPORAL_NAMESPACE ? ofTestMode : own;
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    allowOrigin(settings.CODEC_CORS_ORIGINS, request, response);
    answer(request, token, codecOf(request)).then(
      (given) => send(response, given),
      () => send(response, { status: 400, body: { message: 'The request is not readable' } }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.CODEC_PORT, settings.API_HOST, resolve);
  });
  return server;
}

async function answer(
  request: IncomingMessage,
  token: string,
  codec: PayloadCodec,
): Promise<Answer> {
  const path = /^\/codec(?:\/([^/]+))?\/(encode|decode)$/.exec(request.url?.split('?')[0] ?? '');
  if (!path) return { status: 404, body: { message: 'There is no such path' } };
  // A browser's preflight request has no credentials.
  if (request.method === 'OPTIONS') return { status: 204 };
  const given = path[1] ?? /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  // Before the body is read: an unauthorized request costs nothing.
  if (given === undefined || !isSame(given, token)) {
    return { status: 401, body: { message: 'Send the codec token' } };
  }
  if (request.method !== 'POST') return { status: 405, body: { message: 'Use POST' } };
  const text = await bodyOf(request);
  if (text === undefined) return { status: 413, body: { message: 'The body is too large' } };
  const body = wireBody.safeParse(JSON.parse(text));
  if (!body.success) return { status: 400, body: { message: 'Send {"payloads": [...]}' } };
  const work = (payloads: Payload[]) =>
    path[2] === 'encode' ? codec.encode(payloads) : codec.decode(payloads);
  const payloads = body.data.payloads ?? [];
  return {
    status: 200,
    body: { payloads: await Promise.all(payloads.map((one) => through(work, one))) },
  };
}

/** A payload that cannot be decrypted (its key is gone) stays as it is; the others are decoded. */
async function through(
  work: (payloads: Payload[]) => Promise<Payload[]>,
  wire: WirePayload,
): Promise<WirePayload> {
  const payload: Payload = {
    metadata: Object.fromEntries(
      Object.entries(wire.metadata ?? {}).map(([name, value]) => [name, fromBase64(value)]),
    ),
    data: fromBase64(wire.data ?? ''),
  };
  const [done] = await work([payload]).catch(() => [payload]);
  if (done === undefined || done === payload) return wire;
  const metadata = Object.entries(done.metadata ?? {});
  return {
    metadata: Object.fromEntries(metadata.map(([name, value]) => [name, toBase64(value)])),
    data: toBase64(done.data ?? new Uint8Array()),
  };
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64');
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Constant time, however much of the token is right. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** Undefined when it is longer than allowed. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function allowOrigin(
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Namespace');
  response.setHeader('Access-Control-Max-Age', '600');
}

function send(response: ServerResponse, { status, body }: Answer): void {
  // The unread rest of a refused body would be parsed as the next request.
  if (status >= 400) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
