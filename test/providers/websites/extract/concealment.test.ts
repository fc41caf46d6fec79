/** What no visitor sees is no contact; what only waits to be opened is one. */
import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../../src/providers/websites/extract/index.ts';
import {
  CONCEALMENTS,
  HIDDEN,
  pageOf,
  SHOWN,
  type Concealment,
} from '../../../corpus/concealed-contacts.ts';

const url = 'https://www.lindenhaus.test/kontakt';

function foundIn({ head, html }: Pick<Concealment, 'head' | 'html'>) {
  const page = `<html lang="de"><head>${head}</head><body>${pageOf(html)}</body></html>`;
  const { emails, phones } = extractPage({ html: page, url, countryCode: 'DE' });
  return {
    emails: emails.map(({ email }) => email).toSorted(),
    phones: [...new Set(phones.map(({ phone }) => phone))].toSorted(),
  };
}

describe('a contact that no visitor sees', () => {
  it.each(CONCEALMENTS.filter(({ isKept }) => !isKept).map((each) => [each.name, each] as const))(
    'is left alone: %s',
    (_, each) => {
      expect(foundIn(each)).toEqual(SHOWN);
    },
  );
});

describe('a contact that waits to be opened, or is hidden from some', () => {
  it.each(CONCEALMENTS.filter(({ isKept }) => isKept).map((each) => [each.name, each] as const))(
    'is found: %s',
    (_, each) => {
      expect(foundIn(each)).toEqual({
        emails: [...SHOWN.emails, ...HIDDEN.emails].toSorted(),
        phones: [...SHOWN.phones, ...HIDDEN.phones].toSorted(),
      });
    },
  );
});

it('leaves pages linked in hidden elements to be read', () => {
  const html = '<p style="display:none"><a href="/kontakt">Kontakt</a> spam@lindenhaus.test</p>';
  const page = extractPage({ html, url: 'https://www.lindenhaus.test/', countryCode: 'DE' });
  expect(page.emails).toEqual([]);
  expect(page.contactLinks.map((link) => link.url)).toEqual([url]);
});

it('shows what stands for browsers without scripts where the page shows nothing else', () => {
  const html = '<p>Willkommen</p><noscript><p>info@lindenhaus.test</p></noscript>';
  expect(foundIn({ head: '', html: '' }).emails).toEqual(SHOWN.emails);
  const { emails } = extractPage({ html, url, countryCode: 'DE' });
  expect(emails.map(({ email }) => email)).toEqual(['info@lindenhaus.test']);
});
