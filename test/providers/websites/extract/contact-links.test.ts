/** Pages for reaching a business are known by the words of many languages, on the same site only. */
import { describe, expect, it } from 'vitest';
import {
  combine,
  contactScore,
  extractPage,
} from '../../../../src/providers/websites/extract/index.ts';
import { createFrontier } from '../../../../src/providers/websites/frontier.ts';

const home = 'https://www.acme.de/';
const page = (html: string, url = home) => extractPage({ html, url, countryCode: 'DE' });
const links = (html: string) => page(html).contactLinks;
const contactPages = (html: string) =>
  combine([page(html)], { website: home, countryCode: 'DE' }).contactPages;

describe('a link to a contact page', () => {
  it.each([
    ['de', '/kontakt.html', 'Kontakt'],
    ['en', '/contact-us/', 'Contact Us'],
    ['fr', '/contactez-nous.html', 'Contactez-nous'],
    ['es', '/contacto', 'Contáctanos'],
    ['it', '/contatti.php', 'Contatti'],
    ['pt', '/fale-conosco', 'Fale conosco'],
    ['nl', '/contact', 'Contactgegevens'],
    ['pl', '/kontakt', 'Kontakt'],
    ['cs', '/kontakty', 'Kontakty'],
    ['hu', '/kapcsolat', 'Elérhetőségek'],
    ['fi', '/yhteystiedot', 'Ota yhteyttä'],
    ['sv', '/kontakta-oss', 'Kontakta oss'],
    ['da', '/kontakt', 'Kontakt os'],
    ['tr', '/iletisim', 'İletişim'],
    ['ro', '/contact', 'Contactați-ne'],
    ['hr', '/kontakt', 'Kontaktirajte'],
    ['lt', '/kontaktai', 'Kontaktai'],
    ['el', '/epikoinonia', 'Επικοινωνία'],
    ['ru', '/kontakty', 'Контакты'],
    ['uk', '/kontakti', 'Контакти'],
    ['ja', '/toiawase.html', 'お問い合わせはこちら'],
    ['zh', '/lianxi', '联系我们'],
    ['ko', '/contact', '문의하기'],
    ['ar', '/contact', 'اتصل بنا'],
    ['eu', '/kontaktua', 'Kontaktua'],
  ])('is known in %s by its path and by its text', (_, path, text) => {
    expect(links(`<a href="${path}">x</a>`)[0]).toMatchObject({ kind: 'contact' });
    expect(links(`<a href="/p?id=7">${text}</a>`)[0]).toMatchObject({ kind: 'contact' });
    expect(contactPages(`<a href="${path}">${text}</a>`)).toEqual([new URL(path, home).href]);
  });

  it('comes before an Impressum, about us and privacy', () => {
    const html =
      '<a href="/datenschutz">Datenschutz</a><a href="/ueber-uns">Über uns</a><a href="/impressum">Impressum</a><a href="/kontakt">Kontakt</a>';
    expect(links(html).map(({ kind }) => kind)).toEqual(['contact', 'legal', 'about', 'privacy']);
  });

  it('is an Impressum only where there is no other', () => {
    expect(contactPages('<a href="/impressum">Impressum</a>')).toEqual([
      'https://www.acme.de/impressum',
    ]);
    expect(
      contactPages('<a href="/impressum">Impressum</a><a href="/kontakt">Kontakt</a>'),
    ).toEqual(['https://www.acme.de/kontakt']);
  });

  it.each([
    ['a section of the page itself', '<a href="#kontakt">Kontakt</a>'],
    ['a section of the home page', '<a href="/index.html#kontakt">Kontakt</a>'],
    ['another site', '<a href="https://www.other.de/kontakt">Kontakt</a>'],
    ['a file', '<a href="/kontakt.pdf">Kontakt</a>'],
    ['lenses', '<a href="/kontaktlinsen">Kontaktlinsen</a><a href="/shop">Contact lenses</a>'],
    ['a mail', '<a href="mailto:x@acme.de">Kontakt</a><a href="tel:030">Contact</a>'],
    ['a script', '<a href="javascript:void(0)">Kontakt</a>'],
  ])('is not %s', (_, html) => {
    expect(contactPages(html)).toEqual([]);
  });

  it('may lead to a subdomain of the same business, not to a neighbour on the same host', () => {
    expect(contactPages('<a href="https://shop.acme.de/kontakt">Kontakt</a>')).toHaveLength(1);
    const html = '<a href="https://other.github.io/contact">Contact</a>';
    const { contactLinks } = page(html, 'https://acme.github.io/');
    expect(contactLinks).toEqual([]);
  });

  it('is one page, with its ending or without, with form fields or without', () => {
    const html =
      '<a href="/contact?subject=a">Contact</a><a href="/contact.html">Contact</a><a href="/contact">Contact</a>';
    expect(contactPages(html)).toEqual(['https://www.acme.de/contact']);
  });

  it('is scored by its address alone for the sitemap', () => {
    expect(contactScore('https://acme.de/kontakt', '')).toBeGreaterThanOrEqual(50);
    expect(contactScore('https://acme.de/produkte', '')).toBe(0);
    expect(contactScore('not an address', '')).toBe(0);
  });
});

