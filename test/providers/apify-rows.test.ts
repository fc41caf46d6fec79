/** What is read of an actor's rows, and when a changed actor is told from a search that found nothing. */
import { describe, expect, it } from 'vitest';
import { AD_ROWS } from '../../src/providers/ad-libraries/apify.ts';
import { readRows } from '../../src/providers/apify-runs.ts';
import { PLACE_ROWS } from '../../src/providers/maps/apify.ts';

const place = { placeId: 'p1', title: 'Bakery' };
const ad = { ad_archive_id: 1, page_id: 2, snapshot: { link_url: 'https://acme.com' } };

const places = (...items: unknown[]) => readRows('apify', items, PLACE_ROWS);
const ads = (...items: unknown[]) => readRows('apify', items, AD_ROWS);
const times = (count: number, item: unknown) => Array.from({ length: count }, () => item);

describe('a place', () => {
  it.each([
    { location: { lat: null, lng: null } },
    { totalScore: '4.5' },
    { reviewsCount: '12' },
    { phone: 49301234 },
    { permanentlyClosed: 'no' },
    { categoryName: ['Bakery'] },
  ])('stays where a field that it need not have is strange: %j', (strange) => {
    expect(places({ ...place, ...strange })).toMatchObject([place]);
  });

  it('without an id, or without a title, is none', () => {
    expect(places({ title: 'Bakery' }, { placeId: 'p1' }, place)).toHaveLength(1);
  });
});

describe('an ad', () => {
  it.each([
    { page_name: 7 },
    { snapshot: 'none' },
    { snapshot: { ...ad.snapshot, cards: 'none' } },
    { ad_library_url: {} },
  ])('stays where a field that it need not have is strange: %j', (strange) => {
    expect(ads({ ...ad, ...strange })).toMatchObject([{ ad_archive_id: '1', page_id: '2' }]);
  });
});

describe('a page', () => {
  it('of results of which none is understood is a failure that tells what is strange', () => {
    const renamed = { place_id: 'p1', title: 'Bakery' };
    expect(() => places(...times(5, renamed))).toThrow(/no row .* understood \(placeId/);
    expect(() => ads(...times(5, { id: 1, page_id: 2, snapshot: {} }))).toThrow(/ad_archive_id/);
    expect(places(...times(5, renamed), place)).toHaveLength(1);
  });

  it('that says that nothing was found is none', () => {
    expect(places(...times(9, { searchString: 'x' }))).toEqual([]);
    expect(ads(...times(9, { error: 'no items' }))).toEqual([]);
  });

  it('of few strange rows is passed over', () => {
    expect(places(...times(4, { title: 'Bakery' }))).toEqual([]);
  });
});
