/** The port of DNS look-ups, asked at `DNS_SERVERS`. An absent name is an empty answer, not an error. */
import type { CaaProperty } from '../../domain/domains/caa-value.ts';

export interface DnsResolver {
  resolveA(name: string): Promise<string[]>;
  /** IPv6. */
  resolveAaaa(name: string): Promise<string[]>;
  /** The name that this one is an alias of, without the trailing dot; RFC 1034 allows one. */
  resolveCname(name: string): Promise<string[]>;
  /** The exchange of a null MX (RFC 7505) is the empty string. */
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
  /** Name servers without the trailing dot. */
  resolveNs(name: string): Promise<string[]>;
  /** The strings of each TXT record, joined. */
  resolveTxt(name: string): Promise<string[]>;
  /** The properties of the name itself: callers walk up. */
  resolveCaa(name: string): Promise<CaaProperty[]>;
  /** Host names without the trailing dot. */
  resolvePtr(ipv4: string): Promise<string[]>;
}
