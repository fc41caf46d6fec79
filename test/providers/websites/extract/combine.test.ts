/** The pages of a site are put together: contacts of others are left out, each stands once. */
import { describe, expect, it } from 'vitest';
import { combine, extractPage } from '../../../../src/providers/websites/extract/index.ts';

const site = { website: 'https://www.acme.de/', countryCode: 'DE' };
const combined = (pages: Record<string, string>) =>
  combine(
    Object.entries(pages).map(([path, html]) =>
      extractPage({ html, url: `https://www.acme.de${path}`, countryCode: 'DE' }),
    ),
    site,
  );
const emails = (pages: Record<string, string>) => combined(pages).emails.map(({ email }) => email);

const own = '<h1>Impressum</h1><p>Acme GmbH<br>Tel. 030 23125014<br>info@acme.de</p>';

describe('addresses of others', () => {
  it.each([
    [
      'a chamber in an Impressum',
      '/impressum',
      `${own}<p>Zuständige Kammer: Rechtsanwaltskammer Berlin, info@rak-berlin.de</p>`,
    ],
    [
      'an arbitration board',
      '/impressum',
      `${own}<h2>Streitschlichtung</h2><p>Schlichtungsstelle, schlichtungsstelle@brak.de</p>`,
    ],
    ['a host', '/impressum', `${own}<h2>Hosting</h2><p>Wolke AG, support@wolke-hosting.com</p>`],
    [
      'a French host',
      '/mentions-legales',
      `<h1>Mentions légales</h1><p>Acme, info@acme.de</p><h2>Hébergement</h2><p>La société Nuage, dont le siège social est à Paris. Email : contact@nuage-web.fr</p>`,
    ],
    [
      'an authority in a privacy text',
      '/datenschutz',
      `<h1>Datenschutz</h1><p>Verantwortlich: Acme, info@acme.de</p><h2>Aufsichtsbehörde</h2><p>poststelle@lda-muster.de</p>`,
    ],
    [
      'a service in a privacy text',
      '/datenschutz',
      '<h1>Datenschutz</h1><p>Verantwortlich: info@acme.de</p><h2>Mailversand</h2><p>Wir nutzen Postbote Inc., privacy@postbote-mail.com</p>',
    ],
    [
      'a web designer in a footer',
      '/',
      '<p>info@acme.de</p><footer>Webdesign: Pixelwerk, hallo@pixelwerk-web.de</footer>',
    ],
    [
      'a theme that credits itself',
      '/',
      '<p>info@acme.de</p><p>Template by hello@some-themes.com</p>',
    ],
  ])('are left out: %s', (_, path, html) => {
    expect(emails({ '/': '<h1>Acme</h1>', [path]: html })).toEqual(['info@acme.de']);
  });

  it('do not keep out a business that has its address elsewhere', () => {
    expect(emails({ '/kontakt': '<p>E-Mail: acme.berlin@gmx.de</p>' })).toEqual([
      'acme.berlin@gmx.de',
    ]);
    expect(emails({ '/kontakt': '<p>E-Mail: kanzlei@berg-partner.de</p>' })).toEqual([
      'kanzlei@berg-partner.de',
    ]);
    expect(
      emails({ '/impressum': '<h1>Impressum</h1><p>Berg Holding, info@berg-holding.de</p>' }),
    ).toEqual(['info@berg-holding.de']);
  });

  it('are told from a business that bears such a name', () => {
    const html =
      '<h1>Impressum</h1><p>Versicherungsmakler Berg, Fotografie und Design<br>info@berg-makler.de</p>';
    expect(emails({ '/impressum': html })).toEqual(['info@berg-makler.de']);
  });

  it('count once they stand in the business’s own words too', () => {
    const pages = {
      '/': '<p>berg@webschmiede.de</p>',
      '/impressum': `${own}<h2>Webdesign</h2>berg@webschmiede.de`,
    };
    expect(emails(pages)).toContain('berg@webschmiede.de');
  });
});

describe('JSON-LD that was copied from elsewhere', () => {
  const linkedData = (profile: string) =>
    `<script type="application/ld+json">${JSON.stringify({ telephone: '+49 221 4710123', email: 'hotel@elsewhere-inn.com', sameAs: [profile, 'https://www.instagram.com/elsewhere'] })}</script>` +
    '<a href="https://www.facebook.com/acme">x</a>';

  it('is not believed at all', () => {
    const {
      emails: mails,
      phones,
      profiles,
    } = combined({ '/': linkedData('https://www.facebook.com/elsewhere') });
    expect([mails, phones]).toEqual([[], []]);
    expect(profiles.map(({ url }) => url)).toEqual(['https://www.facebook.com/acme']);
  });

  it('is believed where it agrees with what visitors see', () => {
    const { phones, profiles } = combined({ '/': linkedData('https://www.facebook.com/acme/') });
    expect(phones).toHaveLength(1);
    expect(profiles.map(({ network }) => network)).toEqual(['facebook', 'instagram']);
  });
});

describe("a messenger's number", () => {
  it('counts where no other is named', () => {
    const messenger = '<a href="https://wa.me/491713920014">WhatsApp</a>';
    expect(combined({ '/': messenger }).phones.map(({ phone }) => phone)).toEqual([
      '+491713920014',
    ]);
    expect(
      combined({ '/': `${messenger} Tel. 030 23125014` }).phones.map(({ phone }) => phone),
    ).toEqual(['+493023125014']);
  });
});

describe('what is found on several pages', () => {
  it('stands once, on the page it was first seen', () => {
    const html =
      '<a href="mailto:info@acme.de">x</a><a href="tel:+493023125014">x</a><a href="https://www.facebook.com/acme">x</a>';
    const { emails: mails, phones, profiles } = combined({ '/': html, '/kontakt': html });
    expect(mails).toEqual([
      { email: 'info@acme.de', kind: 'generic', page: 'https://www.acme.de/', form: 'mailto' },
    ]);
    expect(phones).toEqual([
      { phone: '+493023125014', page: 'https://www.acme.de/', form: 'tel', isFax: false },
    ]);
    expect(profiles).toEqual([
      { network: 'facebook', url: 'https://www.facebook.com/acme', page: 'https://www.acme.de/' },
    ]);
  });

  it('is a fax when only an unlabelled copy says otherwise', () => {
    const { phones } = combined({
      '/': '<p>030 23125019</p>',
      '/kontakt': '<p>Fax 030 23125019</p>',
    });
    expect(phones).toMatchObject([{ isFax: true }]);
  });

  it('comes with the business’s own address first and faxes last', () => {
    const { emails: mails, phones } = combined({
      '/kontakt': 'Fax 030 23125019<br>Tel 030 23125014<br>acme@gmail.com info@acme.de',
    });
    expect(mails.map(({ email }) => email)).toEqual(['info@acme.de', 'acme@gmail.com']);
    expect(phones.map(({ isFax }) => isFax)).toEqual([false, true]);
  });

  it('is nothing for a site without pages', () => {
    expect(combine([], site)).toEqual({ emails: [], phones: [], profiles: [], contactPages: [] });
  });
});
