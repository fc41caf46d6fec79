/** Whose ad it is: domains of advertisers, and landings that are nobody's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advertiserOf } from '../../src/domain/discovery/ad-landing.ts';

const of = (landing: string | null, pageName = 'Acme Shoes', pageId = '100') =>
  advertiserOf({ pageId, pageName, landing });

describe('the advertiser of an ad', () => {
  it.each([
    ['https://www.acme.com/summer?utm_source=fb&fbclid=1', 'acme.com', 'https://www.acme.com/'],
    ['acme.com', 'acme.com', 'https://acme.com/'],
    ['ACME.com/Offer', 'acme.com', 'https://acme.com/'],
    ['http://acme.co.uk', 'acme.co.uk', 'http://acme.co.uk/'],
    ['https://go.acme.com/lp/1', 'acme.com', 'https://acme.com/'],
    ['https://shop.acme.com.au/x', 'acme.com.au', 'https://acme.com.au/'],
    ['https://müller.de/angebot', 'xn--mller-kva.de', 'https://xn--mller-kva.de/'],
    ['https://acme.myshopify.com/products', 'acme.myshopify.com', 'https://acme.myshopify.com/'],
    ['bakery-7.test', 'bakery-7.test', 'https://bakery-7.test/'],
  ])('%s leads to %s', (landing, domain, website) => {
    expect(of(landing)).toMatchObject({ key: domain, domain, website, name: 'Acme Shoes' });
  });

  it.each([
    'https://l.facebook.com/l.php?u=https%3A%2F%2Facme.com%2Fa&h=AT0',
    'https://lm.facebook.com/l.php?u=http%3A%2F%2Fwww.acme.com',
    'https://l.instagram.com/?u=https%3A%2F%2Facme.com',
    'https://www.google.com/url?q=https%3A%2F%2Facme.com%2F&sa=D',
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Facme.com',
  ])('%s is seen through', (landing) => {
    expect(of(landing)).toMatchObject({ domain: 'acme.com' });
  });

  it.each([
    'https://www.facebook.com/acme',
    'fb.me',
    'https://www.instagram.com/acme/',
    'https://wa.me/491701234',
    'https://m.me/acme',
    'https://bit.ly/3xYz',
    'https://tinyurl.com/abc',
    'https://apps.apple.com/us/app/acme/id1',
    'https://play.google.com/store/apps/details?id=acme',
    'https://acme.onelink.me/abc',
    'https://www.amazon.de/dp/B00',
    'https://www.ebay.co.uk/itm/1',
    'https://www.etsy.com/shop/acme',
    'https://forms.gle/abc',
    'https://acme.typeform.com/to/x',
    'https://calendly.com/acme/15min',
    'https://www.eventbrite.com/e/1',
    'https://open.spotify.com/track/1',
    'https://linktr.ee/acme',
    'https://www.youtube.com/watch?v=1',
    'https://192.0.2.7/offer',
    'mailto:info@acme.com',
    'Learn more',
    '',
    null,
  ])('%s is no domain of a company; its page tells who it is', (landing) => {
    expect(of(landing)).toMatchObject({ key: 'page:100', domain: null, website: null });
  });

  it('is nobody without a page and without a domain', () => {
    expect(of(null, '')).toBeNull();
    expect(of(null, 'Acme', '')).toMatchObject({ key: 'page:acme' });
    expect(of('acme.com', '')).toMatchObject({ name: 'acme.com' });
  });

  it.each([
    ['acme.de', 'DE'],
    ['acme.co.uk', 'GB'],
    ['acme.com', null],
    ['acme.io', null],
    ['acme.co', null],
  ])('%s is at home in %s', (landing, countryCode) => {
    expect(of(landing)).toMatchObject({ countryCode });
  });

  it('never throws, and a key is never empty', () => {
    const keys = fc.property(
      fc.string(),
      fc.string(),
      fc.option(fc.webUrl()),
      (pageName, pageId, landing) => {
        const found = advertiserOf({ pageName, pageId, landing });
        return found === null || (found.key.length > 0 && found.name.length > 0);
      },
    );
    const anything = fc.property(fc.string(), (landing) => of(landing) !== undefined);
    expect(() => fc.assert(keys)).not.toThrow();
    expect(() => fc.assert(anything)).not.toThrow();
  });
});
