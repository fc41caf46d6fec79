/** Lets this process trust a further authority, as NODE_EXTRA_CA_CERTS does from outside. */
import { readFileSync } from 'node:fs';
import tls from 'node:tls';

/** Adds the PEM file to every TLS context made from now on that names no authority of its own. */
export function trustAuthority(caFile: string): void {
  const pem = readFileSync(caFile);
  const original = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const secure = original(options);
    // What Node itself calls for NODE_EXTRA_CA_CERTS; it has no public name before Node 22.
    const { context } = secure as unknown as { context: { addCACert(pem: Buffer): void } };
    if (options?.ca === undefined) context.addCACert(pem);
    return secure;
  };
}
