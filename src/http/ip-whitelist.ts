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

function listOf(whitelist: readonly string[]): BlockList {
  const name = whitelist.join(',');
  const known = parsed.get(name);
  if (known) return known;
  const list = new BlockList();
  for (const entry of whitelist) {
    const [address = '', prefix] = entry.split('/');
    // A mapped range (::ffff:10.0.0.0/104) is the IPv4 range behind it.
    const mapped = plain(address) !== address;
    const family = isIPv4(plain(address)) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(plain(address), family);
    else if (mapped && Number(prefix) >= 96) {
      list.addSubnet(plain(address), Number(prefix) - 96, 'ipv4');
    } else list.addSubnet(address, Number(prefix), mapped ? 'ipv6' : family);
  }
  if (parsed.size >= REMEMBERED_LISTS) parsed.clear();
  parsed.set(name, list);
  return list;
}

/** `::ffff:10.0.0.1` -> `10.0.0.1`; a zone (`fe80::1%eth0`) is dropped. */
const plain = (address: string): string => {
  const [withoutZone = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1];
  return mapped ?? withoutZone;
};
