/** Which addresses may use a key: IPv4, IPv6 and CIDR, including IPv4-mapped IPv6. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Cache of parsed lists. */
const REMEMBERED_LISTS = 1_000;
const parsed = new Map<string, BlockList>();

/** Why an entry of `ipWhitelist` is refused, or undefined when it is fine. */
export function whitelistProblem(entry: string): string | undefined {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) {
    return `must hold IP addresses or CIDR ranges: ${JSON.stringify(entry.slice(0, 60))} is neither`;
  }
  if (prefix === undefined) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
    return `must hold prefixes of 0 to ${bits}: ${JSON.stringify(entry.slice(0, 60))} is outside`;
  }
  return undefined;
}

/** True when the list is empty or holds the address of the caller. */
export function mayUse(whitelist: readonly string[], caller: string | undefined): boolean {
  if (whitelist.length === 0) return true;
  const address = plain(caller ?? '');
  if (isIP(address) === 0) return false;
  return listOf(whitelist).check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Whether each entry lets in only addresses that one entry of `own` does; an empty list is every address. */
export function liesWithin(entries: readonly string[], own: readonly string[]): boolean {
  if (own.length === 0) return true;
  if (entries.length === 0) return false;
  const ranges = own.map((entry) => ({ ...rangeOf(entry), list: listOf([entry]) }));
  return entries
    .map(rangeOf)
    .every(({ address, family, bits }) =>
      ranges.some(
        (each) => each.family === family && each.bits <= bits && each.list.check(address, family),
      ),
    );
}

function listOf(whitelist: readonly string[]): BlockList {
  const name = whitelist.join(',');
  const known = parsed.get(name);
  if (known) return known;
  const list = new BlockList();
  for (const { address, bits, family } of whitelist.map(rangeOf)) {
    list.addSubnet(address, bits, family);
  }
  if (parsed.size >= REMEMBERED_LISTS) parsed.clear();
  parsed.set(name, list);
  return list;
}

/** A single address is a range of all its bits. */
function rangeOf(entry: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } {
  const [address = '', prefix] = entry.split('/');
  const isV4 = isIPv4(plain(address));
  const family = isV4 ? 'ipv4' : 'ipv6';
  if (prefix === undefined) return { address: plain(address), bits: isV4 ? 32 : 128, family };
  const bits = Number(prefix);
  if (plain(address) === address) return { address, bits, family };
  // A mapped range (::ffff:10.0.0.0/104) is the IPv4 range behind it.
  return bits >= 96
    ? { address: plain(address), bits: bits - 96, family }
    : { address, bits, family: 'ipv6' };
}

/** `::ffff:10.0.0.1` -> `10.0.0.1`; a zone (`fe80::1%eth0`) is dropped. */
const plain = (address: string): string => {
  const [withoutZone = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1];
  return mapped ?? withoutZone;
};
