/** The request for a certificate (PKCS#10, RFC 2986) for one name: DER, for there is nothing variable but name and key. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const SEQUENCE = 0x30;
const SET = 0x31;
/** Attributes of the request; a `dNSName` in a list of names (RFC 5280, 4.2.1.6). */
const ATTRIBUTES = 0xa0;
const DNS_NAME = 0x82;

/** 1.2.840.113549.1.9.14, 2.5.29.17 and 1.2.840.10045.4.3.2. */
const EXTENSION_REQUEST = Buffer.from('2a864886f70d01090e', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('551d11', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');

/**
 * Signed by the key (EC P-256) that the certificate is for. The name is in the list of alternative names alone: common
 * names are out of use, and end at 64 characters.
 */
export function certificateRequest(name: string, privateKeyPem: string): Buffer {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from(name, 'ascii')));
  const extension = der(SEQUENCE, der(OBJECT_ID, SUBJECT_ALT_NAME), der(OCTET_STRING, names));
  const attribute = der(
    SEQUENCE,
    der(OBJECT_ID, EXTENSION_REQUEST),
    der(SET, der(SEQUENCE, extension)),
  );
  const version = der(INTEGER, Buffer.of(0));
  const subject = der(SEQUENCE);
  const info = der(SEQUENCE, version, subject, publicKey, der(ATTRIBUTES, attribute));
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', info, privateKey));
  return der(SEQUENCE, info, algorithm, signature);
}

/** One value: its tag, its length, what is in it (X.690, 8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}
