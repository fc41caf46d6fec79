/** The people that a place adds to a lead list, or why it adds none. Spec: Maps scraper; choice 60. */
import { domainKey } from '../leads/company-keys.ts';
import { chooseContacts } from '../discovery/contact-choice.ts';
import type { FoundEmail } from '../discovery/contacts.ts';
import { emailKey, personNameKey, phoneKey, profileKey } from '../leads/lead-keys.ts';
import type { FieldSource, NewCompany, NewPerson, Provenance } from '../leads/leads.ts';
import {
  scoresOf,
  type ContactCheck,
  type ImportOptions,
  type PlaceContacts,
  type SkipReason,
} from './maps.ts';
import { splitFullName } from '../leads/person-name.ts';

/** A place with what its website yielded, and how it was found. */
export interface ImportablePlace {
  placeId: string;
  title: string;
  category: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  countryCode: string | null;
  website: string | null;
  phone: string | null;
  rating: number | null;
  reviewsCount: number | null;
  mapsUrl: string | null;
  searchString: string | null;
  contacts: PlaceContacts | null;
  /** ISO 8601 UTC: when the place was saved, and when its site was read. */
  savedAt: string;
  readAt: string | null;
}

/** Where the place comes from, for the leads' provenance. */
export interface ImportOrigin {
  runId: number;
  locationQuery: string;
}

/** The maximum number of addresses considered per place: a site with more is a directory. */
const MAX_ADDRESSES = 20;

/** Addresses that may be imported at all, the best first; their scores are not compared. */
export function eligibleEmails(
  { contacts, website }: Pick<ImportablePlace, 'contacts' | 'website'>,
  { includeGenericEmails }: Pick<ImportOptions, 'includeGenericEmails'>,
): FoundEmail[] {
  if (!contacts) return [];
  return chooseContacts(contacts, {
    website: website ?? '',
    includeGeneric: includeGenericEmails,
    validationScores: scoresOf(contacts),
    max: MAX_ADDRESSES,
  });
}

/**
 * The contacts of a place, the best first: people by e-mail; else, where the options allow it, the
 * business by telephone, or by profile when no e-mail is required.
 */
export function contactsToImport(
  place: ImportablePlace,
  options: ImportOptions,
  origin: ImportOrigin,
): { people: NewPerson[] } | { reason: SkipReason } {
  const { contacts } = place;
  const eligible = eligibleEmails(place, options);
  const good = eligible.filter(({ email }) =>
    isGoodEnough(contacts?.checks[email], options.minValidationScore),
  );
  if (good.length > 0) return { people: good.map((found) => byEmail(place, found, origin)) };
  const phone = phoneOf(place);
  if (options.includePhoneOnly && phone) return { people: [byPhone(place, phone, origin)] };
  const profile = contacts?.profiles[0];
  if (!options.requireEmail && profile) {
    const source = { source: 'website', url: profile.page, at: place.readAt ?? place.savedAt };
    const provenance = provenanceOf(place, origin, { socialProfileUrl: source });
    return { people: [{ ...NAMELESS, socialProfileUrl: profile.url, provenance }] };
  }
  if (eligible.length > 0) return { reason: 'score_too_low' };
  if ((contacts?.emails.length ?? 0) > 0) return { reason: 'only_generic_emails' };
  return { reason: phone || profile ? 'no_email' : 'no_contact' };
}

/** Choice 60: with a minimum of 0 nothing is validated, and every address is good enough. */
const isGoodEnough = (check: ContactCheck | undefined, minimum: number): boolean =>
  minimum === 0 || (check !== undefined && check.score >= minimum);

/** The company as the place shows it. */
export const companyOf = (place: ImportablePlace): NewCompany => ({
  name: place.title,
  website: place.website,
  phone: place.phone,
  address: place.address,
  city: place.city,
  state: place.state,
  countryCode: place.countryCode,
  category: place.category,
  rating: place.rating,
  reviewsCount: place.reviewsCount,
  mapsUrl: place.mapsUrl,
  placeId: place.placeId,
});

