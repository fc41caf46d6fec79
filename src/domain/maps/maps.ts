/** Terms of maps runs: the search, the state of each place, and the options of imports. */
import type { FoundEmail, FoundPhone, FoundProfile } from '../discovery/contacts.ts';

/** Spec: Maps scraper run; choice 30: any word beyond the spec's four is final. */
export const MAPS_RUN_STATUSES = [
  'queued',
  'running',
  'enriching',
  'completed',
  'failed',
  'cancelled',
] as const;
export type MapsRunStatus = (typeof MAPS_RUN_STATUSES)[number];

export const isFinal = (status: MapsRunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/**
 * - `pending`: its website was not visited yet
 * - `enriching`: a visit is under way
 * - `enriched`: the site was read, whatever was found
 * - `failed`: the site could not be read; `reason` says why
 * - `skipped`: there is no website, or we do not go there; `reason` says which
 */
export const MAPS_ITEM_STATUSES = [
  'pending',
  'enriching',
  'enriched',
  'failed',
  'skipped',
] as const;
export type MapsItemStatus = (typeof MAPS_ITEM_STATUSES)[number];

export const NO_WEBSITE = 'The place has no website';

/** The search of a run as it was ordered: the wire's names and defaults. Choice 32. */
export interface MapsSearchOrder {
  searchStrings: string[];
  startUrls: string[];
  placeIds: string[];
  locationQuery: string;
  /** Two letters, lower case. */
  countryCode: string;
  language: string;
  maxPlacesPerSearch: number;
  website: 'allPlaces' | 'withWebsite' | 'withoutWebsite';
  minimumStars: number | null;
  categoryFilterWords: string[];
  skipClosedPlaces: boolean;
}

/** What a client orders. Spec: POST /v1/maps-scraper/runs. */
export interface MapsRunOrder {
  search: MapsSearchOrder;
  scrapeContacts: boolean;
  verifyEmails: boolean;
  leadListId?: number | undefined;
}

/** A verdict on an address, as kept with the place. */
export interface ContactCheck {
  status: string;
  /** 0-100. */
  score: number;
  reason: string;
  /** ISO 8601 UTC. */
  checkedAt: string;
}

/** What the website of a place yielded. */
export interface PlaceContacts {
  emails: FoundEmail[];
  phones: FoundPhone[];
  profiles: FoundProfile[];
  contactPages: string[];
  /** Pages that were read, in order. */
  pages: string[];
  /** By address; only where addresses were verified. */
  checks: Record<string, ContactCheck>;
}

/** Validation scores by address. */
export const scoresOf = ({ checks }: Pick<PlaceContacts, 'checks'>): Map<string, number> =>
  new Map(Object.entries(checks).map(([email, { score }]) => [email, score]));

/** Spec: POST /v1/maps-scraper/runs/:id/import-to-lead-list; choices 33, 60. */
export interface ImportOptions {
  requireEmail: boolean;
  includePhoneOnly: boolean;
  includeGenericEmails: boolean;
  minValidationScore: number;
  maxLeadsPerCompany: number;
  limit: number;
  /** Where it begins: behind this item; absent at the first one. */
  afterItemId?: number;
}

/** Why an item brought no lead. */
export const SKIP_REASONS = {
  no_contact: 'Neither the map nor the website shows a way to reach it',
  no_email: 'It has no e-mail address',
  only_generic_emails: 'It has only generic addresses, and includeGenericEmails is false',
  score_too_low: 'Its addresses score below minValidationScore',
  company_full: 'Its company has maxLeadsPerCompany leads from this import already',
  erased: 'The people found there were erased and are not stored again',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;