describe('what else a page leads to', () => {
  it('tells where a refresh leads, unless it only reloads after minutes', () => {
    expect(page('<meta http-equiv="refresh" content="0; url=./eu/">').refresh).toBe(
      'https://www.acme.de/eu/',
    );
    expect(page('<meta http-equiv="refresh" content="600; url=/x">').refresh).toBeNull();
  });

  it('tells where a script leads from a page that shows nothing', () => {
    const script = '<script>window.location.href = "/de/index.html";</script>';
    expect(page(script).refresh).toBe('https://www.acme.de/de/index.html');
    expect(page(`${script}<p>${'text '.repeat(100)}</p>`).refresh).toBeNull();
  });

  it('does not follow a refresh for browsers without scripts', () => {
    const html = '<noscript><meta http-equiv="refresh" content="0; url=/nojs"></noscript>';
    expect(page(html).refresh).toBeNull();
  });

  it('follows buttons that lead on by script', () => {
    const html = `<button onclick="location.href='/kontakt'">Jetzt anfragen</button>`;
    expect(page(html).contactLinks[0]!.url).toBe('https://www.acme.de/kontakt');
  });

  it('tells frames of the same site', () => {
    const html = '<frameset><frame src="left.htm"><frame src="https://ads.other.de/x"></frameset>';
    expect(page(html).frames).toEqual(['https://www.acme.de/left.htm']);
  });

  it('tells the frames that hold the text before ornaments', () => {
    const html = `<frameset><frame src="bg_links.htm"><frame src="oben.htm"><frame src="navi.htm">
      <frame src="start.htm"></frameset>`;
    const files = page(html).frames.map((frame) => frame.slice(frame.lastIndexOf('/') + 1));
    expect(files).toEqual(['navi.htm', 'start.htm', 'oben.htm']);
  });

  it('leads into frames where browsers without them are told a number only', () => {
    const url = new URL('https://www.acme.de/');
    const html =
      '<frameset><frame src="start.htm"><noframes>Tel. 030 23125014</noframes></frameset>';
    const frontier = createFrontier();
    frontier.learn({ url, findings: extractPage({ html, url: url.href, countryCode: 'DE' }) });
    expect(
      frontier.next({ hasEmail: false, hasPersonalEmail: false, hasPhone: true })?.pathname,
    ).toBe('/start.htm');
  });

  it('tells homes of languages where nothing else is linked', () => {
    expect(page('<a href="/de/">Deutsch</a><a href="/en/">English</a>').otherLinks).toEqual([
      'https://www.acme.de/de/',
      'https://www.acme.de/en/',
    ]);
  });

  it('resolves links against base', () => {
    expect(page('<base href="/sub/"><a href="kontakt">Kontakt</a>').contactLinks[0]!.url).toBe(
      'https://www.acme.de/sub/kontakt',
    );
  });
});
