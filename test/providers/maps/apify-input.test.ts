/** A search as the actor takes it: stars as words, addresses as objects, nothing that costs extra. */
import { describe, expect, it } from 'vitest';
import { actorInput, starWord } from '../../../src/providers/maps/apify-input.ts';
import { searchOrder } from '../../support/leads/maps-world.ts';

describe('stars', () => {
  it.each([
    [null, ''],
    [0, ''],
    [1.9, ''],
    [2, 'two'],
    [2.5, 'twoAndHalf'],
    [3.2, 'three'],
    [4.2, 'four'],
    [4.5, 'fourAndHalf'],
    [5, 'fourAndHalf'],
  ])('%s become the word %j: never above the minimum, so that no place is lost', (stars, word) => {
    expect(starWord(stars)).toBe(word);
  });
});

describe('the input', () => {
  it('switches off what costs and is not wanted', () => {
    expect(actorInput(searchOrder())).toEqual({
      searchStringsArray: ['bakery'],
      locationQuery: 'Berlin',
      countryCode: 'de',
      language: 'en',
      maxCrawledPlacesPerSearch: 50,
      website: 'allPlaces',
      placeMinimumStars: '',
      searchMatching: 'all',
      skipClosedPlaces: false,
      scrapePlaceDetailPage: false,
      scrapeContacts: false,
      maximumLeadsEnrichmentRecords: 0,
      maxReviews: 0,
      maxImages: 0,
      maxQuestions: 0,
    });
  });

  it('writes addresses as objects and leaves out what is empty', () => {
    const order = {
      searchStrings: [],
      startUrls: ['https://maps.google.com/x'],
      locationQuery: '',
    };
    const input = actorInput(searchOrder({ ...order, placeIds: ['p'] }));
    expect(input).toMatchObject({
      startUrls: [{ url: 'https://maps.google.com/x' }],
      placeIds: ['p'],
    });
    expect(input).not.toHaveProperty('searchStringsArray');
    expect(input).not.toHaveProperty('locationQuery');
  });
});
