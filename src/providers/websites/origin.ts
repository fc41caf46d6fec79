/** A connection to one origin, only to an address that was checked. */
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
  reach?: 'benchmark' | undefined;
  ca?: string | undefined;
}

export interface Origin {
  client: Client;
  /** The address that is dialled first: its owner carries the load. */
  address: string;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Larger headers are not those of a page. */
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Resolves the host once, checks every address, and opens a client that dials only those, however often
 * it connects: a name that changes its answer cannot redirect it. `url` MUST have passed
 * `forbiddenUrl`.
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
    // Sites with IPv6 only are rare, and neither proxies nor most machines dial it.
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
    ca: network.ca,
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

/** `openConnection` with a callback, as the HTTP client expects. */
const openFor = callbackify(openConnection);

/** The `Trouble` for an error of an exchange with this origin. */
export const troubleOf = (url: URL, error: unknown): Trouble =>
  connectionTrouble(bareHost(url), error);
