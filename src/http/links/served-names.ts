/** Which certificate a name of a client is served with, and by which mode: remembered for a while. Choice 131. */
import type { RequestListener } from 'node:http';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from 'pino';

/** A mode of the installation, and what serves its links. Names of both stand in one DNS. */
export interface LinkMode {
  app: RequestListener;
  /** Of a name of a client; PEM. Undefined: it is none of this mode. */
  certificateOf(name: string): Promise<{ certificate: string; privateKey: string } | undefined>;
  /** What the name answers the certificate authority. */
  challengeAnswer(asked: { name: string; token: string }): Promise<string | undefined>;
  /** A token that was made for the name, as the application knows it; undefined for any other. */
  ownToken(token: string, name: string): string | undefined;
  logger: Logger;
}

/** How long a certificate is served before it is read again: a renewed one is used after that. */
const FRESH_MS = 60_000;
/** A name that is nobody's is asked for again soon: it may have got its certificate meanwhile. */
const UNKNOWN_MS = 5_000;
/** Names that are remembered. */
const MOST_NAMES = 5_000;

export interface Served {
  /** Undefined: the name is nobody's. */
  mode: LinkMode | undefined;
  secure: SecureContext | undefined;
}

/** The mode and the certificate of a name, remembered for a while. */
export function createNames(modes: readonly LinkMode[]): (name: string) => Promise<Served> {
  type Kept = Map<string, { served: Promise<Served>; until: number }>;
  // Apart, so that a flood of names that are nobody's pushes out none that is served.
  const [ours, nobodys]: [Kept, Kept] = [new Map(), new Map()];
  const keep = (known: Kept, name: string, served: Promise<Served>, forMs: number) => {
    known.delete(name);
    known.set(name, { served, until: Date.now() + forMs });
    // The oldest goes: names come from whoever connects.
    if (known.size > MOST_NAMES) known.delete(known.keys().next().value!);
  };
  const find = async (name: string): Promise<Served> => {
    for (const mode of modes) {
      const found = await mode.certificateOf(name);
      if (!found) continue;
      const { certificate: cert, privateKey: key } = found;
      return { mode, secure: createSecureContext({ cert, key, minVersion: 'TLSv1.2' }) };
    }
    return NOBODY;
  };
  return async (name) => {
    if (!NAME.test(name)) return NOBODY;
    const earlier = ours.get(name) ?? nobodys.get(name);
    if (earlier && earlier.until > Date.now()) return earlier.served;
    const asked = find(name);
    keep(nobodys, name, asked, UNKNOWN_MS);
    try {
      const served = await asked;
      ours.delete(name);
      if (served.mode) {
        nobodys.delete(name);
        keep(ours, name, asked, FRESH_MS);
      }
      return served;
    } catch (error) {
      nobodys.delete(name);
      modes[0]?.logger.warn({ err: error, name }, 'a certificate could not be read');
      throw error;
    }
  };
}

/** What may be asked of the database: names come from whoever connects. */
const NAME = /^[a-z0-9.-]{4,253}$/;
const NOBODY: Served = { mode: undefined, secure: undefined };
