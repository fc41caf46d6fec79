/** TLS sessions with mail servers, which are called again and again: one whose server was proven is resumed. */
import { TLSSocket, type ConnectionOptions } from 'node:tls';
import { contextOf } from '../network.ts';
import type { TransportTools } from './port.ts';
import { withoutCertificate } from './session-form.ts';

/** A resumed session has no certificate: its server proves anew who it is after this time. */
const PROVEN_MS = 3_600_000;
/** Of some 2 KB each; beyond that, the one that was used longest ago is forgotten. */
const MOST = 2_000;

interface KeptSession {
  /** Undefined: the server failed where one was resumed. */
  session: Buffer | undefined;
  /** When the certificate was checked that it goes back to, milliseconds. */
  provenAt: number;
}

/** How one connection is secured. */
export interface SecuredCall {
  /** For `tls.connect`, which checks certificates unless told otherwise. */
  options: Pick<ConnectionOptions, 'secureContext' | 'session'>;
  /** Logged in: its session may be resumed. Only one that was checked is kept; anything but TLS is ignored. */
  keep(socket: unknown): void;
  /** It failed: a server that does not take a session that it gave is offered none for `PROVEN_MS`. */
  forget(): void;
}

export interface TlsSessions {
  /** `host` is the name in the certificate. */
  callOf(server: { host: string; port: number }): SecuredCall;
}

/** The tools of one transport, and what it knows of the servers that it has called. */
export interface CallTools extends TransportTools {
  tlsSessions: TlsSessions;
}

/** For one way of checking certificates: sessions are never shared between two of them. */
export function createTlsSessions(
  ca: string | undefined,
  now: () => number = () => performance.now(),
  most = MOST,
): TlsSessions {
  const sessions = new Map<string, KeptSession>();
  const put = (key: string, kept: KeptSession) => {
    sessions.delete(key);
    sessions.set(key, kept);
    const [first] = sessions.keys();
    if (sessions.size > most) sessions.delete(first!);
  };
  const fresh = (key: string): KeptSession | undefined => {
    const kept = sessions.get(key);
    return kept && now() - kept.provenAt < PROVEN_MS ? kept : undefined;
  };
  return {
    callOf({ host, port }) {
      const key = `${host.toLowerCase()}:${port}`;
      const found = fresh(key);
      const offered = found?.session;
      return {
        options: { secureContext: contextOf(ca), ...(offered && { session: offered }) },
        keep(socket) {
          if (!(socket instanceof TLSSocket) || !socket.authorized) return;
          const known = fresh(key);
          if (known && !known.session) return;
          // By now the server has sent its tickets (TLS 1.3): they come before the first thing that it says.
          const session = socket.getSession();
          const provenAt = socket.isSessionReused() ? found?.provenAt : now();
          if (session === undefined || provenAt === undefined) return;
          put(key, { session: withoutCertificate(session), provenAt });
        },
        forget() {
          if (offered) put(key, { session: undefined, provenAt: now() });
        },
      };
    },
  };
}
