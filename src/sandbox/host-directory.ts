/** Where simulated hosts really listen: (address, port) of the world -> loopback port. */
import { isIP } from 'node:net';
import type { Store } from './store.ts';
import type { Zone, ZoneRecord } from './zone.ts';

/** An address that a program outside the world can connect to. */
export interface LoopbackAddress {
  host: '127.0.0.1';
  port: number;
}

export interface HostDirectory {
  /** The next free address of 198.18.0.0/15; journalled, never reused. */
  allocateAddress(): string;
  /** Told of each address that is handed out. */
  onAllocate(listener: (ip: string) => void): void;
  register(ip: string, port: number, loopbackPort: number): void;
  /** One port of it, or all. */
  unregister(ip: string, port?: number): void;
  /** `host` is a name of the sandbox's zone or an address; undefined = no host listens there. */
  dial(host: string, port: number): LoopbackAddress | undefined;
  /** A vendor's firewalls: false = what comes for this port is dropped. */
  addFilter(letsThrough: (ip: string, port: number) => boolean): void;
  /** Whether a firewall drops what comes for it. */
  isDropped(host: string, port: number): boolean;
  /** Whether a host of the world is up at this address. */
  has(ip: string): boolean;
  /** The addresses of a name in the sandbox's zone; an address is its own. */
  resolve(host: string): string[];
}

export function createHostDirectory(store: Store, zone: Zone): HostDirectory {
  const listeners = new Map<string, Map<number, number>>();
  const allocationListeners: ((ip: string) => void)[] = [];
  const resolve = (host: string): string[] =>
    isIP(host) ? [host] : addresses(zone.lookup(host, 'A').records);
  const filters: ((ip: string, port: number) => boolean)[] = [];
  const isOpen = (ip: string, port: number) => filters.every((lets) => lets(ip, port));
  return {
    resolve,
    allocateAddress() {
      const ip = nthAddress(store.nextId('addresses'));
      for (const listener of allocationListeners) listener(ip);
      return ip;
    },
    onAllocate: (listener) => void allocationListeners.push(listener),
    addFilter: (letsThrough) => void filters.push(letsThrough),
    isDropped: (host, port) => resolve(host).some((ip) => !isOpen(ip, port)),
    register(ip, port, loopbackPort) {
      const ports = listeners.get(ip) ?? new Map<number, number>();
      listeners.set(ip, ports.set(port, loopbackPort));
    },
    has: (ip) => listeners.has(ip),
    unregister: (ip, port) =>
      void (port === undefined ? listeners.delete(ip) : listeners.get(ip)?.delete(port)),
    dial(host, port) {
      for (const ip of resolve(host)) {
        const loopbackPort = listeners.get(ip)?.get(port);
        if (loopbackPort !== undefined && isOpen(ip, port))
          return { host: '127.0.0.1', port: loopbackPort };
      }
      return undefined;
    },
  };
}

/** 1 -> 198.18.0.1; skips .0 and .255. The range 198.18.0.0/15 is kept for benchmarks (RFC 2544). */
function nthAddress(n: number): string {
  const block = Math.floor((n - 1) / 254);
  if (block >= 512) throw new Error('the range 198.18.0.0/15 is used up');
  return `198.${18 + Math.floor(block / 256)}.${block % 256}.${((n - 1) % 254) + 1}`;
}

/** Whether an address belongs to the simulated world. */
export const isWorldAddress = (host: string): boolean => /^198\.1[89]\.\d+\.\d+$/.test(host);

/** An answer may begin with the CNAMEs that led to the addresses. */
const addresses = (records: ZoneRecord[]): string[] =>
  records.filter((record) => record.type === 'A').map((record) => record.value);
