/** The verifier that docs/webhooks.md shows takes what we sign, and none of 10,000 changes. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { signatureOf, standardHeaders } from '../../src/providers/webhook-endpoints/signatures.ts';
import { root } from './documents.ts';

type Verifier = (body: string | Buffer, header: unknown, secret: string, now?: number) => boolean;

type StandardVerifier = (
  body: string | Buffer,
  headers: Record<string, string | undefined>,
  secret: string,
  now?: number,
) => boolean;

let isFromOutreach: Verifier;
let isStandardWebhook: StandardVerifier;
const at = new Date('2026-11-21T09:00:00Z');
const now = at.getTime();
const secret = `whsec_${randomBytes(32).toString('hex')}`;
const older = `whsec_${randomBytes(32).toString('hex')}`;
const body = JSON.stringify({ id: 'evt_1', type: 'email.replied', data: { name: 'Zoë' } });

beforeAll(async () => {
  const text = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  const codes = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);
  const modules = await Promise.all(
    codes.map((code) => {
      const module = `data:text/javascript,${encodeURIComponent(code)}`;
      return import(/* @vite-ignore */ module) as Promise<object>;
    }),
  );
  ({ isFromOutreach, isStandardWebhook } = Object.assign({}, ...modules));
});

describe('the documented check of a signature', () => {
  it('takes our signature, with either secret during a rotation', () => {
    const header = signatureOf([secret, older], body, at);
    expect(isFromOutreach(body, header, secret, now)).toBe(true);
    expect(isFromOutreach(Buffer.from(body), header, older, now + 299_000)).toBe(true);
    expect(isFromOutreach(body, header, secret, now + 301_000)).toBe(false);
    expect(isFromOutreach(body, header, secret, now - 301_000)).toBe(false);
    expect(isFromOutreach(body, signatureOf([older], body, at), secret, now)).toBe(false);
  });

  it('takes none of 10,000 changed bodies, headers and times', () => {
    const header = signatureOf([secret], body, at);
    let tried = 0;
    const taken: string[] = [];
    const reject = (changedBody: string | Buffer, changedHeader: unknown) => {
      tried += 1;
      if (isFromOutreach(changedBody, changedHeader, secret, now))
        taken.push(String(changedHeader));
    };
    const bytes = Buffer.from(body);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      reject(changed, header);
    }
    for (let at = 0; at <= header.length; at++) {
      for (let code = 32; code < 127; code++) {
        const char = String.fromCharCode(code);
        if (header[at] !== char) reject(body, header.slice(0, at) + char + header.slice(at + 1));
      }
      if (at < header.length) reject(body, header.slice(0, at) + header.slice(at + 1));
      if (at > 0) reject(body, header.slice(at));
    }
    for (const none of [undefined, null, '', 't=,v1=', header.toUpperCase(), `${header},`]) {
      reject(body, none);
    }
    for (let n = 0; n < 2_000; n++) {
      reject(body, `t=${Math.floor(now / 1_000)},v1=${randomBytes(32).toString('hex')}`);
    }
    expect(tried).toBeGreaterThan(10_000);
    expect(taken).toEqual([]);
  });
});

describe('the documented check of Standard Webhooks', () => {
  const message = { secrets: [secret], eventId: 'evt_1', body };
  const isTaken = (changed: object, changedBody: string | Buffer = body) =>
    isStandardWebhook(changedBody, { ...standardHeaders(message, at), ...changed }, secret, now);

  it('takes the example that the standard publishes, which our signature is equal to', () => {
    const example = {
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: '{"test": 2432232314}',
    };
    const then = new Date(1_614_265_330_000);
    const headers = standardHeaders(example, then);
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
    const { secrets } = example;
    expect(isStandardWebhook(example.body, headers, secrets[0]!, then.getTime())).toBe(true);
  });

  it('takes our signature, with either secret during a rotation', () => {
    const headers = standardHeaders({ ...message, secrets: [secret, older] }, at);
    expect(isStandardWebhook(body, headers, secret, now + 299_000)).toBe(true);
    expect(isStandardWebhook(Buffer.from(body), headers, older, now)).toBe(true);
    expect(isStandardWebhook(body, headers, secret, now + 301_000)).toBe(false);
    expect(isStandardWebhook(body, headers, secret, now - 301_000)).toBe(false);
    const foreign = standardHeaders({ ...message, secrets: [older] }, at);
    expect(isStandardWebhook(body, foreign, secret, now)).toBe(false);
  });

  it('takes no changed body, id, time or signature', () => {
    expect(isTaken({})).toBe(true);
    const bytes = Buffer.from(body);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(isTaken({}, changed)).toBe(false);
    }
    const signature = standardHeaders(message, at)['webhook-signature'];
    for (let at = 0; at < signature.length; at++) {
      const other = signature[at] === 'x' ? 'y' : 'x';
      const changed = signature.slice(0, at) + other + signature.slice(at + 1);
      expect(isTaken({ 'webhook-signature': changed })).toBe(false);
    }
    for (const odd of [
      { 'webhook-id': 'evt_2' },
      { 'webhook-timestamp': String(now / 1_000 + 1) },
      { 'webhook-timestamp': '' },
      { 'webhook-signature': undefined },
      { 'webhook-id': undefined },
    ]) {
      expect(isTaken(odd)).toBe(false);
    }
  });
});
