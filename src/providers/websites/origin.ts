/** A connection to one origin, dialled at an address that was checked and at no other. */
import tls, { type SecureContext } from 'node:tls';
import { isIP, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client } from './http-client-module.ts';
import { guardedAddresses } from '../address-guard.ts';
import { dial, type AddressResolver, type DialTarget } from '../network.ts';
import { connectionTrouble, refused, unreachable, type Trouble } from './outcome.ts';
import { bareHost } from './site-url.ts';

export interface Network {
  dns: AddressResolver;
  outboundProxy: string | undefined;
  allowBenchmarkRange: boolean;
}

export interface Origin {
  client: Client;
  /** The first address that is dialled: who it belongs to carries the load. */
  address: string;
  close(): void;
}

/** How many addresses of a name are tried. */
const TRIED_ADDRESSES = 2;
const CONNECT_TIMEOUT_MS = 5_000;

/** More is no page's header. */
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Looks the host up once, checks every address, and opens a client that dials those alone, however
 * often it connects: a name that changes its answer cannot lead it elsewhere. `url` MUST have
 * passed `forbiddenUrl`.
 */
export async function openOrigin(url: URL, network: Network): Promise<Origin | Trouble> {
  const host = bareHost(url);
  let addresses: readonly string[] | 'forbidden';
  try {
    addresses = await guardedAddresses(network.dns, host, network);
  } catch {
    return unreachable(`The DNS gives no answer about ${host}.`);
  }
  if (addresses === 'forbidden') {
    return refused(`${host} leads to an address that is not public.`);
  }
  const [address] = addresses;
  if (address === undefined) {
    return { ...unreachable(`${host} has no address in the DNS.`), cause: 'no-address' };
  }
  const closing = new AbortController();
  const dialled: Dialled = { url, addresses, network, signal: closing.signal };
  const client = new Client(url.origin, {
    connect: (_options, callback) => openFor(dialled, callback as OpenCallback),
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The whole exchange has one time-out.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const close = () => {
    closing.abort();
    void client.destroy();
  };
  return { client, address, close };
}

interface Dialled {
  url: URL;
  addresses: readonly string[];
  network: Network;
  signal: AbortSignal;
}

type OpenCallback = (error: Error | null, socket: Socket) => void;

/** `open`, in the manner of the HTTP client. */
const openFor = callbackify(open);

async function open({ url, addresses, network, signal }: Dialled): Promise<Socket> {
  const isTls = url.protocol === 'https:';
  const port = Number(url.port || (isTls ? 443 : 80));
  const socket = await dialFirst(addresses.slice(0, TRIED_ADDRESSES), (ipv4) => ({
    provider: 'website',
    ipv4,
    port,
    proxy: network.outboundProxy,
    timeoutMs: CONNECT_TIMEOUT_MS,
    signal,
  }));
  return isTls ? secured(socket, bareHost(url), signal) : socket;
}

/** Tries the addresses in turn. */
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

/** Making one per connection would cost more than the handshake. */
let context: SecureContext | undefined;

/** TLS on an open connection; the certificate is checked against Node's authorities. */
function secured(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  context ??= tls.createSecureContext();
  const secure = tls.connect({
    socket,
    secureContext: context,
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

/** What an error of an exchange with this origin means. */
export const troubleOf = (url: URL, error: unknown): Trouble =>
  connectionTrouble(bareHost(url), error);
