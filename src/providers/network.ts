/**
 * Dialling mail hosts: names are resolved by the product's own resolver, connections go through
 * `OUTBOUND_PROXY`.
 */
import { connect, isIPv4, type Socket } from 'node:net';
import tls, { type SecureContext } from 'node:tls';
import { SocksClient } from 'socks';
import { ProviderError } from '../domain/errors.ts';

/** The sandbox's hosts are in 198.18.0.0/15 (RFC 2544), which nobody on the Internet has. */
const BENCHMARK_ADDRESS = /^198\.1[89]\./;

/** The part of a resolver that dialling needs. */
export interface AddressResolver {
  resolveA(name: string): Promise<string[]>;
}

export interface DialTarget {
  /** Who is called, for errors. */
  provider: string;
  /** A literal address: a proxy that resolves names would bypass the product's resolver. */
  ipv4: string;
  port: number;
  /** `socks5://[user:password@]host:port`; undefined dials directly. */
  proxy: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Answers the first address of `host`, or `host` itself when it is one. Throws `unavailable`; with the reach
 * `benchmark` also for an address outside of the sandbox.
 */
export async function addressOf(
  provider: string,
  { dns, reach }: { dns: AddressResolver; reach?: 'benchmark' | undefined },
  host: string,
): Promise<string> {
  return firstAddress(provider, { addresses: await addressesOf(dns, host), reach }, host);
}

/** All addresses of `host`, or `host` itself when it is one. */
export const addressesOf = async (dns: AddressResolver, host: string): Promise<string[]> =>
  isIPv4(host) ? [host] : dns.resolveA(host);

/** The same of addresses that were resolved before. */
export function firstAddress(
  provider: string,
  { addresses, reach }: { addresses: readonly string[]; reach?: 'benchmark' | undefined },
  host: string,
): string {
  const [address] = addresses;
  if (address === undefined) {
    const facts = { provider, operatorHint: `${host} has no A record that the resolver can see.` };
    throw new ProviderError('unavailable', `${provider}: ${host} has no address`, facts);
  }
  if (reach === 'benchmark' && !BENCHMARK_ADDRESS.test(address)) {
    const facts = { provider, operatorHint: 'Test mode dials hosts of the sandbox only.' };
    throw new ProviderError('unavailable', `${provider}: ${host} is not in the sandbox`, facts);
  }
  return address;
}

/**
 * Opens a TCP connection. The caller MUST attach its listeners before the next tick of the event loop,
 * or it misses what the server sends first. Throws `unavailable` after `timeoutMs` or on refusal.
 */
export async function dial(target: DialTarget): Promise<Socket> {
  const proxy = target.proxy === undefined ? undefined : new URL(target.proxy);
  const first = proxy ? addressOfProxy(proxy) : { host: target.ipv4, port: target.port };
  const socket = connect(first);
  // An error while no owner listens on the socket must not end the process.
  socket.on('error', () => undefined);
  let isLate = false;
  const stop = () => socket.destroy(new Error(isLate ? 'timed out' : 'cancelled'));
  // A timer, not a signal: thousands of connections are opened at once, and signals are expensive.
  const limit = setTimeout(() => {
    isLate = true;
    stop();
  }, target.timeoutMs);
  target.signal?.addEventListener('abort', stop, { once: true });
  if (target.signal?.aborted) stop();
  try {
    await connected(socket);
    if (proxy) await askProxy(socket, proxy, target);
    socket.setNoDelay(true);
    return socket;
  } catch (error) {
    socket.destroy();
    throw unreachable(target, error);
  } finally {
    clearTimeout(limit);
    target.signal?.removeEventListener('abort', stop);
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve();
    });
    socket.once('error', reject);
  });
}

async function askProxy(socket: Socket, proxy: URL, target: DialTarget): Promise<void> {
  await SocksClient.createConnection({
    command: 'connect',
    existing_socket: socket,
    proxy: {
      type: 5,
      ...addressOfProxy(proxy),
      ...(proxy.username && { userId: decodeURIComponent(proxy.username) }),
      ...(proxy.password && { password: decodeURIComponent(proxy.password) }),
    },
    destination: { host: target.ipv4, port: target.port },
    timeout: target.timeoutMs,
  });
}

const addressOfProxy = (proxy: URL) => ({
  host: proxy.hostname.replace(/^\[|\]$/g, ''),
  port: Number(proxy.port || 1080),
});

/** The proxy's address and password stay out of the message. */
function unreachable(target: DialTarget, error: unknown): ProviderError {
  const where = `${target.ipv4}:${target.port}`;
  const { code, message } = error as { code?: string; message?: string };
  const why = code ?? message ?? 'unknown';
  return new ProviderError('unavailable', `${target.provider}: cannot reach ${where} (${why})`, {
    provider: target.provider,
    providerCode: code ?? 'unreachable',
  });
}

/** Of TLS, by authority. Shared: creating one takes as long as a handshake, and some 20 KB. */
const contexts = new Map<string | undefined, SecureContext>();

/** Trusts `ca` (PEM) alone, or Node's authorities. */
export function contextOf(ca: string | undefined): SecureContext {
  const made = contexts.get(ca) ?? tls.createSecureContext({ ca });
  contexts.set(ca, made);
  return made;
}
