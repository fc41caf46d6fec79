/** Secrets at rest: AES-256-GCM; the sealed form names its key and opens only for its own row. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ByteCipher, Cipher } from '../domain/cipher.ts';

/** Layout: version (1) | length of the key's id (1) | key's id | nonce (12) | tag (16) | text. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Seals texts; otherwise as `createByteCipher`. */
export function createCipher(keys: string): Cipher {
  const bytes = createByteCipher(keys);
  return {
    seal: (plaintext, boundTo) => bytes.seal(Buffer.from(plaintext), boundTo),
    open: (sealed, boundTo) => bytes.open(sealed, boundTo).toString(),
  };
}

/**
 * `keys` is `id:base64(32 bytes)`, comma separated: the first seals, all open.
 * Throws without repeating the value when one is malformed.
 */
export function createByteCipher(keys: string): ByteCipher {
  const ring = parseKeyRing(keys);
  const [current] = ring;
  if (!current) throw new Error('ENCRYPTION_KEYS: at least one key is needed');
  const [currentId, currentKey] = current;
  return {
    keyId: currentId,
    seal(plaintext, boundTo) {
      const head = header(currentId);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce);
      cipher.setAAD(Buffer.concat([head, Buffer.from(boundTo)]));
      const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, boundTo) {
      const idLength = sealed[1] ?? 0;
      const nonceAt = 2 + idLength;
      const textAt = nonceAt + NONCE_BYTES + TAG_BYTES;
      if (sealed[0] !== VERSION || sealed.length < textAt) {
        throw new Error('This is not a sealed secret');
      }
      const id = sealed.toString('utf8', 2, nonceAt);
      const key = ring.get(id);
      if (!key) throw new Error('The secret was sealed with a key that is not configured');
      const nonce = sealed.subarray(nonceAt, nonceAt + NONCE_BYTES);
      const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.concat([header(id), Buffer.from(boundTo)]));
      cipher.setAuthTag(sealed.subarray(nonceAt + NONCE_BYTES, textAt));
      return Buffer.concat([cipher.update(sealed.subarray(textAt)), cipher.final()]);
    },
  };
}

const header = (keyId: string): Buffer => {
  const id = Buffer.from(keyId);
  return Buffer.concat([Buffer.from([VERSION, id.length]), id]);
};

/** The keys by id, in order. Throws without repeating a value. */
export function parseKeyRing(
  keys: string,
  variable = 'ENCRYPTION_KEYS',
): Map<string, Buffer> & Iterable<[string, Buffer]> {
  const ring = new Map<string, Buffer>();
  for (const entry of keys.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const colon = entry.indexOf(':');
    const id = entry.slice(0, Math.max(0, colon));
    const key = Buffer.from(entry.slice(colon + 1), 'base64');
    if (!/^[\w-]{1,64}$/.test(id) || key.length !== KEY_BYTES || ring.has(id)) {
      throw new Error(`${variable}: each entry must be id:base64 of 32 bytes, ids unique`);
    }
    ring.set(id, key);
  }
  return ring;
}
