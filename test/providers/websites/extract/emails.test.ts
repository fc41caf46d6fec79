/** E-mail addresses are found in every disguise that websites use, and only as they are meant. */
import { describe, expect, it } from 'vitest';
import type { FoundEmail } from '../../../../src/domain/discovery/contacts.ts';
import { extractPage } from '../../../../src/providers/websites/extract/index.ts';
import { EMAIL_WRITINGS } from '../../../corpus/email-writings.ts';

const found = (html: string, url = 'https://www.acme.de/kontakt'): FoundEmail[] =>
  extractPage({ html, url, countryCode: 'DE' }).emails;
const addresses = (html: string): string[] => found(html).map(({ email }) => email);

describe('an address on a page', () => {
  it.each(EMAIL_WRITINGS.map(({ name, html }) => [name, html('info@acme.de')]))(
    'is found: %s',
    (_, html) => {
      expect(addresses(`<div>Tel 030 23125014</div><div>${html}</div><p>Mo-Fr</p>`)).toEqual([
        'info@acme.de',
      ]);
    },
  );

  it.each([
    [
      'two in one mailto, one more in cc',
      '<a href="mailto:a@acme.de,b@acme.de?cc=c@acme.de">x</a>',
      ['a@acme.de', 'b@acme.de', 'c@acme.de'],
    ],
    ['with %20 at its end', '<a href="mailto:info@acme.de%20">x</a>', ['info@acme.de']],
    ['in a list with semicolons', 'a@acme.de;b@acme.de', ['a@acme.de', 'b@acme.de']],
    ['with the next sentence clinging to it', 'info@acme.de.Wir freuen uns', ['info@acme.de']],
    ['with the next word clinging to it', 'E-Mail:info@acme.deTelefon:030', ['info@acme.de']],
    ['before another script', 'お問い合わせはinfo@acme.co.jpまで', ['info@acme.co.jp']],
    ['before another element', '<span>info@acme.de</span><span>Mo-Fr</span>', ['info@acme.de']],
    ['behind a label in an element', '<b>Email</b>info@acme.de', ['info@acme.de']],
    [
      'behind a telephone number',
      '<span>030 1230307</span><span>info@acme.de</span>',
      ['info@acme.de'],
    ],
    ['broken by an element', 'max.<wbr>muster@acme.de', ['max.muster@acme.de']],
    ['on an international domain', 'info@bäckerei-acme.de', ['info@xn--bckerei-acme-gcb.de']],
    ['in upper case', 'INFO@ACME.DE', ['info@acme.de']],
    ['in the action of a form', '<form action="mailto:info@acme.de">', ['info@acme.de']],
    [
      'in og:description',
      '<meta property="og:description" content="Write to info@acme.de">',
      ['info@acme.de'],
    ],
    ['with NOSPAM between', 'info@NOSPAM.acme.de', ['info@acme.de']],
    ['as an icon font for the sign', 'info<i class="fa fa-at"></i>acme.de', ['info@acme.de']],
    ['with underscores', 'write: info_at_acme.de', ['info@acme.de']],
    ['with AT in capitals', 'infoATacme.de', ['info@acme.de']],
    [
      'as numbers of four letters',
      '<script>var e=new Array;e[0] = 1768842863;e[1] = 1080124269;e[2] = 1697539173;</script>',
      ['info@acme.de'],
    ],
    [
      'in JSON-LD that is not quite JSON',
      '<script type="application/ld+json">{"@type":"Store","email":"info@acme.de","x":"a\nb",}</script>',
      ['info@acme.de'],
    ],
    [
      'in JSON-LD that is broken',
      '<script type="application/ld+json">{"@type":"Store" "email":"info@acme.de"</script>',
      ['info@acme.de'],
    ],
    [
      'protected with blanks around',
      `<a data-cfemail="${protect(' info@acme.de ')}">x</a>`,
      ['info@acme.de'],
    ],
  ])('is found: %s', (_, html, expected) => {
    expect(addresses(html)).toEqual(expected);
  });

  it('is one find, however often it is written, in its plainest form', () => {
    const html = 'info@acme.de <a href="mailto:Info@acme.de">x</a> info (at) acme.de';
    expect(found(html)).toMatchObject([{ email: 'info@acme.de', form: 'mailto' }]);
  });

  it.each([
    ['info@acme.de', 'generic'],
    ['kontakt@acme.de', 'generic'],
    ['praxis.berlin@acme.de', 'generic'],
    ['reservas2@acme.de', 'generic'],
    ['anna.berg@acme.de', 'personal'],
    ['dr.weber@acme.de', 'personal'],
    ['acmeberlin@gmail.com', 'generic'],
    ['acme.berg@gmail.com', 'personal'],
  ])('of %s is called %s', (email, kind) => {
    expect(found(email)).toMatchObject([{ email, kind }]);
  });

  it('bears the name that stands with it where both agree', () => {
    const html = '<h3>Anna Berg</h3><p>Leitung</p><a href="mailto:anna.berg@acme.de">E-Mail</a>';
    expect(found(html)).toMatchObject([{ name: 'Anna Berg' }]);
    expect(found('<h3>Hotel Berg</h3>anna.berg@acme.de')[0]!.name).toBeUndefined();
  });
});

describe('what only looks like an address', () => {
  it.each([
    ['a retina image', '<img src="logo@2x.png" alt="logo@2x.png"> hero@3x.webp'],
    ['a package', 'swiper@8.4.5 bootstrap@5.3.0-alpha1 lightbox2@2.11.4'],
    ['an example domain', 'name@example.com info@exemple.fr you@yourdomain.com'],
    [
      'a placeholder of a form',
      '<input placeholder="info@acme.de" value="info@acme.de"><textarea>info@acme.de</textarea>',
    ],
    ['a placeholder in words', 'max@email.de tu@email.com name@firma.de max.mustermann@gmail.com'],
    ['a share link', '<a href="mailto:?subject=Look&body=see info%20here">x</a>'],
    [
      "a vendor's",
      'x@sentry.io 0f3a9c77b1e24d5f8a6b0f3a9c77b1e2@acme.de filler@godaddy.com a@wixpress.com',
    ],
    ['a theme author', 'support@qodeinteractive.com hello@colorlib.com mail@demolink.org'],
    [
      'code',
      '<script>const dev = "dev@acme.de"; track("a@acme.de")</script><style>a{content:"x@acme.de"}</style>',
    ],
    ['a comment', '<!-- old@acme.de -->'],
    ['a sentence with "at"', 'Visit us at acme.de, look at www.acme.de, open at noon'],
    ['a place behind the sign', 'Follow @acme.de or meet us @ acme.de'],
    ['an account behind the sign', 'Contact: find us on Instagram @acme.de'],
    ['a paragraph', 'Punkt (a) www.acme.de und Absatz (a) acme.de'],
    ['a site behind "at"', 'Mail: read more at www.acme.de'],
    ['a name with "at" in it', 'www.m-patachon.de and gratis-kontaktformular.de'],
    ['a file', 'style@media.css main@app.min.js'],
    ['a template', '<template>info@acme.de</template>'],
  ])('is left alone: %s', (_, html) => {
    expect(addresses(html)).toEqual([]);
  });
});

function protect(text: string): string {
  return Buffer.from([7, ...Buffer.from(text).map((byte) => byte ^ 7)]).toString('hex');
}
