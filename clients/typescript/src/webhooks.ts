/** Whether what an endpoint was posted comes from Outreach. Web Crypto compares in constant time. */
import type { PostedEvent } from './api.ts';

export interface ReceivedWebhook {
  /** As it came, before it is parsed. */
  body: string | Uint8Array;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** Of the endpoint, `whsec_` included. */
  secret: string;
  /** How far its time may be from now. Default: 300. */
  toleranceSeconds?: number;
  /** Default: the clock's. */
  now?: Date;
}

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_SECONDS = 300;

/**
 * The event, where one of both signatures is right: that of Standard Webhooks, or `X-Outreach-Signature`. Throws
 * `WebhookVerificationError` otherwise. An event may come twice: remember its `id`.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<PostedEvent> {
  const isSigned = (await isStandard(received)) || (await isOwn(received));
  if (!isSigned)
    throw new WebhookVerificationError('No signature of Outreach, or one of another time');
  const { body } = received;
  return JSON.parse(
    typeof body === 'string' ? body : new TextDecoder().decode(body),
  ) as PostedEvent;
}

/** Standard Webhooks: `v1,<base64>` of `<id>.<time>.<body>`, several by spaces while a secret changes. */
async function isStandard(received: ReceivedWebhook): Promise<boolean> {
  const id = headerOf(received, 'webhook-id');
  const time = headerOf(received, 'webhook-timestamp');
  if (id === '' || !isNow(time, received)) return false;
  const key = fromBase64(received.secret.replace(/^whsec_/, ''));
  if (!key) return false;
  const signatures = headerOf(received, 'webhook-signature')
    .split(' ')
    .map((each) => (each.startsWith('v1,') ? fromBase64(each.slice('v1,'.length)) : undefined));
  return isSignedBy(key, signed(`${id}.${time}.`, received), signatures);
}

/** `t=<time>,v1=<hex>` of `<time>.<body>`, with the text of the secret as key. */
async function isOwn(received: ReceivedWebhook): Promise<boolean> {
  const header = headerOf(received, 'x-outreach-signature');
  const [, time = '', hexes = ''] = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,4})$/.exec(header) ?? [];
  if (!isNow(time, received)) return false;
  const signatures = hexes.split(',v1=').slice(1).map(fromHex);
  const key = new TextEncoder().encode(received.secret);
  return isSignedBy(key, signed(`${time}.`, received), signatures);
}

const MAX_SIGNATURES = 8;

async function isSignedBy(
  secret: Uint8Array,
  message: Uint8Array,
  signatures: readonly (Uint8Array | undefined)[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const usage = ['verify'] as const;
  const key = await crypto.subtle.importKey('raw', plain(secret), algorithm, false, [...usage]);
  const verdicts = signatures
    .filter((each) => each !== undefined)
    .slice(0, MAX_SIGNATURES)
    .map((each) => crypto.subtle.verify('HMAC', key, plain(each), plain(message)));
  return (await Promise.all(verdicts)).includes(true);
}

function isNow(time: string, { now = new Date(), toleranceSeconds }: ReceivedWebhook): boolean {
  if (!/^\d{1,12}$/.test(time)) return false;
  const distance = Math.abs(now.getTime() / 1_000 - Number(time));
  return distance <= (toleranceSeconds ?? TOLERANCE_SECONDS);
}

function headerOf({ headers }: ReceivedWebhook, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function signed(prefix: string, { body }: ReceivedWebhook): Uint8Array {
  const encoder = new TextEncoder();
  const [head, rest] = [
    encoder.encode(prefix),
    typeof body === 'string' ? encoder.encode(body) : body,
  ];
  const whole = new Uint8Array(head.length + rest.length);
  whole.set(head);
  whole.set(rest, head.length);
  return whole;
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Over memory of its own: some readers' bytes are shared, which Web Crypto does not take. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
