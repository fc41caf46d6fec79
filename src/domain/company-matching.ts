/** Which company of the account a new one is. Spec: Leads, rule 2; choice 53. */
import { foldCase } from './company-keys.ts';
import type { KeyedCompany } from './lead-groups.ts';
import {
  addProvenance,
  addToIndex,
  fill,
  noteOrigin,
  type Origin,
  type PlannedCompany,
} from './lead-rows.ts';

/** Companies by what they are recognised by; the oldest first, new ones last. */
export interface CompanyIndex {
  byId: Map<number, PlannedCompany>;
  byName: Map<string, PlannedCompany[]>;
  byDomain: Map<string, PlannedCompany[]>;
}

export function indexCompanies(companies: readonly PlannedCompany[]): CompanyIndex {
  const index: CompanyIndex = { byId: new Map(), byName: new Map(), byDomain: new Map() };
  for (const company of companies) addCompany(index, company);
  return index;
}

export function addCompany(index: CompanyIndex, company: PlannedCompany): void {
  if (company.id !== null) index.byId.set(company.id, company);
  addToIndex(index.byName, company.nameKey, company);
  if (company.domainKey !== null) addToIndex(index.byDomain, company.domainKey, company);
}

/**
 * By domain, then by name unless something contradicts: two domains, or two places on the map in
 * different towns. Of several the one in the list, then the oldest.
 */
export function matchCompany(
  index: CompanyIndex,
  company: KeyedCompany,
  leadListId: number | null,
): PlannedCompany | undefined {
  const sameDomain = index.byDomain
    .get(company.domainKey ?? '')
    ?.filter((known) => !isNeighbour(known, company));
  if (sameDomain && sameDomain.length > 0) return preferred(sameDomain, leadListId);
  const sameName = index.byName.get(company.nameKey);
  if (!sameName) return undefined;
  return preferred(
    sameName.filter((known) => !contradicts(known, company)),
    leadListId,
  );
}

/** Fills in what is missing of a company that was found. */
export function fillCompany(
  index: CompanyIndex,
  known: PlannedCompany,
  {
    company,
    leadListId,
    origin,
  }: { company: KeyedCompany; leadListId: number | null; origin: Origin },
): void {
  const { given } = company;
  const take = <Key extends keyof PlannedCompany>(
    key: Key,
    value: PlannedCompany[Key] | undefined,
  ) => {
    if (fill(known, key, value)) noteOrigin(known, key, origin);
  };
  fill(known, 'leadListId', leadListId);
  const hadDomain = known.domain !== null;
  take('website', given.website);
  if (!hadDomain && company.domainKey !== null) {
    take('domain', company.domainKey);
    // What a younger neighbour is recognised by stays his: the older one would be taken for him from now on,
    // also where the same records come again.
    if (!index.byDomain.has(company.domainKey)) {
      fill(known, 'domainKey', company.domainKey);
      addToIndex(index.byDomain, company.domainKey, known);
    }
  }
  take('phone', given.phone);
  take('category', given.category);
  // Half of one address and half of another would be the address of nobody.
  if (!differ(known.city, given.city) && !differ(known.countryCode, given.countryCode)) {
    for (const key of ['address', 'city', 'state', 'countryCode'] as const) take(key, given[key]);
  }
  if (known.placeId === null || known.placeId === given.placeId) {
    for (const key of ['placeId', 'mapsUrl'] as const) take(key, given[key]);
    for (const key of ['rating', 'reviewsCount'] as const) take(key, given[key]);
  }
  addProvenance(known, company.provenance?.import && { import: company.provenance.import });
}

export const plannedCompany = (
  { given, nameKey, domainKey, provenance }: KeyedCompany,
  {
    leadListId,
    source,
    index,
  }: { leadListId: number | null; source: string | null; index: number },
): PlannedCompany => ({
  id: null,
  index,
  fills: null,
  leadListId,
  name: given.name,
  nameKey,
  domain: domainKey,
  domainKey,
  website: given.website ?? null,
  phone: given.phone ?? null,
  address: given.address ?? null,
  city: given.city ?? null,
  state: given.state ?? null,
  countryCode: given.countryCode ?? null,
  category: given.category ?? null,
  rating: given.rating ?? null,
  reviewsCount: given.reviewsCount ?? null,
  mapsUrl: given.mapsUrl ?? null,
  placeId: given.placeId ?? null,
  source,
  provenance: provenance ?? {},
});

const preferred = (companies: readonly PlannedCompany[], leadListId: number | null) =>
  (leadListId === null
    ? undefined
    : companies.find((company) => company.leadListId === leadListId)) ?? companies[0];

/** Two places on the map with two names share no more than a website. */
const isNeighbour = (known: PlannedCompany, { given, nameKey }: KeyedCompany): boolean =>
  differ(known.placeId, given.placeId) && known.nameKey !== nameKey;

function contradicts(known: PlannedCompany, { given, domainKey }: KeyedCompany): boolean {
  if (known.domain !== null && domainKey !== null) return known.domain !== domainKey;
  const twoPlaces = differ(known.placeId, given.placeId);
  return twoPlaces && (differ(known.city, given.city) || differ(known.address, given.address));
}

/** Both are known and not the same. */
const differ = (one: string | null | undefined, other: string | null | undefined): boolean =>
  !!one && !!other && one !== other && foldCase(one) !== foldCase(other);
