/**
 * Makes this process trust further authorities, as NODE_EXTRA_CA_CERTS does from outside. Also a setup
 * file: test files share a process, and cached contexts have to trust authorities that later files add.
 */
import { readFileSync } from 'node:fs';
import tls, { type SecureContext } from 'node:tls';

/** What Node itself calls for NODE_EXTRA_CA_CERTS; it has no public name before Node 22. */
interface WithAuthorities {
  context: { addCACert(pem: Buffer): void };
}

interface Trust {
  authorities: Buffer[];
  contexts: Set<WeakRef<SecureContext>>;
}

/** The newest only: each world has an authority of its own. */
const KEPT = 40;

/** Setup files are loaded again for each file; the trusted authorities belong to the process. */
const slot = Symbol.for('outreach.tests.trust');
const trust = ((tls as unknown as Record<symbol, Trust | undefined>)[slot] ??= begin());

/** Adds the PEM file to every TLS context without an authority of its own, existing or new. */
export function trustAuthority(caFile: string): void {
  const pem = readFileSync(caFile);
  trust.authorities.unshift(pem);
  trust.authorities.splice(KEPT);
  for (const reference of trust.contexts) {
    const context = reference.deref();
    if (context) add(context, pem);
    else trust.contexts.delete(reference);
  }
}

function begin(): Trust {
  const begun: Trust = { authorities: [], contexts: new Set() };
  const createSecureContext = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const context = createSecureContext(options);
    if (options?.ca !== undefined) return context;
    for (const pem of begun.authorities) add(context, pem);
    begun.contexts.add(new WeakRef(context));
    return context;
  };
  return begun;
}

const add = (context: SecureContext, pem: Buffer): void =>
  (context as unknown as WithAuthorities).context.addCACert(pem);
