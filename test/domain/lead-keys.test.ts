/** Keys of people and companies: what is the same, however it is written, and what is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  companyNameKey,
  domainKey,
  emailKey,
  forbiddenBy,
  personNameKey,
  phoneKey,
  profileKey,
  tombstoneKeys,
  type PersonKeys,
} from '../../src/domain/leads/lead-keys.ts';

describe('companyNameKey', () => {
  it.each([
    ['ACME, Inc.', 'acme'],
    ['acme inc', 'acme'],
    ['Acme Incorporated', 'acme'],
    ['  Acme   L.L.C. ', 'acme'],
    ['Müller & Söhne GmbH & Co. KG', 'mueller soehne'],
    ['Straße AG', 'strasse'],
    ['STRAẞE AG', 'strasse'],
    ['Rossi S.r.l.', 'rossi'],
    ['Rossi S. r. l.', 'rossi'],
    ['Rossi S.p.A.', 'rossi'],
    ['Gómez, S.L.U.', 'gomez'],
    ['Grupo Uno, S.A. de C.V.', 'grupo uno'],
    ['Dupont SARL', 'dupont'],
    ['Alfa Sp. z o.o.', 'alfa'],
    ['Beta s.r.o.', 'beta'],
    ['Gamma Pty Ltd', 'gamma'],
    ['Turnverein Ost e.V.', 'turnverein ost'],
    ['ＡＣＭＥ Ｌｔｄ', 'acme'],
    ['ООО «Ромашка» ООО', 'ромашка'],
    ['ИП Иванов', 'иванов'],
    ['Ромашка ЗАО', 'ромашка'],
    ['株式会社トヨタ', 'トヨタ'],
    ['トヨタ有限会社', 'トヨタ'],
    ['合同会社 トヨタ', 'トヨタ'],
    ['ガス', 'ガス'],
    ['上海贸易有限公司', '上海贸易'],
    ['Café Noël', 'cafe noel'],
    ['Mueller', 'mueller'],
    ['MU\u0308LLER', 'mueller'],
    ['Strasse & Weg AG', 'strasse weg'],
    ['Rossi Costruzioni SPA', 'rossi costruzioni'],
    ['Hair, Co.', 'hair'],
    ['Smith, Jones & Co', 'smith jones'],
    ['Toyota Motor Co., Ltd.', 'toyota motor'],
    ['Acme Co Ltd', 'acme'],
    ['Tata Private Limited', 'tata'],
    ['日本商事 株式会社', '日本商事'],
    ["McDonald's", 'mcdonalds'],
    ['McDonald’s', 'mcdonalds'],
  ])('%j -> %j', (name, key) => expect(companyNameKey(name)).toBe(key));

  it.each([
    ['GmbH', 'gmbh'],
    ['Co Inc', 'co'],
    ['!!!', '!!!'],
    ['S.A.', 'sa'],
  ])('is never down to nothing: %j -> %j', (name, key) => expect(companyNameKey(name)).toBe(key));

  it.each([
    ['Tesla EV', 'Tesla'],
    ['C++ Consulting', 'C Consulting'],
    ['Co-op Bank', 'Bank'],
    ['Limited Editions', 'Editions'],
    ['Müller', 'Muller'],
    ['The Spa', 'The Company'],
    ['The Co', 'The PC Company'],
    ['The Spa', 'The'],
    ['The PC Company', 'The PC'],
    ['The Company Ltd', 'The'],
    ['Thai Spa', 'Thai Inc'],
    ['Hair & Co', 'Hair'],
    ['Hair & Co. Ltd', 'Hair Ltd'],
    ['Studio AB', 'Studio SL'],
    ['C#', 'C'],
    ['C++', 'C'],
  ])('keeps %j and %j apart', (one, other) =>
    expect(companyNameKey(one)).not.toBe(companyNameKey(other)),
  );
});

describe('domainKey', () => {
  it.each([
    ['https://www.Acme.co.uk/about?x=1', 'acme.co.uk'],
    ['acme.com', 'acme.com'],
    ['HTTP://ACME.COM.:8080/', 'acme.com'],
    ['//acme.com/x', 'acme.com'],
    ['shop.acme.com', 'acme.com'],
    ['www.acme.example', 'acme.example'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['foo.github.io', 'foo.github.io'],
    ['www.foo.github.io', 'foo.github.io'],
    ['foo.myshopify.com', 'foo.myshopify.com'],
    ['foo.jimdofree.com/kontakt', 'foo.jimdofree.com'],
    ['foo.business.site', 'foo.business.site'],
  ])('%j -> %j', (website, key) => expect(domainKey(website)).toBe(key));

  it.each([
    'facebook.com/acme',
    'https://m.facebook.com/acme',
    'instagram.com/acme',
    'linktr.ee/acme',
    'https://sites.google.com/view/acme',
    'https://www.yelp.com/biz/acme',
    ...'wolt.com toasttab.com treatwell.co.uk tripadvisor.de fresha.com jameda.de 11880.com zocdoc.com'.split(
      ' ',
    ),
    ...'doctolib.it booksy.com opentable.co.uk thefork.it yelp.de ubereats.com lieferando.de'.split(
      ' ',
    ),
    ...'www.just-eat.co.uk/acme deliveroo.fr order.toasttab.com/online/acme business.site'.split(
      ' ',
    ),
    'github.io',
    'www.wix.com',
    'http://192.0.2.1/',
    'http://[2001:db8::1]/',
    'localhost',
    'javascript:alert(1)',
    'ftp://acme.com',
    'not a website',
    'acme',
    '',
    null,
  ])('says nothing of %j', (website) => expect(domainKey(website)).toBeNull());
});

describe('emailKey', () => {
  it.each([
    [' Ann@Acme.COM ', 'ann@acme.com'],
    ['ann@Müller.DE', 'ann@xn--mller-kva.de'],
    ['ann@acme.com.', 'ann@acme.com'],
    ['"a@b"@acme.com', '"a@b"@acme.com'],
  ])('%j -> %j', (email, key) => expect(emailKey(email)).toBe(key));

  it.each(['', 'ann', 'ann@', '@acme.com', null])('none of %j', (email) =>
    expect(emailKey(email)).toBeNull(),
  );
});

describe('profileKey', () => {
  it.each([
    ['https://de.linkedin.com/in/Ann-Lee/?trk=x', 'linkedin.com/in/ann-lee'],
    ['linkedin.com/in/ann-lee', 'linkedin.com/in/ann-lee'],
    ['http://www.linkedin.com/in/ann-lee/de', 'linkedin.com/in/ann-lee'],
    ['https://www.linkedin.com/in/j%C3%BCrgen', 'linkedin.com/in/jürgen'],
    ['https://pt-br.facebook.com/Acme/', 'facebook.com/acme'],
    ['https://m.facebook.com/Acme?ref=x', 'facebook.com/acme'],
    ['https://facebook.com/profile.php?id=12&sk=about', 'facebook.com/profile.php?id=12'],
    ['https://mobile.twitter.com/Ann', 'x.com/ann'],
    ['https://x.com/ann#top', 'x.com/ann'],
    ['https://example.com/team?member=5&utm_source=mail', 'example.com/team?member=5'],
    ['https://example.com/Ann/', 'example.com/Ann'],
    [
      'https://www.linkedin.com/sales/lead/ACwAAAbC,NAME_SEARCH,x1?_ntb=y',
      'linkedin.com/sales/lead/ACwAAAbC',
    ],
    ['linkedin.com/sales/people/ACwAAAbC,NAME_SEARCH', 'linkedin.com/sales/lead/ACwAAAbC'],
    ['https://www.linkedin.com/pub/ann-lee/1/2b/3', 'linkedin.com/pub/ann-lee/1/2b/3'],
    [
      'https://www.linkedin.com/profile/view?authType=name&id=123',
      'linkedin.com/profile/view?id=123',
    ],
    ['https://www.linkedin.com/in/ann-lee/details/skills/', 'linkedin.com/in/ann-lee'],
    ['https://www.youtube.com/watch?v=aBc&t=5', 'youtube.com/watch?v=aBc'],
    ['https://facebook.com/story.php?story_fbid=9&id=7', 'facebook.com/story.php?id=7'],
    ['https://www.xing.com/app/profile?op=x&name=Ann_Lee', 'xing.com/app/profile?name=Ann_Lee'],
    ['https://facebook.com/people/Ann-Lee/100/', 'facebook.com/people/ann-lee/100'],
  ])('%j -> %j', (url, key) => expect(profileKey(url)).toBe(key));

  it.each([
    'https://www.linkedin.com/company/acme',
    'linkedin.com/company/acme/people/?x=1',
    'https://de.linkedin.com/school/mit/',
    'linkedin.com/groups/123',
    'linkedin.com/showcase/acme-labs',
    'linkedin.com/sales/company/123',
    'linkedin.com/in/',
    'linkedin.com/pub',
    'linkedin.com',
    'linkedin.com/sales/lead/',
    'linkedin.com/profile/view?trk=x',
    'facebook.com/',
    'facebook.com/profile.php',
    'facebook.com/groups/123',
    'youtube.com/watch',
    'xing.com/companies/acme',
  ])('knows nobody by %j', (url) => expect(profileKey(url)).toBeNull());

  it.each(['linkedin.com/in/a%00b', 'example.com/%00?a=%00', 'facebook.com/profile.php?id=%00'])(
    'can be stored: %j',
    (url) => expect(profileKey(url) ?? '').not.toContain('\u0000'),
  );

  it('keeps pages apart that only their query tells apart', () => {
    expect(profileKey('example.com/team?member=5')).not.toBe(
      profileKey('example.com/team?member=6'),
    );
  });
});

describe('phoneKey', () => {
  it.each([
    ['+49 30 123456', null, '4930123456'],
    ['030 123456', 'DE', '4930123456'],
    ['+49 (0)30 123456', null, '4930123456'],
    ['0049 30 12 34 56', 'DE', '4930123456'],
    ['(415) 555-0100', 'US', '14155550100'],
    ['+14155550100', 'DE', '14155550100'],
    ['030 123456', null, '030123456'],
    ['+1 415 555 0100 ext. 12', null, '14155550100x12'],
  ])('%j in %j -> %j', (phone, country, key) => expect(phoneKey(phone, country)).toBe(key));

  it.each(['', 'n/a', '112', null])('none of %j', (phone) => expect(phoneKey(phone)).toBeNull());
});

describe('personNameKey', () => {
  it.each([
    ['Ann-Marie', "O'Neil", 'ann marie oneil'],
    [' ANN ', 'Lee', 'ann lee'],
    ['', '', ''],
    ['José', 'Núñez', 'josé núñez'],
    ['J.', 'R. R. Tolkien', 'j r r tolkien'],
    ['Γιώργος', 'ΠΑΠΠΑΣ', 'γιώργοσ παππασ'],
  ])('%j %j -> %j', (first, last, key) => expect(personNameKey(first, last)).toBe(key));
});

describe('tombstones', () => {
  const keys = { emailKey: 'a@b.co', profileKey: null, phoneKey: '4930123456', nameKey: 'ann lee' };
  const forbids = (erased: PersonKeys, other: PersonKeys) => {
    const left = new Set(tombstoneKeys(erased));
    return forbiddenBy(other).some((key) => left.has(key));
  };

  it('are left for the address, the number, and the number and its end with the name', () => {
    expect(tombstoneKeys(keys)).toEqual([
      'email:a@b.co',
      'phone:4930123456',
      'phone_name:4930123456|ann lee',
      'phone_end:0123456|ann lee',
    ]);
  });

  it('are left with the name alone for what others have, too', () => {
    const page = { ...keys, profileKey: 'facebook.com/acme' };
    const words = tombstoneKeys(page, () => true);
    expect(words).not.toContain('phone:4930123456');
    expect(words).not.toContain('profile:facebook.com/acme');
    expect(words).toContain('profile_name:facebook.com/acme|ann lee');
  });

  const nobody = { emailKey: null, profileKey: null, phoneKey: null, nameKey: '' };
  it.each([
    ['the same number and name', { phoneKey: '4930123456', nameKey: 'ann lee' }, true],
    ['the number without the country', { phoneKey: '030123456', nameKey: 'ann lee' }, true],
    ['the number and no name', { phoneKey: '4930123456' }, true],
    ['the number and another name', { phoneKey: '4930123456', nameKey: 'bob ray' }, false],
    ['the number and an address', { phoneKey: '4930123456', emailKey: 'b@b.co' }, false],
    ['the page and name', { profileKey: 'facebook.com/acme', nameKey: 'ann lee' }, true],
    ['the page and another name', { profileKey: 'facebook.com/acme', nameKey: 'bob ray' }, false],
    ['the profile', { profileKey: 'linkedin.com/in/ann', nameKey: 'ann smith' }, true],
  ])('of a person forbid somebody with %s: %j %j', (_who, other, isForbidden) => {
    const erased = ['facebook.com/acme', 'linkedin.com/in/ann'].map((profileKey) => ({
      ...keys,
      profileKey,
    }));
    expect(erased.some((person) => forbids(person, { ...nobody, ...other }))).toBe(isForbidden);
  });

  it('of a number that nobody is known by forbid whoever has nothing else', () => {
    const number = { ...nobody, phoneKey: '4930123456' };
    expect(forbids(number, { ...keys, emailKey: null })).toBe(true);
    expect(forbids(number, keys)).toBe(false);
  });
});

/** As requests and files hand it in: without NUL. */
const anyText = fc
  .string({ unit: 'grapheme', maxLength: 700 })
  .map((text) => text.replaceAll('\u0000', ''));

describe('every key', () => {
  it('comes of any text without an error, is bounded, and can be stored', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const key of [companyNameKey, domainKey, emailKey, profileKey, phoneKey]) {
          const made = key(text) ?? '';
          expect(made.length).toBeLessThanOrEqual(500);
          expect(made).not.toContain('\u0000');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is a key of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        for (const key of [companyNameKey, (name: string) => personNameKey(name, '')]) {
          expect(key(key(text))).toBe(key(text));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
