/** What TLS connections of this process share: creating it takes as long as a handshake, and some 20 KB each. */
import tls, { type SecureContext } from 'node:tls';

/** By authority. */
const contexts = new Map<string | undefined, SecureContext>();

/** Trusts `ca` (PEM) alone, or Node's authorities. */
export function contextOf(ca: string | undefined): SecureContext {
  const made = contexts.get(ca) ?? tls.createSecureContext({ ca });
  contexts.set(ca, made);
  return made;
}
