/**
 * What Hetzner sells in this world: server types, locations, images and their prices, as in autumn 2026.
 * What could be ordered until January 2026 (cx22, cx32) is not even listed any more.
 */
import { accountOf } from '../accounts.ts';
import type { Store } from '../store.ts';

/** A location with all that its data centre needs; ids as in the vendor's own lists. */
export const LOCATIONS = [
  location(1, 'fsn1', { city: 'Falkenstein', latitude: 50.47612, longitude: 12.370071 }),
  location(2, 'nbg1', { city: 'Nuremberg', latitude: 49.452102, longitude: 11.076665 }),
  location(3, 'hel1', { city: 'Helsinki', latitude: 60.169855, longitude: 24.938379 }),
  location(4, 'ash', { city: 'Ashburn, VA', latitude: 39.045821, longitude: -77.487073 }),
];

/** How a server type is sold in a location; a location that is not named does not have it. */
interface Sold {
  deprecation: { announced: string; unavailable_after: string } | null;
  available: boolean;
}
const ON_SALE: Sold = { deprecation: null, available: true };
const SOLD_OUT: Sold = { deprecation: null, available: false };
const GONE: Sold = {
  deprecation: { announced: '2025-10-16T06:00:00Z', unavailable_after: '2026-01-01T00:00:00Z' },
  available: false,
};
/** Far enough away for every test. */
const ENDING: Sold = {
  deprecation: { announced: '2026-10-01T06:00:00Z', unavailable_after: '2126-01-01T00:00:00Z' },
  available: true,
};
const EUROPE = ['fsn1', 'nbg1', 'hel1'];
const inEurope = (sold: Sold) => Object.fromEntries(EUROPE.map((name) => [name, sold]));

export const SERVER_TYPES = [
  serverType(22, 'cpx11', {
    cores: 2,
    memory: 2,
    disk: 40,
    eurosMonthly: '4.35',
    sold: {
      ...inEurope(GONE),
      ash: ON_SALE,
    },
  }),
  serverType(23, 'cpx21', {
    cores: 3,
    memory: 4,
    disk: 80,
    eurosMonthly: '7.55',
    sold: {
      ...inEurope(GONE),
      ash: ENDING,
    },
  }),
  serverType(108, 'cpx22', {
    cores: 2,
    memory: 4,
    disk: 80,
    eurosMonthly: '6.49',
    sold: inEurope(ON_SALE),
  }),
  serverType(114, 'cx23', {
    cores: 2,
    memory: 4,
    disk: 40,
    eurosMonthly: '3.49',
    sold: inEurope(ON_SALE),
  }),
  serverType(115, 'cx33', {
    cores: 4,
    memory: 8,
    disk: 80,
    eurosMonthly: '5.49',
    sold: {
      ...inEurope(ON_SALE),
      hel1: SOLD_OUT,
    },
  }),
];

/** As they are sold now: the control API may have changed what is. */
export function serverTypes(store: Store): ServerType[] {
  const { soldOut = [], retired = [] } = accountOf(store, 'hetzner');
  const soldAs = (name: string) =>
    retired.includes(name) ? GONE : soldOut.includes(name) ? SOLD_OUT : {};
  return SERVER_TYPES.map((type) => ({
    ...type,
    locations: type.locations.map((place) => ({ ...place, ...soldAs(type.name) })),
  }));
}

export const IMAGES = [
  image(45557056, 'debian-11', {
    flavor: 'debian',
    version: '11',
    deprecated: '2026-08-15T00:00:00Z',
  }),
  image(114690387, 'debian-12', { flavor: 'debian', version: '12' }),
  image(161547269, 'ubuntu-24.04', { flavor: 'ubuntu', version: '24.04' }),
];

export type ServerType = (typeof SERVER_TYPES)[number];
export type Location = (typeof LOCATIONS)[number];
export type Image = (typeof IMAGES)[number];

/** By id or name, as every request may name a thing. */
export const findByIdOrName = <T extends { id: number; name: string }>(
  all: T[],
  wanted: unknown,
): T | undefined => all.find((each) => each.name === wanted || String(each.id) === String(wanted));

/** The answer of `GET /pricing`. */
export const pricing = () => ({
  currency: 'EUR',
  vat_rate: '19.00',
  image: { price_per_gb_month: price('0.0110') },
  floating_ip: { price_monthly: price('3.0000') },
  floating_ips: [{ type: 'ipv4', prices: everywhere({ price_monthly: price('3.0000') }) }],
  load_balancer_types: [],
  primary_ips: [
    {
      type: 'ipv4',
      prices: everywhere({ price_hourly: price('0.0008'), price_monthly: price('0.5000') }),
    },
  ],
  server_backup: { percentage: '20.00' },
  server_types: SERVER_TYPES.map(({ id, name, prices }) => ({ id, name, prices })),
  volume: { price_per_gb_month: price('0.0440') },
});

function location(
  id: number,
  name: string,
  place: { city: string; latitude: number; longitude: number },
) {
  const country = name === 'ash' ? 'US' : name === 'hel1' ? 'FI' : 'DE';
  const description = `${place.city} DC Park 1`;
  const network_zone = country === 'US' ? 'us-east' : 'eu-central';
  return { id, name, description, country, network_zone, ...place };
}

function serverType(
  id: number,
  name: string,
  size: {
    cores: number;
    memory: number;
    disk: number;
    eurosMonthly: string;
    sold: Record<string, Sold>;
  },
) {
  const { eurosMonthly, sold, ...rest } = size;
  const prices = everywhere({
    included_traffic: 21_990_232_555_520,
    price_hourly: price((Number(eurosMonthly) / 624).toFixed(4)),
    price_monthly: price(`${eurosMonthly}00`),
    price_per_tb_traffic: price('1.0000'),
  });
  return {
    id,
    name,
    description: name.toUpperCase(),
    architecture: 'x86',
    cpu_type: 'shared',
    storage_type: 'local',
    deprecated: false,
    deprecation: null,
    ...rest,
    // `available` and `recommended` came in April 2026, in place of the data centres' lists.
    locations: LOCATIONS.filter((place) => sold[place.name] !== undefined).map((place) => ({
      id: place.id,
      name: place.name,
      recommended: false,
      ...sold[place.name]!,
    })),
    prices,
  };
}

function image(
  id: number,
  name: string,
  { deprecated = null, ...os }: { flavor: string; version: string; deprecated?: string | null },
) {
  return {
    id,
    name,
    type: 'system',
    status: 'available',
    description: `${os.flavor} ${os.version}`,
    os_flavor: os.flavor,
    os_version: os.version,
    architecture: 'x86',
    bound_to: null,
    created: '2023-06-13T06:00:02+00:00',
    created_from: null,
    deleted: null,
    deprecated,
    disk_size: 5,
    image_size: null,
    labels: {},
    protection: { delete: false },
    rapid_deploy: true,
  };
}

function everywhere<T extends object>(prices: T) {
  return LOCATIONS.map((place) => ({ location: place.name, ...prices }));
}

/** Net and gross (19 % VAT) as decimal strings in euros. */
function price(net: string) {
  return { net, gross: (Number(net) * 1.19).toFixed(4) };
}
