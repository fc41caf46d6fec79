/** One certificate authority per state directory: TLS in the world is checked, never switched off. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { DAY_MS } from '../domain/day.ts';

export interface IssuedCertificate {
  /** Leaf, then the authority's own certificate. */
  certificatePem: string;
  privateKeyPem: string;
  /** ISO 8601 UTC. */
  expiresAt: string;
}

export interface CertificateAuthority {
  /** PEM file for `NODE_EXTRA_CA_CERTS`. */
  caFile: string;
  /** A server certificate for names and addresses, valid for 90 days, with a key of its own. */
  issue(names: string[]): Promise<IssuedCertificate>;
  /** The same with one key for all: quicker, for many hosts that hold no secret. */
  issueShared(names: string[]): Promise<IssuedCertificate>;
  /** The same for a key that somebody else has: PEM, leaf first. */
  certify(publicKey: x509.PublicKey, names: string[]): Promise<string>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const LEAF_DAYS = 90;
const AUTHORITY_DAYS = 3_650;
/** Clocks of clients may be a little behind. */
const BACKDATE_MS = 3_600_000;

/** Opens `<stateDir>/ca.pem` and `ca-key.pem`, creating both at the first start. */
export async function openCertificateAuthority(stateDir: string): Promise<CertificateAuthority> {
  x509.cryptoProvider.set(webcrypto);
  const caFile = join(stateDir, 'ca.pem');
  const keyFile = join(stateDir, 'ca-key.pem');
  if (!existsSync(caFile) || !existsSync(keyFile)) await createAuthority(caFile, keyFile);
  const authority = new x509.X509Certificate(readFileSync(caFile, 'utf8'));
  const authorityKey = await importKey(readFileSync(keyFile, 'utf8'));
  const sign = leafIssuer(authority, authorityKey);
  const issue = async ({ publicKey, privateKey }: webcrypto.CryptoKeyPair, names: string[]) => ({
    ...(await sign(publicKey, names)),
    privateKeyPem: await exportKey(privateKey),
  });
  let sharedKeys: Promise<webcrypto.CryptoKeyPair> | undefined;
  return {
    caFile,
    issue: async (names) => issue(await generateKeys(), names),
    issueShared: async (names) => issue(await (sharedKeys ??= generateKeys()), names),
    certify: async (publicKey, names) => (await sign(publicKey, names)).certificatePem,
  };
}

function leafIssuer(authority: x509.X509Certificate, authorityKey: webcrypto.CryptoKey) {
  return async (
    publicKey: webcrypto.CryptoKey | x509.PublicKey,
    names: string[],
  ): Promise<Omit<IssuedCertificate, 'privateKeyPem'>> => {
    const notAfter = new Date(Date.now() + LEAF_DAYS * DAY_MS);
    const leaf = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: `CN=${names[0] ?? 'localhost'}`,
      issuer: authority.subject,
      notBefore: new Date(Date.now() - BACKDATE_MS),
      notAfter,
      signingAlgorithm: ALGORITHM,
      publicKey,
      signingKey: authorityKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((name) => ({ type: isIP(name) ? 'ip' : 'dns', value: name })),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      ],
    });
    return {
      certificatePem: `${leaf.toString('pem')}\n${authority.toString('pem')}\n`,
      expiresAt: notAfter.toISOString(),
    };
  };
}

async function createAuthority(caFile: string, keyFile: string): Promise<void> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Outreach sandbox authority',
    notBefore: new Date(Date.now() - BACKDATE_MS),
    notAfter: new Date(Date.now() + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  // The key first: a missing key means that the authority is created anew.
  writeFileSync(keyFile, await exportKey(keys.privateKey), { mode: 0o600 });
  writeFileSync(caFile, `${certificate.toString('pem')}\n`);
}

const generateKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;

const exportKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');

const importKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, true, [
    'sign',
  ]);

/** 16 random bytes, positive as ASN.1 reads them. */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0]! & 0x7f) | 0x01;
  return Buffer.from(bytes).toString('hex');
}
