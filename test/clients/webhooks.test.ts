/** The client takes what we sign, in both ways, and nothing that was changed. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src/index.ts';
import { signatureOf, standardHeaders } from '../../src/providers/webhook-endpoints/signatures.ts';

const at = new Date('2026-11-21T09:00:00Z');
const secret = `whsec_${randomBytes(32).toString('hex')}`;
const older = `whsec_${randomBytes(32).toString('hex')}`;
const body = JSON.stringify({ id: 'evt_1', type: 'email.replied', data: { name: 'Zoë' } });

const own = (secrets = [secret]) => ({ 'X-Outreach-Signature': signatureOf(secrets, body, at) });
const standard = (secrets = [secret]): Record<string, string> => ({
  ...standardHeaders({ secrets, eventId: 'evt_1', body }, at),
});

type Received = Partial<Parameters<typeof verifyWebhook>[0]>;

const verify = (received: Received) =>
  verifyWebhook({ body, headers: standard(), secret, now: at, ...received });
const isRefused = (received: Received) =>
  verify(received).then(
    () => false,
    (error: unknown) => error instanceof WebhookVerificationError,
  );

describe.each([
  ['Standard Webhooks', standard],
  ['X-Outreach-Signature', own],
])('the signature of %s', (_name, headersOf) => {
  it('is taken, and gives the event', async () => {
    const event = await verify({ headers: headersOf() });
    expect(event).toMatchObject({ id: 'evt_1', type: 'email.replied' });
    expect(await verify({ headers: new Headers(headersOf()) })).toEqual(event);
    expect(await verify({ headers: headersOf(), body: Buffer.from(body) })).toEqual(event);
  });

  it('is taken by either secret while one replaces the other', async () => {
    const headers = headersOf([secret, older]);
    expect(await isRefused({ headers })).toBe(false);
    expect(await isRefused({ headers, secret: older })).toBe(false);
    expect(await isRefused({ headers: headersOf([older]) })).toBe(true);
  });

  it('is taken within its time alone', async () => {
    const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
    expect(await isRefused({ headers: headersOf(), now: later(299) })).toBe(false);
    expect(await isRefused({ headers: headersOf(), now: later(301) })).toBe(true);
    expect(await isRefused({ headers: headersOf(), now: later(-301) })).toBe(true);
    const patient = { headers: headersOf(), now: later(500), toleranceSeconds: 600 };
    expect(await isRefused(patient)).toBe(false);
  });

  it('is refused with any bit of the body changed', async () => {
    const bytes = Buffer.from(body);
    const refused = await Promise.all(
      Array.from({ length: bytes.length * 8 }, (_, bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        return isRefused({ headers: headersOf(), body: changed });
      }),
    );
    expect(refused.every(Boolean)).toBe(true);
  });

  it('is refused with any character of a header changed', async () => {
    const headers = headersOf() as Record<string, string>;
    const changes = Object.entries(headers).flatMap(([name, value]) =>
      Array.from(value, (char, index) => ({
        ...headers,
        [name]: value.slice(0, index) + (char === '0' ? '1' : '0') + value.slice(index + 1),
      })),
    );
    // The last character of base64 has bits that say nothing.
    const refused = await Promise.all(changes.map((changed) => isRefused({ headers: changed })));
    expect(refused.filter((each) => !each).length).toBeLessThan(2);
  });
});

describe('what has no signature', () => {
  it.each([{}, { 'x-outreach-signature': 't=,v1=' }, { 'webhook-id': 'evt_1' }])(
    'is refused: %j',
    async (headers) => {
      expect(await isRefused({ headers })).toBe(true);
    },
  );
});
