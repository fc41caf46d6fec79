/** Hashes of mailbox passwords on a simulated host: nothing else of a password is stored. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cheaper than a real host's hash: fifty hosts share one process (about 5 ms a hash). */
const COST = { N: 2 ** 11, r: 8, p: 1 };
const KEY_BYTES = 32;

/** `scrypt$<salt>$<hash>`, base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return `scrypt$${salt.toString('base64')}$${hash.toString('base64')}`;
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('$');
  const actual = await derive(password, Buffer.from(salt, 'base64'));
  return timingSafeEqual(actual, Buffer.from(hash, 'base64'));
}

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
