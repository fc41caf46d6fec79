/** Requests for certificates (PKCS#10) as authorities check them before they sign. */
import { createPublicKey } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Account } from './records.ts';
import { refuse } from './wire.ts';

const SUBJECT_ALT_NAME = '2.5.29.17';

/** The key that is to be certified for the name. Throws `badCSR`. */
export async function requestedKey(
  csr: string,
  name: string,
  account: Account,
): Promise<x509.PublicKey> {
  const request = await parsed(csr);
  const names = request.getExtension(SUBJECT_ALT_NAME);
  const items = names instanceof x509.SubjectAlternativeNameExtension ? names.names.items : [];
  const common = request.subjectName.getField('CN');
  const asked = new Set([...items.map(({ value }) => value), ...common]);
  if (asked.size !== 1 || !asked.has(name)) {
    throw bad(`CSR does not specify same identifiers as Order`);
  }
  if ((await thumbprintOf(request.publicKey)) === account.thumbprint) {
    throw bad('certificate public key must be different than account key');
  }
  return request.publicKey;
}

async function parsed(csr: string): Promise<x509.Pkcs10CertificateRequest> {
  try {
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'));
    if (await request.verify()) return request;
  } catch {
    throw bad('Error parsing certificate request');
  }
  throw bad('invalid signature on CSR');
}

function thumbprintOf(key: x509.PublicKey): Promise<string> {
  const spki = { key: Buffer.from(key.rawData), format: 'der', type: 'spki' } as const;
  return calculateJwkThumbprint(createPublicKey(spki).export({ format: 'jwk' }) as JWK);
}

const bad = (detail: string) => refuse(400, 'badCSR', detail);
