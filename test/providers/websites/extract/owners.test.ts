/** Addresses of those who made a site, and numbers that are ids, are not the business's. */
import { describe, expect, it } from 'vitest';
import { combine, extractPage } from '../../../../src/providers/websites/extract/index.ts';

const website = 'https://www.acme-bakery.com/';

function contactsOf(html: string, countryCode: string | null = null, path = '') {
  const page = extractPage({ html, url: website + path, countryCode });
  const { emails, phones } = combine([page], { website, countryCode });
  return { emails: emails.map(({ email }) => email), phones: phones.map(({ phone }) => phone) };
}

describe('the address of whoever made the site', () => {
  it.each([
    'Sito web creato da R. Bianchi - r.bianchi.web@gmail.com - 2014',
    'Página web realizada por Luz Vega, luz.vega.web@gmail.com',
    'Site internet conçu par Paul Rey : paul.rey.web@gmail.com',
    'Diese Website wurde erstellt von T. Kern, t.kern.web@gmail.com',
    'Website gemaakt door Jan Vos (jan.vos.web@gmail.com)',
    'This page was created by Ann Poe, ann.poe.web@gmail.com',
  ])('is left out: %s', (credit) => {
    const html = `<p>Mail: acme.bakery@gmail.com</p><p>Bread since 1950</p><p>Open daily</p><footer><p>${credit}</p></footer>`;
    expect(contactsOf(html).emails).toEqual(['acme.bakery@gmail.com']);
  });

  it('is not mistaken for that of whoever made the cakes', () => {
    const html = '<p>Dolci creati da Maria: maria.dolci@gmail.com</p>';
    expect(contactsOf(html).emails).toEqual(['maria.dolci@gmail.com']);
  });

  it('is not mistaken for that of other businesses under "Related Sites"', () => {
    const html = `<p>acme.bakery@gmail.com</p><p>Bread and cakes for every day of the year</p>
      <p>Related Sites</p><p>Florist - Tulip & Co; tulip.and.co@gmail.com</p>`;
    expect(contactsOf(html).emails).toEqual(['acme.bakery@gmail.com']);
  });
});

describe('a link that shows another address than it leads to', () => {
  it.each([
    ["to a stranger's", 'hello@nice-templates.com', ['bread@acme.org']],
    ['to the site itself', 'info@acme-bakery.com', ['info@acme-bakery.com', 'bread@acme.org']],
    ["to a stranger's free mailbox", 'nice.templates@gmail.com', ['bread@acme.org']],
  ])('is read for what it shows, and where it leads %s', (_, href, expected) => {
    const { emails } = contactsOf(`<p><a href="mailto:${href}">bread@acme.org</a></p>`);
    expect(emails.toSorted()).toEqual(expected.toSorted());
  });
});

describe('a number of others', () => {
  it.each([
    ['a platform', 'We use Google Maps by Google Ireland Limited, Dublin, Tel. +353 1 543 1000'],
    ['help in a crisis', 'In an emergency call the Krisentelefon: 0800 4499330'],
  ])('is left out: of %s', (_, others) => {
    const html = `<p>Tel. 030 23125014</p><p>Open daily</p><p>Bread</p><p>${others}</p>`;
    expect(contactsOf(html, 'DE').phones).toEqual(['+493023125014']);
  });
});

describe('a figure that is no telephone number', () => {
  it.each([
    ['an Italian tax code', 'IT', 'C.F.04128880997', []],
    ['an Italian tax code with a blank', 'IT', 'C. F. 04128880997', []],
    ['the box of a post office and its code', 'KE', 'P.O. Box 1243-00100, Nairobi', []],
    ['a box beside a number', 'KE', 'P.O. Box 12, Nairobi<br>Tel: 0722 123 456', ['+254722123456']],
    ['a tax code beside a number', 'IT', 'C.F.04128880997 Tel. 02 48714236', ['+390248714236']],
  ])('is left out: %s', (_, country, html, expected) => {
    expect(contactsOf(`<p>${html}</p>`, country).phones).toEqual(expected);
  });
});

it('does not take the profile of a template for the business', () => {
  const html = `<a href="https://www.instagram.com/tu_cuenta">i</a>
    <a href="https://www.facebook.com/votre-page-acme">f</a>`;
  const page = extractPage({ html, url: website, countryCode: null });
  const { profiles } = combine([page], { website, countryCode: null });
  expect(profiles.map(({ url }) => url)).toEqual(['https://www.facebook.com/votre-page-acme']);
});
