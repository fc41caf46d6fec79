/** The parameters of `ads_archive`, read as the Graph API reads them. */
import type { Request } from 'express';
import { hasWords, withoutWords, type AdQuestion } from '../catalogues/ads.ts';
import { refuseParameter, tooMuchData } from './wire.ts';

export interface ArchiveQuestion extends AdQuestion {
  countries: string[];
  pageIds: string[];
  adType: string;
  fields: string[];
  limit: number;
  /** Rows before the page. */
  offset: number;
}

const MAX_TERMS_LENGTH = 100;
const MAX_PAGES = 10;
const DEFAULT_LIMIT = 25;
/** A limit above this is "too much data"; magic words of a search lower it. */
const MAX_LIMIT = 500;
const MAGIC_LIMITS: Record<string, number> = { 'too-much-data': 25, heavy: 50 };

const STATUSES = ['ACTIVE', 'INACTIVE', 'ALL'] as const;
const TYPES = [
  'ALL',
  'EMPLOYMENT_ADS',
  'FINANCIAL_PRODUCTS_AND_SERVICES_ADS',
  'HOUSING_ADS',
  'POLITICAL_AND_ISSUE_ADS',
];
export const FIELDS = [
  'id',
  'ad_creation_time',
  'ad_creative_bodies',
  'ad_creative_link_captions',
  'ad_creative_link_descriptions',
  'ad_creative_link_titles',
  'ad_delivery_start_time',
  'ad_delivery_stop_time',
  'ad_snapshot_url',
  'age_country_gender_reach_breakdown',
  'beneficiary_payers',
  'bylines',
  'currency',
  'delivery_by_region',
  'demographic_distribution',
  'estimated_audience_size',
  'eu_total_reach',
  'impressions',
  'languages',
  'page_id',
  'page_name',
  'publisher_platforms',
  'spend',
  'target_ages',
  'target_gender',
  'target_locations',
  'total_reach_by_location',
];

export function readQuestion(request: Request): ArchiveQuestion {
  const given = textOf(request, 'search_terms');
  const pageIds = listOf(request, 'search_page_ids');
  const terms = withoutWords(given, Object.keys(MAGIC_LIMITS));
  if (given.length > MAX_TERMS_LENGTH) throw refuseParameter('Param search_terms is too long');
  if (pageIds.length > MAX_PAGES) throw refuseParameter('Param search_page_ids has too many items');
  if (!hasWords(terms) && pageIds.length === 0) {
    throw refuseParameter('Either search_terms or search_page_ids is required');
  }
  return {
    terms,
    pageIds,
    isPhrase: textOf(request, 'search_type') === 'KEYWORD_EXACT_PHRASE',
    countries: countriesOf(request),
    activeStatus: oneOf(request, 'ad_active_status', STATUSES),
    adType: oneOf(request, 'ad_type', TYPES, 'ALL'),
    fields: fieldsOf(request),
    limit: limitOf(request, given),
    offset: offsetOf(textOf(request, 'after')),
  };
}

export const cursorOf = (offset: number): string =>
  Buffer.from(`sandbox-ads:${offset}`).toString('base64url');

function offsetOf(cursor: string): number {
  if (cursor === '') return 0;
  const text = Buffer.from(cursor, 'base64url').toString();
  const offset = /^sandbox-ads:(\d+)$/.exec(text)?.[1];
  if (offset === undefined) throw refuseParameter('Invalid cursors values');
  return Number(offset);
}

/** Meta cannot collect more than a few hundred rows, and fewer for some searches. */
function limitOf(request: Request, terms: string): number {
  const text = textOf(request, 'limit');
  const limit = text === '' ? DEFAULT_LIMIT : Number(text);
  if (!Number.isInteger(limit) || limit < 1) {
    throw refuseParameter('Param limit must be an integer greater than or equal to 1');
  }
  const words = terms.toLowerCase().split(/\s+/);
  const bounds = words.map((word) => MAGIC_LIMITS[word] ?? MAX_LIMIT);
  if (limit > Math.min(MAX_LIMIT, ...bounds)) throw tooMuchData();
  return limit;
}

function countriesOf(request: Request): string[] {
  const countries = listOf(request, 'ad_reached_countries');
  if (countries.length === 0)
    throw refuseParameter('The parameter ad_reached_countries is required.');
  const wrong = countries.findIndex((code) => !/^([A-Z]{2}|ALL)$/.test(code));
  if (wrong === -1) return countries;
  throw refuseParameter(
    `Param ad_reached_countries[${wrong}] must be one of {ALL, BR, IN, GB, US, CA, AR, ...}`,
  );
}

function fieldsOf(request: Request): string[] {
  const fields = listOf(request, 'fields');
  const unknown = fields.find((name) => !FIELDS.includes(name));
  if (unknown === undefined) return fields;
  throw refuseParameter(`Tried accessing nonexistent field (${unknown}) on node type (ArchivedAd)`);
}

function oneOf<T extends string>(
  request: Request,
  name: string,
  values: readonly T[],
  fallback: T = values[0]!,
): T {
  const text = textOf(request, name);
  const found = text === '' ? fallback : values.find((value) => value === text);
  if (found !== undefined) return found;
  throw refuseParameter(`Param ${name} must be one of {${values.join(', ')}}`);
}

function textOf(request: Request, name: string): string {
  const value = request.query[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** `['DE','FR']`, `["DE","FR"]`, `DE,FR`, `name=DE&name=FR`, `name[0]=DE&name[1]=FR`. */
function listOf(request: Request, name: string): string[] {
  return Object.entries(request.query)
    .filter(([key]) => key === name || (key.startsWith(`${name}[`) && key.endsWith(']')))
    .flatMap(([, value]) => value as string | string[])
    .flatMap((text) => text.replaceAll(/[[\]'"\s]/g, '').split(','))
    .filter((text) => text !== '');
}
