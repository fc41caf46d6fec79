/** TLS sessions as OpenSSL writes them: `SSL_SESSION`, in DER. */

const SEQUENCE = 0x30;
/** `peer [3] EXPLICIT X509`. */
const CERTIFICATE = 0xa3;
/** The whole of the second field, `ssl_version INTEGER`. */
const TLS_1_3 = Buffer.from([0x02, 0x02, 0x03, 0x04]);

/**
 * The same session without its server's certificate, which was checked when the session was made: reading it, with its key,
 * takes 0.1 ms each time. Of TLS 1.3 alone: in older ones Node trusts no session without it.
 * What has another form stays as it is. Choice 205.
 */
export function withoutCertificate(session: Buffer): Buffer {
  const whole = partAt(session, 0);
  if (whole?.tag !== SEQUENCE || whole.end !== session.length) return session;
  const parts: Buffer[] = [];
  for (let at = whole.contentAt; at < whole.end;) {
    const part = partAt(session, at);
    if (!part) return session;
    parts.push(session.subarray(at, part.end));
    at = part.end;
  }
  if (!parts[1]?.equals(TLS_1_3)) return session;
  return sequenceOf(parts.filter(([tag]) => tag !== CERTIFICATE));
}

/** One element of DER: its tag, where its content begins, and its end. Undefined where it is not all there. */
function partAt(der: Buffer, at: number) {
  const [tag, first] = [der[at], der[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
  const contentAt = at + 2 + sizeBytes;
  if (sizeBytes > 4 || contentAt > der.length) return undefined;
  const length = sizeBytes === 0 ? first : der.readUIntBE(at + 2, sizeBytes);
  const end = contentAt + length;
  return end > der.length ? undefined : { tag, contentAt, end };
}

function sequenceOf(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  const isShort = length < 0x80;
  const shortest = size.subarray(isShort ? 3 : size.findIndex((byte) => byte > 0));
  const head = isShort ? [SEQUENCE] : [SEQUENCE, 0x80 | shortest.length];
  return Buffer.concat([Buffer.from(head), shortest, ...parts]);
}
