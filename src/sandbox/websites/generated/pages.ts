/** The pages of a generated business: home, contact, about, the legally required page, and decoys. */
import type { Page, Site } from '../site-records.ts';
import type { Business } from './businesses.ts';
import { decoysOf, footer } from './decoys.ts';
import { writeEmail } from './writings.ts';

const SLOW_MS = 1_500;

/** One site or, where the bare name only leads to `www.`, two. */
export function sitesOf(business: Business): Site[] {
  const { host, quirk } = business;
  const pages = encoded(business, pagesOf(business));
  if (quirk === 'down') return [{ host, pages: {}, down: true }];
  if (quirk !== 'www') return [{ host, pages }];
  const moved = (path: string): [string, Page] => [
    path,
    { status: 301, headers: { Location: `https://www.${host}${path}` }, body: '' },
  ];
  const paths = Object.keys(pages);
  return [
    { host, pages: Object.fromEntries(paths.map(moved)) },
    { host: `www.${host}`, pages },
  ];
}

function pagesOf(business: Business): Record<string, Page> {
  const { language, quirk, host } = business;
  const { contact, about, legal } = language.paths;
  const html = (path: string, body: string): [string, Page] => [
    path,
    {
      body: frame(business, body),
      ...(quirk === 'slow' && { delayMs: SLOW_MS }),
    },
  ];
  const robots =
    quirk === 'robots'
      ? 'User-agent: *\nDisallow: /\n'
      : `User-agent: *\nAllow: /\nSitemap: https://${host}/sitemap.xml\n`;
  const paths = ['/', contact, about, ...(legal === undefined ? [] : [legal.path])];
  return Object.fromEntries([
    html('/', home(business)),
    html(contact, contactPage(business)),
    html(about, aboutPage(business)),
    ...(legal === undefined ? [] : [html(legal.path, legalPage(business, legal.title))]),
    ['/robots.txt', { body: robots, contentType: 'text/plain' }],
    ['/sitemap.xml', { body: sitemap(host, paths), contentType: 'application/xml' }],
  ]);
}

const sitemap = (host: string, paths: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>https://${host}${path}</loc></url>`)
    .join('')}</urlset>`;

/** Head, navigation and footer around a page. */
function frame(business: Business, body: string): string {
  const { name, languageCode, quirk } = business;
  const charset = quirk === 'latin1' ? 'iso-8859-1' : 'utf-8';
  return `<!doctype html>
<html lang="${languageCode}"><head><meta charset="${charset}"><title>${name}</title>
${decoysOf(business).head}${business.writing.name === 'json-ld' ? jsonLd(business) : ''}</head>
<body>${navigation(business)}
<main>${body}</main>
${footer(business)}</body></html>`;
}

/** The site with the sitemap hides its contact page from the menu. */
function navigation({ language, quirk, name }: Business): string {
  const { paths, words } = language;
  const links = [
    ['/', words.home],
    ...(quirk === 'sitemap' ? [] : [[paths.contact, words.contact]]),
    [paths.about, words.about],
    ...(paths.legal === undefined ? [] : [[paths.legal.path, paths.legal.title]]),
  ];
  const items = links.map(([path, title]) => `<li><a href="${path}">${title}</a></li>`);
  return `<header><img src="/img/logo@2x.png" alt="${name}"><nav><ul>${items.join('')}</ul></nav></header>`;
}

const home = ({ language, name, city, trade, phone }: Business): string =>
  `<h1>${name}</h1>
<p>${language.welcome.replace('{name}', name).replace('{city}', city.name)}</p>
<p>${language.offers[trade]}</p>
<p>${language.words.phone}: <a href="tel:${phone.e164}">${phone.shown}</a></p>`;

const addressLines = ({ street, city }: Business): string =>
  `<address>${street}<br>${city.postalCode} ${city.name}</address>`;

function contactPage(business: Business): string {
  const { language, writing, email, phone, fax } = business;
  const { words } = language;
  const shown = writeEmail(email, writing);
  const scope =
    writing.name === 'microdata' ? ' itemscope itemtype="https://schema.org/LocalBusiness"' : '';
  return `<h1>${words.contact}</h1>
<section${scope}>${addressLines(business)}
<p>${words.phone}: ${phone.shown}</p>
${fax === null ? '' : `<p>${words.fax}: ${fax.shown}</p>`}
${shown === '' ? '' : `<p>${words.email}: ${shown}</p>`}</section>
<p>${words.hours}: 08:00-17:30</p>
<form action="/send" method="post"><input type="email" placeholder="name@example.com" name="from">
<textarea name="text"></textarea><button>OK</button></form>`;
}

function aboutPage(business: Business): string {
  const { language, owner, ownerEmail, showsOwnerEmail, name, city } = business;
  const { words } = language;
  const person = `${owner.firstName} ${owner.lastName}`;
  const email = showsOwnerEmail ? `, <a href="mailto:${ownerEmail}">${ownerEmail}</a>` : '';
  return `<h1>${words.about}</h1>
<p>${name}, ${city.name}, 1998-2026.</p>
<p>${words.owner}: ${person}${email}</p>`;
}

function legalPage(business: Business, title: string): string {
  const { name, owner, email, writing } = business;
  return `<h1>${title}</h1><p>${name}<br>${owner.firstName} ${owner.lastName}</p>${addressLines(business)}
<p>${writeEmail(email, writing)}</p><p>${decoysOf(business).taxNumber}</p>`;
}

function jsonLd({ name, email, phone, profiles, street, city }: Business): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name,
    email,
    telephone: phone.e164,
    sameAs: profiles,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      postalCode: city.postalCode,
      addressLocality: city.name,
      addressCountry: city.countryCode,
    },
  };
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}

/** The old site is stored and sent in Latin-1, which only its own text declares. */
function encoded({ quirk }: Business, pages: Record<string, Page>): Record<string, Page> {
  if (quirk !== 'latin1') return pages;
  const inLatin1 = ([path, page]: [string, Page]): [string, Page] => {
    if (page.contentType !== undefined) return [path, page];
    const { body = '', ...rest } = page;
    const bodyBase64 = Buffer.from(body.replaceAll('€', 'EUR'), 'latin1').toString('base64');
    return [path, { ...rest, bodyBase64, contentType: 'text/html' }];
  };
  return Object.fromEntries(Object.entries(pages).map(inLatin1));
}
