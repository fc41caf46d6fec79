/** The time zone of a place, from its country and state: a guess that is right for most people there. */
import { Temporal } from 'temporal-polyfill';

/** What is known of where a lead is. */
export interface Whereabouts {
  /** As it was given; files may have anything here. */
  timezone: string | null;
  /** Of the company. */
  countryCode: string | null;
  state: string | null;
}

/** Of countries with several zones whose clocks differ: where nearly all people live. From the tz database. */
const MAIN_ZONES: Readonly<Record<string, string>> = {
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  GL: 'America/Nuuk',
  KZ: 'Asia/Almaty',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  UA: 'Europe/Kiev',
};

/**
 * Codes and names of states, as `stateWord` writes them; where a state has two zones, that of most of its people.
 * From the tz database.
 */
export const STATE_ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    'America/New_York':
      'ct connecticut de delaware dc districtofcolumbia washingtondc fl florida ga georgia ky kentucky me ' +
      'maine md maryland ma massachusetts nh newhampshire nj newjersey ny newyork nc northcarolina oh ohio ' +
      'pa pennsylvania ri rhodeisland sc southcarolina vt vermont va virginia wv westvirginia',
    'America/Detroit': 'mi michigan',
    'America/Indiana/Indianapolis': 'in indiana',
    'America/Chicago':
      'al alabama ar arkansas il illinois ia iowa ks kansas la louisiana mn minnesota ms mississippi mo ' +
      'missouri ne nebraska nd northdakota ok oklahoma sd southdakota tn tennessee tx texas wi wisconsin',
    'America/Denver': 'co colorado mt montana nm newmexico ut utah wy wyoming',
    'America/Boise': 'id idaho',
    'America/Phoenix': 'az arizona',
    'America/Los_Angeles': 'ca california nv nevada or oregon wa washington',
    'America/Anchorage': 'ak alaska',
    'Pacific/Honolulu': 'hi hawaii',
  },
  CA: {
    'America/Toronto': 'on ontario qc quebec',
    'America/Vancouver': 'bc britishcolumbia',
    'America/Edmonton': 'ab alberta nt northwestterritories',
    'America/Winnipeg': 'mb manitoba',
    'America/Regina': 'sk saskatchewan',
    'America/Halifax': 'ns novascotia nb newbrunswick pe princeedwardisland',
    'America/St_Johns': 'nl newfoundland newfoundlandandlabrador newfoundlandlabrador',
    'America/Whitehorse': 'yt yukon',
    'America/Iqaluit': 'nu nunavut',
  },
  MX: {
    'America/Tijuana': 'bc bcn bajacalifornia bajacalifornianorte',
    'America/Hermosillo': 'son sonora',
    'America/Mazatlan': 'bcs bajacaliforniasur sin sinaloa nay nayarit',
    'America/Chihuahua': 'chih chihuahua',
    'America/Cancun': 'qroo roo quintanaroo',
  },
  ES: {
    'Atlantic/Canary': 'canarias canaryislands islascanarias laspalmas santacruzdetenerife',
  },
  PT: {
    'Atlantic/Azores': 'acores azores',
  },
  AU: {
    'Australia/Sydney': 'nsw newsouthwales act australiancapitalterritory',
    'Australia/Melbourne': 'vic victoria',
    'Australia/Brisbane': 'qld queensland',
    'Australia/Adelaide': 'sa southaustralia',
    'Australia/Darwin': 'nt northernterritory',
    'Australia/Perth': 'wa westernaustralia',
    'Australia/Hobart': 'tas tasmania',
  },
  BR: {
    'America/Sao_Paulo':
      'sp saopaulo rj riodejaneiro mg minasgerais es espiritosanto pr parana sc santacatarina rs ' +
      'riograndedosul df distritofederal go goias to tocantins',
    'America/Bahia': 'ba bahia',
    'America/Recife': 'pe pernambuco',
    'America/Fortaleza':
      'ce ceara ma maranhao pi piaui rn riograndedonorte pb paraiba al alagoas se sergipe',
    'America/Belem': 'pa para ap amapa',
    'America/Manaus': 'am amazonas rr roraima',
    'America/Porto_Velho': 'ro rondonia',
    'America/Cuiaba': 'mt matogrosso',
    'America/Campo_Grande': 'ms matogrossodosul',
    'America/Rio_Branco': 'ac acre',
  },
};

/** `'São Paulo'` -> `saopaulo`. */
const stateWord = (state: string): string =>
  state
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');

const BY_STATE: ReadonlyMap<string, string> = new Map(
  Object.entries(STATE_ZONES).flatMap(([country, zones]) =>
    Object.entries(zones).flatMap(([zone, words]) =>
      words.split(' ').map((word) => [`${country} ${word}`, zone] as const),
    ),
  ),
);

/**
 * The IANA zone of most people there, or undefined where nothing is sure: a large country without a known state.
 * `countryCode`: two letters (ISO 3166-1). Where a country has several zones that read the same `at` this moment,
 * any of them will do.
 */
export function zoneOfPlace(
  { countryCode, state }: Omit<Whereabouts, 'timezone'>,
  at: Date,
): string | undefined {
  const country = countryCode?.toUpperCase() ?? '';
  if (!/^[A-Z]{2}$/.test(country)) return undefined;
  const ofState = state === null ? undefined : zoneOfState(country, state);
  if (ofState !== undefined) return ofState;
  const zones = zonesOf(country);
  const now = Temporal.Instant.fromEpochMilliseconds(at.getTime());
  const offsets = new Set(zones.map((zone) => now.toZonedDateTimeISO(zone).offsetNanoseconds));
  return offsets.size === 1 ? zones[0] : MAIN_ZONES[country];
}

/** Also of a state as ISO 3166-2 has it: `US-CA`. */
function zoneOfState(country: string, state: string): string | undefined {
  const isCoded = new RegExp(`^\\s*${country}[-_ ]`, 'i').test(state);
  const word = stateWord(state);
  return (
    BY_STATE.get(`${country} ${word}`) ??
    (isCoded ? BY_STATE.get(`${country} ${word.slice(2)}`) : undefined)
  );
}

/** ECMA-402 has made the property of the first proposal a function; versions of Node have one of them, or both. */
type WithZones = Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] | undefined };

const ZONES = new Map<string, readonly string[]>();

/** Remembered: there are fewer than 700 codes of two letters, and a claim asks for them under locks. */
function zonesOf(country: string): readonly string[] {
  const known = ZONES.get(country);
  if (known) return known;
  const locale: WithZones = new Intl.Locale(`und-${country}`);
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  ZONES.set(country, zones);
  return zones;
}
