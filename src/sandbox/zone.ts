/** The DNS of the world: what all stand-ins publish, asked by name and type. */

export type ZoneRecordType = 'A' | 'AAAA' | 'CAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'SRV' | 'TXT';

/** `name` is fully qualified, lower case, without a final dot; a TXT value is one joined string. */
export interface ZoneRecord {
  name: string;
  type: ZoneRecordType;
  value: string;
  priority?: number | undefined;
  ttlSeconds: number;
  /** Epoch ms of the last change; the `lag` fault of `dns` hides younger ones. */
  changedAtMs?: number | undefined;
}

const NS_TTL_SECONDS = 86_400;

/** The delegation of a domain, as the registry publishes it from the purchase on. */
export const delegationOf = (
  domain: string,
  nameServers: readonly string[],
  createdAt: string,
): ZoneRecord[] =>
  nameServers.map((value) => ({
    name: domain,
    type: 'NS',
    value,
    ttlSeconds: NS_TTL_SECONDS,
    changedAtMs: Date.parse(createdAt),
  }));

/** `exists` false is NXDOMAIN; true without records is an empty answer. */
export interface ZoneAnswer {
  exists: boolean;
  records: ZoneRecord[];
}

/** What one stand-in publishes. `hasName` also covers names that exist without records. */
export interface ZoneSource {
  records(name: string): ZoneRecord[];
  hasName(name: string): boolean;
}

export interface Zone {
  addSource(source: ZoneSource): void;
  lookup(name: string, type: ZoneRecordType): ZoneAnswer;
}

/** Follows CNAMEs of the world up to this depth. */
const MAX_CNAMES = 8;

export function createZone(): Zone {
  const sources: ZoneSource[] = [];
  const lookup = (asked: string, type: ZoneRecordType, depth = 0): ZoneAnswer => {
    const name = asked.toLowerCase().replace(/\.$/, '');
    const all = sources.flatMap((source) => source.records(name));
    const records = all.filter((record) => record.type === type);
    const alias = all.find((record) => record.type === 'CNAME');
    if (records.length === 0 && alias !== undefined && depth < MAX_CNAMES) {
      return { exists: true, records: [alias, ...lookup(alias.value, type, depth + 1).records] };
    }
    const exists = all.length > 0 || sources.some((source) => source.hasName(name));
    return { exists, records };
  };
  return { addSource: (source) => void sources.push(source), lookup };
}
