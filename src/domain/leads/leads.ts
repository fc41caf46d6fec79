/** Words for people and companies: statuses, and where each field came from. */
import type { GivenValue } from './custom-fields.ts';
import type { PlainField } from './lead-fields.ts';

/** Choice 17. */
export const LEAD_STATUSES = [
  'pending',
  'active',
  'contacted',
  'replied',
  'completed',
  'bounced',
  'unsubscribed',
  'suppressed',
] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Where one field came from. */
export interface FieldSource {
  /** `api`, `csv`, `discovery`, `maps`, `website`, `hunter`, `apollo`, ... */
  source: string;
  /** The page, map entry or file row it stands on, where there is one. */
  url?: string | undefined;
  /** ISO 8601 UTC. */
  at: string;
}

/**
 * What `provenance` of a company or lead holds. Fields are named as on the wire (`personEmail`).
 * Spec: Provenance. Imported leads keep scraper run id, map URL, search string, location query and
 * website contact source.
 */
export interface Provenance {
  /** `*` applies to all fields that are not named. */
  fields?: Record<string, FieldSource>;
  import?: {
    runId?: number;
    processId?: number;
    importId?: number;
    mapsUrl?: string;
    searchString?: string;
    locationQuery?: string;
    contactSource?: string;
  };
}

/** One company with people, as routes, files, discovery and maps hand them in. */
export interface NewCompany {
  name: string;
  /** Any form of address; the domain is taken from it. Social and hosting platforms are no domain. */
  website?: string | null | undefined;
  phone?: string | null | undefined;
  address?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  /** Two letters, upper case. */
  countryCode?: string | null | undefined;
  category?: string | null | undefined;
  rating?: number | null | undefined;
  reviewsCount?: number | null | undefined;
  mapsUrl?: string | null | undefined;
  placeId?: string | null | undefined;
}

type PlainTexts = { [Field in PlainField]?: string | null | undefined };

export interface NewPerson extends PlainTexts {
  firstName: string;
  lastName: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  socialProfileUrl?: string | null | undefined;
  /** 0-100 and its verdict, when the address was validated before. */
  validation?: { score: number; status: string; reason?: string | null; at: string } | undefined;
  /** Checked against the fields of the account; absent: none. */
  custom?: readonly GivenValue[] | undefined;
  provenance?: Provenance | undefined;
}

/** One company and its people: the unit of every import. `company` null: people without one. */
export interface LeadGroup {
  company: NewCompany | null;
  /** Instead of `company`: one of the account by its id; 404 where there is none. */
  companyId?: number | undefined;
  people: NewPerson[];
  provenance?: Provenance | undefined;
}

/** The result for one person. `erased`: a tombstone forbids it; nothing was stored. */
export interface PersonOutcome {
  leadId: number | null;
  outcome: 'created' | 'found' | 'erased';
  /** For an existing lead: fields, as on the wire, that differ from the input and stay. */
  kept?: string[];
}

/** What became of one group, in the order of the input. */
export interface GroupOutcome {
  companyId: number | null;
  companyName: string | null;
  /** The list of the company: the one that was named, where one was. */
  leadListId: number | null;
  companyCreated: boolean;
  /** It was there before; of a file's, before the import of the file. */
  companyFound: boolean;
  people: PersonOutcome[];
}
