/** Private keys of accounts and of certificates: EC P-256, which every authority takes. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

const generate = promisify(generateKeyPair);

/** A new private key (EC P-256, PKCS#8 PEM), for an account or for a certificate. */
export async function newPrivateKey(): Promise<string> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key of an account, ready to sign. */
export interface AccountKey {
  privateKey: KeyObject;
  /** The public half (RFC 7517), which the authority knows the account by. */
  jwk: JWK;
  /** RFC 7638; the second half of every key authorization (RFC 8555, 8.1). */
  thumbprint: string;
}

export async function openAccountKey(pem: string): Promise<AccountKey> {
  const privateKey = createPrivateKey(pem);
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}
