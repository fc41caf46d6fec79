/** The invented websites: each its own mixture of language, layout, writings and decoys. */
import type { LabelledSite } from '../support/websites/contacts-corpus.ts';
import { CONCEALED_CASES } from './concealed-contacts.ts';
import { decoysFor, thirdParty, type Decoy } from './decoys.ts';
import { DIGIT_CASES } from './digit-writings.ts';
import { EMAIL_WRITINGS } from './email-writings.ts';
import { ICON_CASES } from './icon-labels.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { LAYOUTS } from './layouts.ts';
import { PHONE_WRITINGS } from './phone-writings.ts';
import { siteOfCase } from './site-case.ts';
import { STRANGER_CASES } from './strangers.ts';

/** Sites with the language's businesses in turn; every writing stands on some. */
export const SITES = 56;

const CODES: Record<string, string> = {
  DE: '49',
  GB: '44',
  US: '1',
  FR: '33',
  ES: '34',
  IT: '39',
  NL: '31',
  PL: '48',
  PT: '351',
  CZ: '420',
  TR: '90',
  JP: '81',
  RU: '7',
  FI: '358',
};

interface Business {
  number: number;
  language: Language;
  host: string;
  name: string;
  /** On the contact page. */
  email: string;
  /** On the page about the people; null for most. */
  personal: string | null;
  profiles: string[];
}

/** Whole sites: with several pages in their order, charsets and layouts. */
export const wholeSites = (): LabelledSite[] =>
  Array.from({ length: SITES }, (_, number) => siteOf(number));

/** Those, and a small site around each special case. */
export const madeSites = (): LabelledSite[] => [
  ...wholeSites(),
  ...Object.entries(CASES).flatMap(([set, cases]) =>
    cases.map((each, at) => siteOfCase(set, at, each)),
  ),
];

const CASES = {
  concealed: CONCEALED_CASES,
  digits: DIGIT_CASES,
  icons: ICON_CASES,
  strangers: STRANGER_CASES,
};

