/** Spellings of addresses that must not be dialled: each IPv4 target in some 25 forms, and IPv6. */

/** Private, reserved or cloud service addresses; one of each range and its edges. */
export const innerIpv4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
] as const;

export const innerIpv6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::2',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2002::1',
  '2002:7f00:1::1',
  '2620:4f:8000::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '64:ff9b::1',
  '64:ff9b:1::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff01::1',
  'ff02::1',
  'ff05::1:3',
  'ffff::1',
] as const;

/** Hosts as written in a URL, each once. */
export function forbiddenHosts(): string[] {
  const hosts = [
    ...innerIpv4.flatMap(spellings),
    ...innerIpv6.map((address) => `[${address}]`),
    ...innerIpv6.map((address) => `[${address.toUpperCase()}]`),
    ...['fe80::1%25eth0', 'fe80::1%eth0', 'fe80::1%251', '::1%25lo'].map((zone) => `[${zone}]`),
    ...NAMES,
  ];
  return [...new Set(hosts)];
}

/** Names and address-like texts that lead inside a network, or nowhere. */
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  'localhost.localdomain',
  'loopback.local',
  'printer.local',
  'metadata.google.internal',
  'metadata.internal',
  'router.lan',
  'nas.home',
  'db.corp',
  'wiki.intranet',
  'router.home.arpa',
  '1.0.0.127.in-addr.arpa',
  'intranet',
  'metadata',
  'hidden.onion',
  '127.1',
  '127.0.1',
  '0',
  '0x0',
  '00',
  '256.256.256.256',
  '1.2.3.4.5',
  '127.0.0.1.2',
  '0x7f.1',
  '127.0.0.1..',
  'a..b',
  '..',
];

function spellings(address: string): string[] {
  const octets = address.split('.').map(Number);
  const [a, b, c, d] = octets as [number, number, number, number];
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
  const each = (write: (octet: number) => string) => octets.map(write).join('.');
  const high = hex((a << 8) | b);
  const low = hex((c << 8) | d);
  const inverted = `${hex(((a << 8) | b) ^ 0xffff)}:${hex(((c << 8) | d) ^ 0xffff)}`;
  return [
    address,
    `${address}.`,
    each((octet) => `0${octet.toString(8)}`),
    each((octet) => `000${octet.toString(8).padStart(3, '0')}`),
    each((octet) => `0x${hex(octet)}`),
    each((octet) => `0X${hex(octet, 2).toUpperCase()}`),
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    String(number),
    `0x${hex(number)}`,
    `0x${hex(number, 8).toUpperCase()}`,
    `0${number.toString(8)}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `0x${hex(a)}.0${((b << 16) | (c << 8) | d).toString(8)}`,
    Array.from(address)
      .map((char) => `%${hex(char.charCodeAt(0), 2)}`)
      .join(''),
    Array.from(address)
      .map((char) => (char === '.' ? '.' : String.fromCodePoint(0xff10 + Number(char))))
      .join(''),
    Array.from(address)
      .map((char) => (char === '.' ? '.' : circled(Number(char))))
      .join(''),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '\uff0e'),
    address.replaceAll('.', '%2e'),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[fe80::5efe:${address}]`,
  ];
}

const circled = (digit: number) =>
  digit === 0 ? '\u24ea' : String.fromCodePoint(0x2460 + digit - 1);
