/** How a delivery is signed: in a header of ours, and as Standard Webhooks has it. Choice 45. */
import { createHmac } from 'node:crypto';
import type { WebhookMessage } from './port.ts';

type Signed = Pick<WebhookMessage, 'secrets' | 'eventId' | 'body'>;

export const signatureHeaders = (message: Signed, at: Date): Record<string, string> => ({
  'x-outreach-signature': signatureOf(message.secrets, message.body, at),
  ...standardHeaders(message, at),
});

/** `X-Outreach-Signature`: the time in seconds, and an HMAC-SHA-256 of `<time>.<body>` per secret. */
export function signatureOf(secrets: readonly string[], body: string, at: Date): string {
  const time = secondsOf(at);
  const signed = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return `v1=${mac}`;
  });
  return [`t=${time}`, ...signed].join(',');
}

/**
 * Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): an HMAC-SHA-256 of `<id>.<time>.<body>`
 * per secret, whose key is the text after `whsec_`, read as base64.
 */
export function standardHeaders(
  { secrets, eventId, body }: Signed,
  at: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const time = secondsOf(at);
  const signed = secrets.map((secret) => {
    const mac = createHmac('sha256', standardKey(secret)).update(`${eventId}.${time}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(time),
    'webhook-signature': signed.join(' '),
  };
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Our secrets are 64 hex digits after `whsec_`, which are also valid base64 of 48 bytes. */
const standardKey = (secret: string): Buffer =>
  Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
