/** Whom a legal or a privacy text names is told from the business, by words and by domains. */
import { describe, expect, it } from 'vitest';
import { combine, extractPage } from '../../../../src/providers/websites/extract/index.ts';
import { numbersOf, OWN_MAIL, type Stranger } from '../../../corpus/stranger-pages.ts';
import { STRANGER_CASES, STRANGERS, strangersPage } from '../../../corpus/strangers.ts';

const website = 'https://www.ahornhof.test/';

function contactsOf(html: string, path: string, countryCode: string) {
  const page = extractPage({ html, url: new URL(path, website).href, countryCode });
  const { emails, phones } = combine([page], { website, countryCode });
  return {
    emails: emails.map(({ email }) => email).toSorted(),
    phones: phones.map(({ phone }) => phone).toSorted(),
  };
}

function found(each: Stranger) {
  const { language, page, country } = each;
  const html = `<html lang="${language}"><h1>${page.word}</h1>${strangersPage(each)}</html>`;
  return contactsOf(html, page.path, country);
}

const named = (isOwn: boolean) =>
  STRANGERS.filter((each) => each.isOwn === isOwn).map((each) => [each.name, each] as const);

describe('what a legal text names of others is left out', () => {
  it.each(named(false))('%s', (_, each) => {
    const [, own] = numbersOf(each.country).own;
    expect(found(each)).toEqual({ emails: [OWN_MAIL], phones: [own] });
  });
});

describe('what a legal text names of the business itself is kept', () => {
  it.each(named(true))('%s', (_, each) => {
    const { emails, phones } = STRANGER_CASES[STRANGERS.indexOf(each)]!;
    expect(found(each)).toEqual({ emails: emails.toSorted(), phones: phones.toSorted() });
  });
});

it('keeps the numbers of a chamber on its own site', () => {
  const html = `<html lang="de"><h1>Impressum</h1><p>Landwerkskammer Mitte<br>Ringweg 1<br>
    Telefon: 030 23125014<br>info@ahornhof.test</p>`;
  const { phones } = contactsOf(html, '/impressum', 'DE');
  expect(phones).toEqual(['+493023125014']);
});

it('leaves a number of a section that does not say whose it is, where there is a better one', () => {
  const filler = `<p>${'Lorem ipsum dolor sit amet consectetur. '.repeat(9)}</p>`;
  const aside = '<h3>Weiteres</h3><p>Ringweg 1<br>Tel. 0341 5550177</p>';
  const own = '<h1>Impressum</h1><p>Berg GmbH<br>Tel. 030 23125014</p>';
  const first = '<h1>Impressum</h1><p>Berg GmbH<br>info@ahornhof.test</p>';
  const german = (html: string) => contactsOf(`<html lang="de">${html}`, '/impressum', 'DE').phones;
  expect(german(own + filler + aside)).toEqual(['+493023125014']);
  expect(german(first + filler + aside)).toEqual(['+493415550177']);
});

it('takes a domain that the business names first for its own', () => {
  const html = `<html lang="de"><h1>Impressum</h1><p>Berg GmbH<br>Ringweg 1<br>Tel. 030 23125014<br>
    kontakt@berg-mitte.test</p><p>${'Lorem ipsum dolor sit amet consectetur. '.repeat(9)}</p>
    <p>Büro Süd<br>Tel. 0341 5550177<br>sued@berg-mitte.test</p>`;
  const { phones } = contactsOf(html, '/impressum', 'DE');
  expect(phones).toEqual(['+493023125014', '+493415550177']);
});
