/** The DKIM key of a domain, whose public half is in DNS. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Context } from '../../src/context.ts';
import { setDkimKey } from '../../src/db/domains/dkim-keys.ts';
import { getDomain, type Domain } from '../../src/db/domains/domains.ts';
import { isManual } from '../../src/domain/domains/domain-management.ts';
import { freeDkimSelector } from '../../src/domain/domains/dns-plan.ts';
import { dkimBinding, registrarOf } from '../engine/access.ts';

const generateRsaPair = promisify(generateKeyPair);

type KeyContext = Pick<Context, 'db' | 'cipher' | 'registrars'>;

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
export async function withDkimKey(context: KeyContext, domainId: number): Promise<Domain> {
  const domain = await getDomain(context.db, domainId);
  if (domain.dkim_private_key) return domain;
  const selector = await nextSelector(context, domain);
  await setDkimKey(context.db, domainId, await makeDkimKey(context, domainId, selector));
  return getDomain(context.db, domainId);
}

/**
 * The selector of the domain's next key: `s1`, then `s2`. One whose record is there already is left out: its key is
 * the owner's, or was lost by a restore (docs/workflow-rules.md#after-a-restore).
 */
export async function nextSelector(
  context: Pick<KeyContext, 'registrars'>,
  domain: Domain,
): Promise<string> {
  const existing = isManual(domain)
    ? []
    : await registrarOf(context, domain.provider).listRecords(domain.name);
  return freeDkimSelector(domain.dkim_selector, existing);
}
