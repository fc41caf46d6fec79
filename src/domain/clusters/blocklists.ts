/** How DNS blocklists are asked about an IPv4 address, and what their answers mean (RFC 5782). */

import { ProviderError } from '../errors.ts';
import type { Listing } from './sending-hold.ts';

/** A list as `DNSBL_ZONES` names it. */
export interface Blocklist {
  /** The zone that is asked; it may contain the operator's key, which is a secret. */
  zone: string;
  /** The name that may be shown. */
  name: string;
}

/**
 * Keys stand before the name of the service: `<key>.zen.dq.spamhaus.net` (Spamhaus, Data Query Service),
 * `<key>.zen.abusix.zone`. Shown is the list without them.
 */
const KEYED: readonly { pattern: RegExp; name: string }[] = [
  { pattern: /^[^.]+\.([a-z]+)\.dq\.spamhaus\.net$/i, name: '$1.spamhaus.org' },
  { pattern: /^[^.]+\.([a-z-]+)\.mail\.abusix\.zone$/i, name: '$1.mail.abusix.zone' },
];

export function blocklistOf(zone: string): Blocklist {
  const keyed = KEYED.find(({ pattern }) => pattern.test(zone));
  return { zone, name: keyed ? zone.replace(keyed.pattern, keyed.name) : zone };
}

/** Each list has this address (RFC 5782, 5): one that does not is switched off, or refuses to answer us. */
export const TEST_LISTED = '127.0.0.2';
/** No list may have this address: one that does lists the whole world, as dead lists have done. */
export const TEST_UNLISTED = '127.0.0.1';

/** `192.0.2.7` at `zen.spamhaus.org`: `7.2.0.192.zen.spamhaus.org` (RFC 5782, 2.1). */
export const queryName = (ipv4: string, zone: string): string =>
  `${ipv4.split('.').toReversed().join('.')}.${zone}`;

/**
 * What a list says by its A records. `unanswered`: it refused to say anything, by 127.255.255.x (Spamhaus: a
 * public resolver, too many queries, a mistyped zone) or by an address outside 127.0.0.0/8 (a resolver, or a
 * domain dealer, that answers for names that do not exist). Both have been mistaken for listings.
 */
export function readAnswer(
  addresses: readonly string[],
): { state: 'listed'; codes: string[] } | { state: 'clean' | 'unanswered' } {
  if (addresses.length === 0) return { state: 'clean' };
  const isCode = (address: string) =>
    address.startsWith('127.') && !address.startsWith('127.255.255.');
  const codes = addresses.filter(isCode).toSorted();
  return codes.length > 0 ? { state: 'listed', codes } : { state: 'unanswered' };
}

/** DNS as `DNS_SERVERS` answer; an absent name is an empty answer. */
interface AddressResolver {
  resolveA(name: string): Promise<string[]>;
}

export interface LookUp {
  /** Lists that have the address. */
  listings: Listing[];
  /** Names of lists that could not be asked: nothing is known of them. */
  unanswered: string[];
}

/** Asks the lists about an address. Throws nothing for a list that does not answer. */
export async function lookUpAddress(
  dns: AddressResolver,
  zones: readonly string[],
  ipv4: string,
): Promise<LookUp> {
  const asked = await Promise.all(
    zones.map(async (zone) => {
      const list = blocklistOf(zone);
      return { list, found: await ask(dns, list, ipv4) };
    }),
  );
  return {
    listings: asked.flatMap(({ list: { name }, found }) =>
      found.state === 'listed' ? [{ list: name, codes: found.codes }] : [],
    ),
    unanswered: asked.flatMap(({ list, found }) =>
      found.state === 'unanswered' ? [list.name] : [],
    ),
  };
}

/** A list that fails its own test entries (RFC 5782, 5) is not believed, whatever it says. */
async function ask(
  dns: AddressResolver,
  { zone }: Blocklist,
  ipv4: string,
): Promise<ReturnType<typeof readAnswer>> {
  const look = async (address: string) =>
    readAnswer(await dns.resolveA(queryName(address, zone)).catch(toNothing));
  const found = await look(ipv4);
  if (found.state === 'unanswered') return found;
  const works =
    found.state === 'clean'
      ? (await look(TEST_LISTED)).state === 'listed'
      : (await look(TEST_UNLISTED)).state === 'clean';
  return works ? found : { state: 'unanswered' };
}

/** An address that is no code of any list, so that no answer reads as no answer. */
const SILENCE = ['0.0.0.0'];

function toNothing(error: unknown): string[] {
  if (error instanceof ProviderError) return SILENCE;
  throw error;
}
