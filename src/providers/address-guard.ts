/** Which addresses may be dialled when a stranger named the host: public ones only. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressResolver } from './network.ts';

export interface AddressGuard {
  /** Whether 198.18.0.0/15 counts as public: the development world uses it. Production refuses it. */
  allowBenchmarkRange: boolean;
  /** `benchmark`: nothing else counts as public. The sandbox of test mode is there. */
  reach?: 'benchmark' | undefined;
}

/** Public by their range, but internal: clouds keep services for their own machines there. */
const SERVICE_ADDRESSES = new Set(['168.63.129.16']);

const BENCHMARK_RANGE = ipaddr.IPv4.parseCIDR('198.18.0.0/15');
/** The only IPv6 space allocated to the public (RFC 4291 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether `address`, in its canonical spelling, belongs to the public Internet. Anything that only
 * looks like an address (octal, short, with a zone) does not, and neither do IPv6 forms that carry an
 * IPv4 address (NAT64, 6to4, Teredo), except the mapped one, which is judged by the IPv4 address in it.
 */
export function isPublicAddress(address: string, guard: AddressGuard): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (guard.reach === 'benchmark') return isBenchmark(parsed);
  if (parsed.kind() === 'ipv6') return parsed.match(GLOBAL_UNICAST) && isUnicast(parsed);
  if (isBenchmark(parsed)) return guard.allowBenchmarkRange;
  return isUnicast(parsed) && !SERVICE_ADDRESSES.has(parsed.toString());
}

/** Ranges of machines, private networks and whoever is nearby. */
const INTERNAL_RANGES = new Set(
  'unspecified loopback private linkLocal carrierGradeNat uniqueLocal broadcast multicast'.split(
    ' ',
  ),
);

/** Whether `address` leads to a machine itself, its private network or its cloud's own services. */
export function isInternalAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return true;
  const parsed = ipaddr.process(address);
  return INTERNAL_RANGES.has(parsed.range()) || SERVICE_ADDRESSES.has(parsed.toString());
}

const isBenchmark = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address.kind() === 'ipv4' && address.match(BENCHMARK_RANGE);

const isUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6) => address.range() === 'unicast';

/**
 * The addresses at which `host` (a name or an address) may be dialled, in the resolver's order; none
 * when it has none. `forbidden` when any of them is not public: a name that also leads inside is an
 * attempt to get there. The caller MUST dial these addresses and not resolve the name again. Throws
 * what the resolver throws.
 */
export async function guardedAddresses(
  resolver: AddressResolver,
  host: string,
  guard: AddressGuard,
): Promise<readonly string[] | 'forbidden'> {
  const addresses = isIP(host) === 0 ? await resolver.resolveA(host) : [host];
  const allPublic = addresses.every((address) => isPublicAddress(address, guard));
  return allPublic ? addresses : 'forbidden';
}
