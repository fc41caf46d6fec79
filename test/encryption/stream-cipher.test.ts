/** Sealed streams: what opens, and what does not. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createStreamCipher } from '../../src/encryption/stream-cipher.ts';

const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 16;
const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const key = keyOf('k1');
const cipher = createStreamCipher(key);
const HEAD = 4 + 1 + 'k1'.length + 32;

/** In parts that fit no chunk. */
async function* parts(bytes: Buffer, size = 10_007): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const part of stream) found.push(part);
  return Buffer.concat(found);
}

const seal = (bytes: Buffer, boundTo = 'server:a') => all(cipher.seal(parts(bytes), boundTo));
const open = (bytes: Buffer, boundTo = 'server:a', by = cipher) =>
  all(by.open(parts(bytes, 9_973), boundTo));

describe('a sealed stream', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 17])(
    'gives back what was sealed: %i bytes',
    async (length) => {
      const plain = randomBytes(length);
      const sealed = await seal(plain);
      expect((await open(sealed)).equals(plain)).toBe(true);
      expect(length > 100 && sealed.includes(plain.subarray(0, 100))).toBe(false);
    },
  );

  it('does not open when it was cut, at whichever byte', async () => {
    const sealed = await seal(randomBytes(2 * CHUNK + 100));
    for (const length of [
      0,
      3,
      HEAD - 1,
      HEAD,
      HEAD + 1,
      HEAD + SEALED_CHUNK,
      HEAD + 2 * SEALED_CHUNK,
      sealed.length - 1,
    ]) {
      await expect(open(sealed.subarray(0, length))).rejects.toThrow(/sealed/);
    }
  });

  it('does not open when its chunks were moved, repeated, left out or changed', async () => {
    const sealed = await seal(randomBytes(3 * CHUNK + 5));
    const chunk = (n: number) =>
      sealed.subarray(HEAD + n * SEALED_CHUNK, HEAD + (n + 1) * SEALED_CHUNK);
    const head = sealed.subarray(0, HEAD);
    const changed = Buffer.from(sealed);
    changed[HEAD + 5]! ^= 1;
    for (const wrong of [
      Buffer.concat([head, chunk(1), chunk(0), chunk(2), chunk(3)]),
      Buffer.concat([head, chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)]),
      Buffer.concat([head, chunk(0), chunk(2), chunk(3)]),
      Buffer.concat([sealed, chunk(3)]),
      Buffer.concat([sealed, Buffer.alloc(1)]),
      changed,
    ]) {
      await expect(open(wrong)).rejects.toThrow(/cut or changed/);
    }
  });

  it('does not open for another server, nor with another key', async () => {
    const sealed = await seal(Buffer.from('mail'));
    await expect(open(sealed, 'server:b')).rejects.toThrow(/belongs to something else/);
    const other = createStreamCipher(keyOf('k2'));
    await expect(open(sealed, 'server:a', other)).rejects.toThrow(/key that is not configured/);
    const namesake = createStreamCipher(keyOf('k1'));
    await expect(open(sealed, 'server:a', namesake)).rejects.toThrow(/cut or changed/);
    await expect(open(Buffer.from('a tar of plain mail'))).rejects.toThrow(/not a sealed stream/);
  });

  it('opens after another key has become the first, as long as its own is kept', async () => {
    const sealed = await seal(Buffer.from('mail'));
    const later = createStreamCipher(`${keyOf('k2')},${key}`);
    expect((await open(sealed, 'server:a', later)).toString()).toBe('mail');
  });

  it('ends its source when the reader stops', async () => {
    let hasEnded = false;
    async function* source() {
      try {
        for (;;) yield randomBytes(CHUNK);
      } finally {
        hasEnded = true;
      }
    }
    for await (const part of cipher.open(cipher.seal(source(), 'a'), 'a')) if (part.length) break;
    expect(hasEnded).toBe(true);
  });
});
