/** A connection to one origin, dialled at an address that was checked and at no other. */
import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client } from 'undici';
import { guardedAddresses } from '../address-guard.ts';
import { openConnection, type Connection } from '../http-connection.ts';
import type { AddressResolver } from '../network.ts';
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
    // Sites that have IPv6 alone are a rarity, and neither proxies nor most machines dial it.
    const reason = `${host} has no IPv4 address in the DNS; sites that have only IPv6 are not visited.`;
    return { ...unreachable(reason), cause: 'no-address' };
  }
  const closing = new AbortController();
  const connection: Connection = {
    provider: 'website',
    url,
    host,
    addresses,
    proxy: network.outboundProxy,
    timeoutMs: CONNECT_TIMEOUT_MS,
    signal: closing.signal,
  };
  const client = new Client(url.origin, {
    connect: (_options, callback) => openFor(connection, callback as OpenCallback),
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

type OpenCallback = (error: Error | null, socket: Socket) => void;

/** `openConnection`, in the manner of the HTTP client. */
const openFor = callbackify(openConnection);

/** What an error of an exchange with this origin means. */
export const troubleOf = (url: URL, error: unknown): Trouble =>
  connectionTrouble(bareHost(url), error);
