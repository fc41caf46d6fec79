/** What keeps all mailboxes of a server from sending. docs/sending-rules.md#servers-that-may-not-send. */

/**
 * - `port_25_closed`: the vendor drops outgoing port 25 and there is no smarthost: nothing would leave
 * - `rebuilding`: the host is being made anew
 * - `blocklisted`: a blocklist has the server's address, and there is no smarthost: recipients would refuse
 */
export type SendingHold = 'port_25_closed' | 'rebuilding' | 'blocklisted';
export const SENDING_HOLDS = [
  'port_25_closed',
  'rebuilding',
  'blocklisted',
] as const satisfies readonly SendingHold[];

/** The provider code of an order whose address is listed: another one is ordered in its place. */
export const ADDRESS_LISTED = 'address_listed';

/** How many servers of one order are given back for their address before a person is asked. */
export const MAX_LISTED_ADDRESSES = 2;

/** A blocklist that has the server's address. */
export interface Listing {
  /** The list's public name, such as `zen.spamhaus.org`; a key in the zone's name is left out. */
  list: string;
  /** What it answered, `127.0.0.2`: the meaning is documented by each list. */
  codes: string[];
}

/** `zen.spamhaus.org (127.0.0.2)`. */
export const listingsInWords = (listings: readonly Listing[]): string =>
  listings.map(({ list, codes }) => `${list} (${codes.join(', ')})`).join(', ');
