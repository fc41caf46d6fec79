/**
 * Seals streams of any length: AES-256-GCM in chunks. Each chunk's nonce is its number and whether it is the last one,
 * so that a stream that was cut, or whose parts were moved, does not open (the construction STREAM, Rogaway and others, 2015).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { ByteStream, StreamCipher } from '../domain/cipher.ts';
import { parseKeyRing } from './cipher.ts';

/** Layout: magic (4) | length of the key's id (1) | key's id | salt (32) | chunks of text and tag (16). */
const MAGIC = Buffer.from('OSS1');
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;

/** `keys` as of `createByteCipher`: the first seals, all open. */
export function createStreamCipher(keys: string): StreamCipher {
  const ring = parseKeyRing(keys);
  const [current] = ring;
  if (!current) throw new Error('ENCRYPTION_KEYS: at least one key is needed');
  return {
    async *seal(plain, boundTo) {
      const [id, key] = current;
      const salt = randomBytes(SALT_BYTES);
      yield Buffer.concat([MAGIC, Buffer.from([id.length]), Buffer.from(id), salt]);
      const once = keyOf(key, salt, boundTo);
      let number = 0;
      for await (const { bytes, isLast } of pieces(plain, CHUNK_BYTES)) {
        const cipher = createCipheriv('aes-256-gcm', once, nonce(number, isLast));
        yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
        number += 1;
      }
    },
    async *open(sealed, boundTo) {
      const { key, salt, rest } = await readHead(sealed, ring);
      const once = keyOf(key, salt, boundTo);
      let number = 0;
      for await (const { bytes, isLast } of pieces(rest, CHUNK_BYTES + TAG_BYTES)) {
        yield opened(bytes, once, nonce(number, isLast));
        number += 1;
      }
    },
  };
}

/** A key of its own for each stream: no nonce is used twice with one. */
const keyOf = (key: Buffer, salt: Buffer, boundTo: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `outreach stream: ${boundTo}`, 32));

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeBigUInt64BE(BigInt(number));
  bytes[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return bytes;
}

function opened(chunk: Buffer, key: Buffer, iv: Buffer): Buffer {
  const textBytes = chunk.length - TAG_BYTES;
  if (textBytes < 0) throw damaged();
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(chunk.subarray(textBytes));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, textBytes)), decipher.final()]);
  } catch {
    throw damaged();
  }
}

const damaged = () =>
  new Error('The sealed stream was cut or changed, or it belongs to something else');

/** The stream in pieces of this size; the last one, which may be empty, is whatever is left. */
async function* pieces(stream: ByteStream, size: number) {
  let held: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    held.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    length += part.byteLength;
    // More than one piece: only then it is known that the first one is not the last.
    if (length <= size) continue;
    let all = Buffer.concat(held);
    for (; all.length > size; all = all.subarray(size)) {
      yield { bytes: all.subarray(0, size), isLast: false };
    }
    held = [all];
    length = all.length;
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}

async function readHead(sealed: ByteStream, ring: ReadonlyMap<string, Buffer>) {
  const parts = sealed[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  const need = async (bytes: number) => {
    while (head.length < bytes) {
      const { value, done } = await parts.next();
      if (done) throw new Error('This is not a sealed stream');
      head = Buffer.concat([head, value]);
    }
  };
  const idAt = MAGIC.length + 1;
  await need(idAt);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('This is not a sealed stream');
  const saltAt = idAt + head[idAt - 1]!;
  await need(saltAt + SALT_BYTES);
  const key = ring.get(head.toString('utf8', idAt, saltAt));
  if (!key) throw new Error('The stream was sealed with a key that is not configured');
  const salt = head.subarray(saltAt, saltAt + SALT_BYTES);
  return { key, salt, rest: following(head.subarray(saltAt + SALT_BYTES), parts) };
}

async function* following(first: Buffer, parts: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (;;) {
      const { value, done } = await parts.next();
      if (done) return;
      yield Buffer.from(value);
    }
  } finally {
    // Whoever stops reading ends the source, too.
    await parts.return?.();
  }
}
