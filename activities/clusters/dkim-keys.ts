/** The DKIM key of a domain, whose public half is in DNS. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from '../../src/context.ts';
import { getDomain, setDkimKey, type Domain } from '../../src/db/domains/domains.ts';
import { dkimBinding } from '../engine/access.ts';

const generateRsaPair = promisify(generateKeyPair);

/** The first selector of a domain; a rotation would use the next one. */
const DKIM_SELECTOR = 's1';

/** The DKIM key is made here, before DNS, and reaches the host over SSH on stdin. */
export async function withDkimKey(
  context: Pick<Context, 'db' | 'cipher'>,
  domainId: number,
): Promise<Domain> {
  const domain = await getDomain(context.db, domainId);
  if (domain.dkim_private_key) return domain;
  // 2048 bit: RFC 8301, 3.2. Generated off the main thread, where it would delay heartbeats.
  const pair = await generateRsaPair('rsa', { modulusLength: 2_048 });
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const der = pair.publicKey.export({ type: 'spki', format: 'der' });
  await setDkimKey(context.db, domainId, {
    selector: DKIM_SELECTOR,
    sealedPrivateKey: context.cipher.seal(pem, dkimBinding(domainId)),
    publicKey: der.toString('base64'),
  });
  return getDomain(context.db, domainId);
}
