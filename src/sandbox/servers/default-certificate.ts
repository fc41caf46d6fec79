/** The self-signed certificate that a fresh Debian host has before it gets a real one. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { DAY_MS } from '../../domain/day.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEAR_MS = 365 * DAY_MS;

let made: Promise<{ key: string; certificate: string }> | undefined;

/** One for all hosts of the process: nobody is meant to trust it. */
export const defaultCertificate = (): Promise<{ key: string; certificate: string }> =>
  (made ??= makeCertificate());

async function makeCertificate(): Promise<{ key: string; certificate: string }> {
  x509.cryptoProvider.set(webcrypto);
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=debian',
    notBefore: new Date(Date.now() - YEAR_MS),
    notAfter: new Date(Date.now() + 10 * YEAR_MS),
    signingAlgorithm: ALGORITHM,
    keys,
  });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
    certificate: certificate.toString('pem'),
  };
}
