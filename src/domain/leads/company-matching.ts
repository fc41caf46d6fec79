/** Which existing company a new one matches: a list owns its companies. Spec: Leads, rule 2; choice 53. */
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

/** Companies by their keys; the oldest first, new ones last. */
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
 * In the list, then among companies without a list; those of other lists are not considered. Without a list:
 * among those in none, then among all. In each by domain, then by name unless something contradicts: two
 * domains, or two places on the map in different towns. Of several matches the oldest.
 */
export function matchCompany(
  index: CompanyIndex,
  company: RecognisedCompany,
  leadListId: number | null,
): PlannedCompany | undefined {
  if (leadListId === null) {
    return matchAmong(index, company, isFree) ?? matchAmong(index, company, () => true);
  }
  const isInList = (known: PlannedCompany) => known.leadListId === leadListId;
  const inList = matchAmong(index, company, isInList);
  if (inList) return inList;
  const free = matchAmong(index, company, isFree);
  // The older one would match a company of the list that already has its name or website.
  const known = free && [
    ...(index.byName.get(free.nameKey) ?? []),
    ...(index.byDomain.get(free.domainKey ?? '') ?? []),
  ];
  return known?.some(isInList) ? undefined : free;
}

/** The keys of a company. */
export type RecognisedCompany = Pick<KeyedCompany, 'nameKey' | 'domainKey'> & {
  given: Pick<KeyedCompany['given'], 'placeId' | 'city' | 'address'>;
};

const isFree = (known: PlannedCompany): boolean => known.leadListId === null;

function matchAmong(
  index: CompanyIndex,
  company: RecognisedCompany,
  isAmong: (known: PlannedCompany) => boolean,
): PlannedCompany | undefined {
  const byDomain = index.byDomain.get(company.domainKey ?? '');
  const sameDomain = byDomain?.find((known) => isAmong(known) && !isNeighbour(known, company));
  if (sameDomain) return sameDomain;
  const byName = index.byName.get(company.nameKey);
  return byName?.find((known) => isAmong(known) && !contradicts(known, company));
}

/** Fills in the empty fields of a company that was found. */
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
  take('website', given.website);
  if (company.domainKey !== null && !differ(known.domain, company.domainKey)) {
    take('domain', company.domainKey);
    // Keys of a younger company of the list stay with it: otherwise the older one would match its records
    // from now on, also when the same records come again. In a list without it the older one gets them.
    const others = index.byDomain.get(company.domainKey) ?? [];
    if (others.every((other) => other.leadListId !== known.leadListId)) {
      const isItsOwn = fill(known, 'domainKey', company.domainKey);
      if (isItsOwn) addToIndex(index.byDomain, company.domainKey, known);
    }
  }
  take('phone', given.phone);
  take('category', given.category);
  // Halves of two addresses would make a wrong address.
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

/** Two places on the map with different names only share a website. */
const isNeighbour = (known: PlannedCompany, { given, nameKey }: RecognisedCompany): boolean =>
  differ(known.placeId, given.placeId) && known.nameKey !== nameKey;

function contradicts(known: PlannedCompany, { given, domainKey }: RecognisedCompany): boolean {
  if (known.domain !== null && domainKey !== null) return known.domain !== domainKey;
  const twoPlaces = differ(known.placeId, given.placeId);
  return twoPlaces && (differ(known.city, given.city) || differ(known.address, given.address));
}

/** Both are known and differ. */
const differ = (one: string | null | undefined, other: string | null | undefined): boolean =>
  !!one && !!other && one !== other && foldCase(one) !== foldCase(other);
