/** The businesses that are always there: their sites, and that a newcomer's first searches find them. */
import { isValidPhoneNumber } from 'libphonenumber-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../src/sandbox/websites/site-records.ts';
import type { SiteTruth } from '../../src/sandbox/websites/generated/truth.ts';
import { rowsOf, scrape, startRun } from '../support/vendors/apify-calls.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
let truths: SiteTruth[];
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
  truths = (await sandbox.control('GET', '/sites/truth')).body.sites;
});
afterEach(async () => {
  for (const noun of ['places', 'ads', 'contacts', 'sites'])
    await sandbox.control('DELETE', `/${noun}`);
});
afterAll(() => sandbox.remove());

const pagesOf = async (host: string): Promise<Site['pages']> =>
  (await sandbox.control('GET', `/sites/${host}`)).body.pages;
const bodyOf = ({ body, bodyBase64 }: Site['pages'][string]): string =>
  body ?? Buffer.from(bodyBase64 ?? '', 'base64').toString('latin1');
const truthBy = (key: 'quirk' | 'writing', value: string) =>
  truths.find((truth) => truth[key] === value)!;

describe('the generated sites', () => {
  it('are some dozens in many languages, each with a name of its own, one of each quirk', () => {
    expect(truths.length).toBeGreaterThanOrEqual(36);
    expect(new Set(truths.map(({ host }) => host)).size).toBe(truths.length);
    expect(new Set(truths.map(({ language }) => language)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(truths.map(({ writing }) => writing)).size).toBe(9);
    expect(truths.flatMap(({ quirk }) => quirk ?? []).toSorted()).toEqual([
      'down',
      'latin1',
      'robots',
      'sitemap',
      'slow',
      'www',
    ]);
  });

  it('have every page that the truth names, and valid telephone numbers', async () => {
    for (const { emails, phones, profiles } of truths) {
      for (const { phone } of phones) expect(isValidPhoneNumber(phone)).toBe(true);
      for (const { pages } of [...emails, ...phones, ...profiles]) {
        for (const page of pages) {
          const { hostname, pathname } = new URL(page);
          expect(await pagesOf(hostname)).toHaveProperty([pathname]);
        }
      }
    }
  });

  it.each([
    ['mailto', (email: string) => `href="mailto:${email}?`],
    ['text', (email: string) => `${email}</p>`],
    ['at-dot', (email: string) => email.replace('@', ' [at] ').replace('.test', ' [dot] test')],
    ['json-ld', (email: string) => `"email":"${email}"`],
    ['microdata', (email: string) => `itemprop="email">${email}<`],
    ['reversed', (email: string) => Array.from(email).toReversed().join('')],
    ['split-tags', (email: string) => email.replace('@', '</span><!-- @ --><b>@</b><span>')],
  ])('write the address as %s on each page that the truth names', async (writing, asWritten) => {
    const { emails } = truths.find((each) => each.writing === writing && each.quirk === null)!;
    const { email, pages } = emails[0]!;
    for (const page of pages) {
      const { hostname, pathname } = new URL(page);
      expect(bodyOf((await pagesOf(hostname))[pathname]!)).toContain(asWritten(email));
    }
  });

  it('hide it as Cloudflare does, and in entities', async () => {
    const hidden = truthBy('writing', 'cloudflare');
    const pages = await pagesOf(hidden.host);
    const contact = bodyOf(pages[new URL(hidden.emails[0]!.pages[0]!).pathname]!);
    const hex = /data-cfemail="([0-9a-f]+)"/.exec(contact)![1]!;
    const [key, ...bytes] = Buffer.from(hex, 'hex');
    expect(String.fromCodePoint(...bytes.map((byte) => byte ^ key!))).toBe(hidden.emails[0]!.email);
    const { host, emails } = truthBy('writing', 'entities');
    const plain = bodyOf((await pagesOf(host))[new URL(emails[0]!.pages[0]!).pathname]!)
      .replaceAll(/&#x([0-9a-f]+);/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      )
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    expect(plain).toContain(`href="mailto:${emails[0]!.email}"`);
  });

  it('behave as their quirks say', async () => {
    const site = async (quirk: string) =>
      (await sandbox.control('GET', `/sites/${truthBy('quirk', quirk).host}`)).body;
    expect((await site('down')).down).toBe(true);
    expect((await site('robots')).pages['/robots.txt'].body).toContain('Disallow: /');
    expect((await site('slow')).pages['/'].delayMs).toBeGreaterThan(1_000);
    const moved = await site('www');
    expect(moved.pages['/']).toMatchObject({
      status: 301,
      headers: { Location: `https://www.${moved.host}/` },
    });
    const old = (await site('latin1')).pages['/'];
    expect(old.contentType).toBe('text/html');
    expect(bodyOf(old)).toContain('charset="iso-8859-1"');
    expect(bodyOf(old)).toContain('fenêtres');
    const listed = await site('sitemap');
    expect(listed.pages['/'].body).not.toContain('/contact"');
    expect(listed.pages['/sitemap.xml'].body).toContain('/contact<');
  });

  it('are hidden by what the control API puts at the same host, and come back', async () => {
    const { host } = truths[0]!;
    await sandbox.control('PUT', `/sites/${host}`, { pages: { '/': { body: 'mine' } } });
    expect(await pagesOf(host)).toEqual({ '/': { body: 'mine' } });
    await sandbox.control('DELETE', `/sites/${host}`);
    expect(Object.keys(await pagesOf(host))).toContain('/kontakt');
  });
});

describe("a newcomer's first searches", () => {
  const search = (text: string, locationQuery: string, more = {}) =>
    scrape(sandbox, { searchStringsArray: [text], locationQuery, ...more });
  const archive = async (country: string) => {
    const query = `search_terms=coffee&ad_reached_countries=["${country}"]&fields=page_name,ad_creative_link_captions`;
    const headers = { authorization: 'Bearer meta-sandbox-token' };
    return (await sandbox.ask('GET', `/meta/v24.0/ads_archive?${query}`, undefined, headers)).body
      .data;
  };

  it('dentist in Berlin: on the map, with a website of this world', async () => {
    const rows = await search('dentist', 'Berlin');
    expect(rows).toMatchObject([
      { title: 'Zahnarztpraxis Lindenhof', website: 'https://zahnarztpraxis-lindenhof.test/' },
    ]);
    expect(await search('dentist', 'Germany')).toHaveLength(2);
    expect(await search('bakery', 'Berlin', { website: 'withWebsite' })).toEqual([]);
    expect(await search('bakery', 'Berlin')).toMatchObject([{ website: null }]);
    expect(await search('bakery', 'München', { skipClosedPlaces: true })).toEqual([]);
  });

  it('coffee in the ad libraries: Germany in the archive, the United States in the other', async () => {
    expect(await archive('DE')).toMatchObject([
      {
        page_name: 'Kaffeehaus Morgenrot',
        ad_creative_link_captions: ['kaffeehaus-morgenrot.test'],
      },
      { page_name: 'Kaffeehaus Bachmair' },
    ]);
    expect(await archive('US')).toEqual([]);
    const url = 'https://www.facebook.com/ads/library/?active_status=active&country=US&q=coffee';
    const actor = 'curious_coder~facebook-ads-library-scraper';
    const rows = await rowsOf(sandbox, await startRun(sandbox, { urls: [{ url }] }, '', actor));
    expect(rows).toMatchObject([{ page_name: 'Barrelhouse Coffee' }]);
  });

  it('people: owners of cafés at Hunter, of dentists at Apollo', async () => {
    const { body } = await sandbox.ask(
      'GET',
      '/hunter/v2/domain-search?domain=kaffeehaus-morgenrot.test',
      undefined,
      { 'x-api-key': 'hunter-sandbox-key' },
    );
    expect(body.data.emails).toMatchObject([{ value: 'anna.morgenrot@kaffeehaus-morgenrot.test' }]);
    const apollo = await sandbox.ask(
      'POST',
      '/apollo/api/v1/people/match?name=Jonas Lindenhof&domain=zahnarztpraxis-lindenhof.test',
      undefined,
      { 'x-api-key': 'apollo-sandbox-key' },
    );
    expect(apollo.body.person.email).toBe('jonas.lindenhof@zahnarztpraxis-lindenhof.test');
  });

  it('what the control API puts comes first, so that tests count only their own', async () => {
    await sandbox.control('PUT', '/places', {
      places: [{ placeId: 'mine', title: 'My dentist', city: 'Berlin' }],
    });
    await sandbox.control('PUT', '/ads', {
      ads: [{ id: 'mine', page_name: 'My coffee', countries: ['de'] }],
    });
    expect(await search('dentist', 'Berlin')).toMatchObject([{ placeId: 'mine' }]);
    expect(await archive('DE')).toMatchObject([{ id: 'mine' }]);
    expect(await archive('FR')).not.toEqual([]);
  });
});
