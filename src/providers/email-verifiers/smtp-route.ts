/** Where the mail of a domain goes: its exchangers' public addresses, best first. RFC 5321, 5.1. */
import { guardedAddresses, type AddressGuard } from '../address-guard.ts';
import type { AddressResolver } from '../network.ts';

/** What the probe looks up. */
export interface MailResolver extends AddressResolver {
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
}

/** The best few answer for all; the rest are backups. */
const MAX_EXCHANGERS = 4;

/**
 * Host names of the exchangers in the order in which they are tried; the domain itself where it has no
 * MX.
 */
export async function exchangersOf(resolver: MailResolver, domain: string): Promise<string[]> {
  const records = await resolver.resolveMx(domain);
  const hosts = records
    // The order among equal priorities is free; a fixed one lets more domains share their connections.
    .toSorted((a, b) => a.priority - b.priority || (a.exchange < b.exchange ? -1 : 1))
    .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
    .filter((exchange) => exchange !== '');
  return records.length === 0 ? [domain] : hosts.slice(0, MAX_EXCHANGERS);
}

/**
 * The address at which `host` is dialled; undefined when it has none, or one that is not public:
 * a stranger's MX record must not lead us to a machine of our own.
 */
export async function exchangerAddress(
  resolver: MailResolver,
  host: string,
  guard: AddressGuard,
): Promise<string | undefined> {
  const addresses = await guardedAddresses(resolver, host, guard);
  return addresses === 'forbidden' ? undefined : addresses[0];
}
