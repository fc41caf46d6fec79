/** What an icon is called is read as if it stood there. */
import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../../src/providers/websites/extract/index.ts';
import { ICON_LABELS, type IconLabel } from '../../../corpus/icon-labels.ts';

const url = 'https://www.icon-house.test/contact';

function foundIn({ html, country }: IconLabel) {
  const { emails, phones } = extractPage({ html, url, countryCode: country });
  const numbers = (isFax: boolean): string[] => [
    ...new Set(phones.filter((phone) => phone.isFax === isFax).map(({ phone }) => phone)),
  ];
  return {
    emails: emails.map(({ email }) => email),
    phones: numbers(false),
    faxes: numbers(true),
  };
}

const isEmpty = ({ emails, phones, faxes }: IconLabel): boolean =>
  emails.length + phones.length + faxes.length === 0;

describe('an icon with a label', () => {
  it.each(ICON_LABELS.filter((each) => !isEmpty(each)).map((each) => [each.name, each] as const))(
    'is a contact: %s',
    (_, each) => {
      const { emails, phones, faxes } = each;
      expect(foundIn(each)).toEqual({ emails, phones, faxes });
    },
  );

  it('has a title of its own, which is not the page’s', () => {
    const html = `<svg><title>Telefon</title></svg><p>Tel. 030 23125014</p>
      <title>Impressum - Icon House</title><p>info@icon-house.test</p>`;
    const page = extractPage({ html, url: 'https://www.icon-house.test/x', countryCode: 'DE' });
    expect(page.kind).toBe('legal');
  });
});

describe('a label that calls nobody', () => {
  it.each(ICON_LABELS.filter(isEmpty).map((each) => [each.name, each] as const))(
    'is left alone: %s',
    (_, each) => {
      expect(foundIn(each)).toEqual({ emails: [], phones: [], faxes: [] });
    },
  );
});
