/** The verifier that docs/webhooks.md shows takes what we sign, and none of 10,000 changes. Goal R4. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/providers/webhook-endpoints/index.ts';
import { root } from './documents.ts';

type Verifier = (body: string | Buffer, header: unknown, secret: string, now?: number) => boolean;

let isFromOutreach: Verifier;
const at = new Date('2026-11-21T09:00:00Z');
const now = at.getTime();
const secret = `whsec_${randomBytes(32).toString('hex')}`;
const older = `whsec_${randomBytes(32).toString('hex')}`;
const body = JSON.stringify({ id: 'evt_1', type: 'email.replied', data: { name: 'Zoë' } });

beforeAll(async () => {
  const text = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  const [, code] = /```js\n([\s\S]*?)```/.exec(text)!;
  const module = `data:text/javascript,${encodeURIComponent(code!)}`;
  ({ isFromOutreach } = (await import(/* @vite-ignore */ module)) as {
    isFromOutreach: Verifier;
  });
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
