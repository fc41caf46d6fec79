/** Rules of discovery: who searches where, what comes next, how far it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES, isCountryCode } from '../../src/domain/countries.ts';
import {
  DISCOVERY_STEPS,
  nextStep,
  percentOf,
  planSearches,
  batchSize,
  type DiscoveryView,
} from '../../src/domain/discovery/discovery.ts';

const library = (name: string, covered: readonly string[]) => ({
  name,
  covers: (country: string) => covered.includes(country),
});
const meta = library('meta', ['DE', 'FR', 'GB']);
const apify = library('apify', [...COUNTRY_CODES, 'ALL']);

const view = (change: Partial<DiscoveryView> = {}): DiscoveryView => ({
  wanted: 100,
  found: 0,
  ads: 0,
  companies: 0,
  unvisited: 0,
  unanswered: 0,
  unchecked: 0,
  checked: 0,
  isSearching: true,
  ...change,
});

describe('planSearches', () => {
  it('gives each country to the first library that covers it', () => {
    const { searches, uncovered } = planSearches(['DE', 'US', 'DE', 'FR'], [meta, apify]);
    expect(searches).toMatchObject([
      { vendor: 'meta', countries: ['DE', 'FR'], note: null },
      { vendor: 'apify', countries: ['US'] },
    ]);
    expect(uncovered).toEqual([]);
  });

  it('searches everywhere with the one that covers everything, or with what there is', () => {
    expect(planSearches(['ALL'], [meta, apify]).searches).toMatchObject([
      { vendor: 'apify', countries: ['ALL'] },
    ]);
    expect(planSearches(['ALL'], [meta])).toEqual({
      searches: [{ vendor: 'meta', countries: ['DE', 'FR', 'GB'], note: null }],
      uncovered: [],
    });
  });

  it('says what nobody covers', () => {
    expect(planSearches(['US', 'DE'], [meta]).uncovered).toEqual(['US']);
    expect(planSearches(['US'], [])).toEqual({ searches: [], uncovered: ['US'] });
  });
});

describe('nextStep', () => {
  it.each([
    [{ found: 100, checked: 5 }, null],
    [{ checked: 1 }, 'attach_leads'],
    [{ unchecked: 1, checked: 1 }, 'validate_emails'],
    [{ unchecked: 1, checked: 100 }, 'attach_leads'],
    [{ ads: 1, unvisited: 5 }, 'extract_companies'],
    [{ unvisited: 1 }, 'enrich_contacts'],
    [{ unanswered: 1 }, 'enrich_contacts'],
    [{}, 'search_ads'],
    [{ isSearching: false }, null],
  ] as const)('%j: %s', (change, step) => {
    expect(nextStep(view(change))).toBe(step);
  });
});

const anyView = fc.record<DiscoveryView>({
  wanted: fc.integer({ min: 1, max: 10_000 }),
  found: fc.nat(10_000),
  ads: fc.nat(50_000),
  companies: fc.nat(50_000),
  unvisited: fc.nat(50_000),
  unanswered: fc.nat(50_000),
  unchecked: fc.nat(10_000),
  checked: fc.nat(10_000),
  isSearching: fc.boolean(),
});

describe('percentOf', () => {
  it('is a whole number from 0 to 99 while there is work, and 0 at the start', () => {
    expect(percentOf(view())).toBe(0);
    fc.assert(
      fc.property(anyView, (any) => {
        const percent = percentOf(any);
        return Number.isInteger(percent) && percent >= 0 && percent <= 99;
      }),
    );
  });

  it('grows with what is found', () => {
    expect(percentOf(view({ found: 50 }))).toBe(50);
    expect(percentOf(view({ found: 50, checked: 10 }))).toBeGreaterThan(50);
  });

  it('tells the share of the companies when no more will come', () => {
    const last = { wanted: 1_000, found: 10, companies: 100, unvisited: 10, isSearching: false };
    expect(percentOf(view(last))).toBe(85);
  });
});

describe('roundSize', () => {
  it('looks for as many companies as the leads that are missing need', () => {
    expect(batchSize(view())).toBe(110);
    expect(batchSize(view({ found: 50, companies: 100 }))).toBe(110);
    expect(batchSize(view({ wanted: 10_000 }))).toBe(2_500);
    expect(batchSize(view({ wanted: 1 }))).toBe(20);
    fc.assert(fc.property(anyView, (any) => batchSize(any) >= 20 && batchSize(any) <= 2_500));
  });
});

describe('steps and countries', () => {
  it('are those of the specification and of ISO 3166', () => {
    expect(DISCOVERY_STEPS).toHaveLength(5);
    expect(COUNTRY_CODES).toHaveLength(249);
    expect(COUNTRY_CODES).toEqual([...COUNTRY_CODES].toSorted());
    expect([isCountryCode('DE'), isCountryCode('de'), isCountryCode('XX')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