function businessOf(number: number): Business {
  const language = LANGUAGES[number % LANGUAGES.length]!;
  const round = Math.floor(number / LANGUAGES.length);
  const name = language.names[round % language.names.length]!;
  const slug = `${slugOf(name)}${round >= language.names.length ? round : ''}`;
  const host = `${number % 3 === 0 ? 'www.' : ''}${slug}.test`;
  const [first, last] = language.people[round % 2]!;
  const roles = ['info', 'office', 'kontakt', 'hello', 'contact', 'post'];
  const handle = slug.replaceAll('-', '');
  const profiles = [
    `https://www.facebook.com/${handle}`,
    `https://www.instagram.com/${handle}_official`,
    `https://x.com/${handle.slice(0, 15)}`,
    `https://www.linkedin.com/company/${slug}`,
    `https://www.youtube.com/@${handle}`,
    `https://www.tiktok.com/@${handle}`,
  ];
  return {
    number,
    language,
    host,
    name,
    email:
      number % 9 === 8 ? `${handle}@gmail.com` : `${roles[number % roles.length]!}@${slug}.test`,
    personal: number % 4 === 1 ? `${slugOf(first)}.${slugOf(last)}@${slug}.test` : null,
    profiles: profiles.filter((_, at) => (number + at) % 3 !== 0),
  };
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function siteOf(number: number): LabelledSite {
  const business = businessOf(number);
  const { language, host, email, personal, profiles } = business;
  const { numbers, contact, about, legal } = language;
  const decoys = decoysFor(language, host);
  const chosen = [0, 1, 2, 3].map((page) => pick(decoys, number * 5 + page * 3, 5));
  const hasMobile = number % 2 === 0;
  const pages: LabelledSite['pages'] = {};
  const put = (path: string, html: string): void => {
    const [body, contentType] = encoded(html, number);
    pages[path] = { body, contentType, status: 200 };
  };
  put('/', homePage(business, chosen[0]!));
  put(contact.path, contactPage(business, chosen[1]!, hasMobile));
  put(about.path, aboutPage(business, chosen[2]!));
  if (legal) put(legal.path, legalPage(business, chosen[3]!));
  const other = legal ? thirdParty(language).mustNotContain : [];
  return {
    host,
    country: language.country,
    website: `http://${host}/`,
    pages,
    emails: [email],
    phones: [numbers.fixed[1], ...(hasMobile ? [numbers.mobile[1]] : [])],
    socials: profiles,
    contactPages: [`http://${host}${contact.path}`],
    optional: { emails: personal ? [personal] : [], phones: [numbers.fax[1]] },
    mustNotContain: [...chosen.flat().flatMap(({ mustNotContain }) => mustNotContain), ...other],
  };
}

const pick = <T>(list: T[], from: number, count: number): T[] =>
  Array.from({ length: count }, (_, at) => list[(from + at * 7) % list.length]!);

/** UTF-8 for most, old charsets for some. */
function encoded(html: string, number: number): [Buffer, string] {
  if (number % 11 !== 5) return [Buffer.from(html), 'text/html; charset=utf-8'];
  const isLatin = !/[^\p{ASCII}\u0080-\u00ff]/u.test(html);
  if (!isLatin) return [Buffer.from(`\uFEFF${html}`, 'utf16le'), 'text/html; charset=utf-16le'];
  return [Buffer.from(html, 'latin1'), 'text/html; charset=iso-8859-1'];
}

/** `/kontakt` -> `kontakt`: links are absolute on some sites and relative on others. */
function linksOf({ language, number, host }: Business): { href: string; text: string }[] {
  const { home, contact, about, legal } = language;
  const pages = [{ word: home, path: '/' }, about, contact, ...(legal ? [legal] : [])];
  const link = [
    (path: string) => path,
    (path: string) => `http://${host}${path}`,
    (path: string) => `.${path}`,
  ][number % 3]!;
  return pages.map(({ word, path }) => ({ href: link(path), text: word }));
}

function page(
  business: Business,
  parts: { heading: string; body: string; decoys: Decoy[]; head?: string },
): string {
  const { language, number, name, profiles } = business;
  const icons = profiles.map(
    (url) => `<a href="${spelt(url, number)}" rel="me"><i class="icon"></i></a>`,
  );
  const footer = `${icons.join('\n')}<p>&copy; 2012-2026 ${name}, ${language.street}, ${language.city}</p>`;
  const decoys = parts.decoys.map(({ html }) => html).join('\n');
  return LAYOUTS[number % LAYOUTS.length]!({
    language: language.code,
    title: name,
    links: linksOf(business),
    head: parts.head ?? '',
    heading: parts.heading,
    body: `${parts.body}\n${decoys}`,
    footer,
  });
}

/** Profiles with what people copy along: queries, other hosts, slashes. */
function spelt(url: string, number: number): string {
  const forms = [
    url,
    `${url}/`,
    `${url}?utm_source=site&hl=${number}`,
    url.replace('https://www.', 'http://m.'),
    url.replace('https:', ''),
  ];
  return url.includes('x.com')
    ? url.replace('x.com', 'twitter.com')
    : forms[number % forms.length]!;
}

function homePage(business: Business, decoys: Decoy[]): string {
  const { language, number, name } = business;
  const text = language.sentences.map((sentence) => `<p>${sentence}</p>`).join('\n');
  const phone = number % 2 === 1 ? writePhone(business, number + 3) : '';
  return page(business, {
    heading: language.greeting,
    body: `<h2>${name}</h2>${text}${phone}`,
    decoys,
    head: linkedData(business),
  });
}

function writePhone(
  { language }: Business,
  at: number,
  kind: 'fixed' | 'mobile' = 'fixed',
): string {
  const [national, e164] = language.numbers[kind];
  const label = kind === 'mobile' ? language.mobile : language.phone[at % language.phone.length]!;
  return PHONE_WRITINGS[at % PHONE_WRITINGS.length]!({
    national,
    e164,
    label,
    code: CODES[language.country]!,
  });
}

function contactPage(business: Business, decoys: Decoy[], hasMobile: boolean): string {
  const { language, number, email, name } = business;
  const writing = EMAIL_WRITINGS[number % EMAIL_WRITINGS.length]!;
  const mail = `<div>${language.mail[number % language.mail.length]!}: ${writing.html(email)}</div>`;
  const fax = `<p>${language.fax}: ${language.numbers.fax[0]}</p>`;
  const mobile = hasMobile ? writePhone(business, number + 11, 'mobile') : '';
  const address = `<p>${name}<br>${language.street}<br>${language.city}</p>`;
  const blocks = [address, writePhone(business, number), mobile, fax, mail];
  const order = [blocks, [address, mail, ...blocks.slice(1, 4)], [...blocks.slice(1), address]][
    number % 3
  ]!;
  return page(business, { heading: language.contact.word, body: order.join('\n'), decoys });
}

function aboutPage(business: Business, decoys: Decoy[]): string {
  const { language, number, personal } = business;
  const [first, last] = language.people[Math.floor(number / LANGUAGES.length) % 2]!;
  const person = personal
    ? `<p><b>${first} ${last}</b><br><a href="mailto:${personal}">${personal}</a></p>`
    : '';
  return page(business, {
    heading: language.about.word,
    body: language.sentences.join(' ') + person,
    decoys,
  });
}

/** The business's own data come first, then somebody else's. */
function legalPage(business: Business, decoys: Decoy[]): string {
  const { language, name, email } = business;
  const [national] = language.numbers.fixed;
  const own = `<p>${name}<br>${language.street}<br>${language.city}</p><p>${language.phone[0]!}: ${national}<br>${language.mail[0]!}: ${email}</p>`;
  const body = `${own}<p>${language.ids.join('<br>')}</p>${thirdParty(language).html}`;
  return page(business, { heading: language.legal!.word, body, decoys });
}

/** Every fifth site tells machines about itself. */
function linkedData({ number, host, name, email, language }: Business): string {
  if (number % 5 !== 2) return '';
  const data = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', url: `http://${host}/`, publisher: { '@id': '#b' } },
      {
        '@type': 'LocalBusiness',
        '@id': '#b',
        name,
        email: `mailto:${email}`,
        telephone: language.numbers.fixed[1],
        faxNumber: language.numbers.fax[1],
      },
      {
        '@type': 'Review',
        author: { '@type': 'Person', name: 'A. Guest', email: 'guest@reviews-portal.com' },
      },
    ],
  };
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}