/** The key shared by places of one company: the domain. Without one, each place is its own company. */
export const companyKeyOf = ({ website, placeId }: ImportablePlace): string =>
  domainKey(website) ?? `place:${placeId}`;

/** The key of a person; equal for the same person at another place. */
export const identityOf = (person: NewPerson, countryCode: string | null): string =>
  emailKey(person.email) ??
  profileKey(person.socialProfileUrl) ??
  phoneKey(person.phone, countryCode) ??
  (personNameKey(person.firstName, person.lastName) || (person.socialProfileUrl ?? ''));

/**
 * Spec: Maps scraper (`maxLeadsPerCompany`). Takes people while the company has room; those it has
 * already need none. `taken` holds their identities and grows.
 */
export function withinCap(
  people: readonly NewPerson[],
  countryCode: string | null,
  company: { taken: Set<string>; max: number },
): NewPerson[] {
  return people.filter((person) => {
    const identity = identityOf(person, countryCode);
    if (company.taken.has(identity)) return true;
    if (company.taken.size >= company.max) return false;
    company.taken.add(identity);
    return true;
  });
}

function byEmail(place: ImportablePlace, found: FoundEmail, origin: ImportOrigin): NewPerson {
  const check = place.contacts?.checks[found.email];
  const name = found.kind === 'personal' ? nameOf(found) : undefined;
  // No phone: the place's number is its company's, and one of many where it has branches.
  const source = { source: 'website', url: found.page, at: place.readAt ?? place.savedAt };
  return {
    ...(name ?? NAMELESS),
    email: found.email,
    ...(check && {
      validation: {
        score: check.score,
        status: check.status,
        reason: check.reason,
        at: check.checkedAt,
      },
    }),
    provenance: provenanceOf(place, origin, { personEmail: source }),
  };
}

function byPhone(
  place: ImportablePlace,
  phone: { number: string; page: string | null },
  origin: ImportOrigin,
): NewPerson {
  const at = phone.page === null ? place.savedAt : (place.readAt ?? place.savedAt);
  const source = phone.page === null ? 'maps' : 'website';
  const url = phone.page ?? place.mapsUrl ?? undefined;
  const provenance = provenanceOf(place, origin, { personPhone: { source, url, at } });
  return { ...NAMELESS, phone: phone.number, provenance };
}

/** A business's name is not a first name: templates fall back where no person is known. */
const NAMELESS = { firstName: '', lastName: '' };

/** The name beside the address, else the one that it plainly spells: `anna.schmidt@`. */
function nameOf({ email, name }: FoundEmail): { firstName: string; lastName: string } | undefined {
  if (name !== undefined && name.trim() !== '') return splitFullName(name);
  const [, first, last] = /^(\p{L}{2,20})[._](\p{L}{2,30})@/u.exec(email) ?? [];
  if (first === undefined || last === undefined) return undefined;
  return { firstName: capital(first), lastName: capital(last) };
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** The map's number, else one of the website's that is no fax. */
function phoneOf(place: ImportablePlace): { number: string; page: string | null } | undefined {
  if (place.phone) return { number: place.phone, page: null };
  const found = place.contacts?.phones.find(({ isFax }) => !isFax);
  return found && { number: found.phone, page: found.page };
}

/**
 * Spec: Provenance. Run, map URL, search string, location query and the page of the contact are kept.
 */
function provenanceOf(
  place: ImportablePlace,
  { runId, locationQuery }: ImportOrigin,
  fields: Record<string, FieldSource>,
): Provenance {
  const [contact] = Object.values(fields);
  return {
    fields,
    import: {
      runId,
      ...(place.mapsUrl !== null && { mapsUrl: place.mapsUrl }),
      ...(place.searchString !== null && { searchString: place.searchString }),
      ...(locationQuery !== '' && { locationQuery }),
      ...(contact?.source === 'website' &&
        contact.url !== undefined && { contactSource: contact.url }),
    },
  };
}
