/** The DKIM key of a domain, whose public half is in DNS. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from '../../src/context.ts';
import { setDkimKey } from '../../src/db/domains/dkim-keys.ts';
import { getDomain, type Domain } from '../../src/db/domains/domains.ts';
import { dkimBinding } from '../engine/access.ts';

const generateRsaPair = promisify(generateKeyPair);

/** The first selector of a domain; rotations go on with `s2`. */
const DKIM_SELECTOR = 's1';

export interface NewDkimKey {
  selector: string;
  sealedPrivateKey: Buffer;
  /** Base64 of the SubjectPublicKeyInfo. */
  publicKey: string;
}

/** 2048 bit: RFC 8301, 3.2. Generated off the main thread, where it would delay heartbeats. */
export async function makeDkimKey(
  { cipher }: Pick<Context, 'cipher'>,
  domainId: number,
  selector: string,
): Promise<NewDkimKey> {
  const pair = await generateRsaPair('rsa', { modulusLength: 2_048 });
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const der = pair.publicKey.export({ type: 'spki', format: 'der' });
  const sealedPrivateKey = cipher.seal(pem, dkimBinding(domainId));
  return { selector, sealedPrivateKey, publicKey: der.toString('base64') };
}

/** The DKIM key is made here, before DNS, and reaches the host over SSH on stdin. */
export async function withDkimKey(
  context: Pick<Context, 'db' | 'cipher'>,
  domainId: number,
): Promise<Domain> {
  const domain = await getDomain(context.db, domainId);
  if (domain.dkim_private_key) return domain;
  await setDkimKey(context.db, domainId, await makeDkimKey(context, domainId, DKIM_SELECTOR));
  return getDomain(context.db, domainId);
}
