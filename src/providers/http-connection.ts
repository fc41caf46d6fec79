/** Connections to web servers that strangers named: only to addresses that were checked. */
import tls from 'node:tls';
import { isIP, type Socket } from 'node:net';
import { contextOf, dial, type DialTarget } from './network.ts';

export interface Connection {
  /** Who is called, for errors. */
  provider: string;
  url: URL;
  /** The URL's host without brackets, as its certificate names it. */
  host: string;
  /** From `guardedAddresses` for this host. */
  addresses: readonly string[];
  proxy: string | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  /** PEM: the only authority that is trusted; Node's own where it is left out. */
  ca?: string | undefined;
}

/** How many addresses of a name are tried. */
const TRIED_ADDRESSES = 2;

/** Dials the addresses in turn; with TLS where the URL says so. Throws `unavailable`. */
export async function openConnection(connection: Connection): Promise<Socket> {
  const { provider, url, host, addresses, proxy, timeoutMs, signal, ca } = connection;
  const isTls = url.protocol === 'https:';
  const port = Number(url.port || (isTls ? 443 : 80));
  const socket = await dialFirst(addresses.slice(0, TRIED_ADDRESSES), (ipv4) => ({
    provider,
    ipv4,
    port,
    proxy,
    timeoutMs,
    signal,
  }));
  return isTls ? secured(socket, { host, signal, ca }) : socket;
}

async function dialFirst(
  addresses: readonly string[],
  targetOf: (address: string) => DialTarget,
): Promise<Socket> {
  const [address, ...others] = addresses;
  const target = targetOf(address!);
  return dial(target).catch((error: unknown) => {
    if (others.length === 0 || target.signal?.aborted) throw error;
    return dialFirst(others, targetOf);
  });
}

/** TLS on an open connection; the certificate is checked against Node's authorities, or against `ca`. */
function secured(
  socket: Socket,
  { host, signal, ca }: Pick<Connection, 'host' | 'signal' | 'ca'>,
): Promise<Socket> {
  const secure = tls.connect({
    socket,
    secureContext: contextOf(ca),
    servername: isIP(host) === 0 ? host : '',
    host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  const stop = () => secure.destroy(new Error('cancelled'));
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<Socket>((resolve, reject) => {
    secure.once('secureConnect', () => {
      secure.off('error', reject);
      resolve(secure);
    });
    secure.once('error', reject);
    secure.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  }).finally(() => signal.removeEventListener('abort', stop));
}
