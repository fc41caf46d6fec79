/** A small invented website around one way of writing: what stands on its page, and what is a contact. */
import type { LabelledSite } from '../support/websites/contacts-corpus.ts';
import { LAYOUTS } from './layouts.ts';

export interface SiteCase {
  name: string;
  /** The domain of the site, where its page names it; sites of one domain differ by the name before. */
  domain?: string;
  /** Two letters, upper case. */
  country: string;
  language: string;
  /** Where the page stands, and what links call it. */
  page: { path: string; word: string };
  /** Nobody asks for a privacy page. */
  isPrivacy?: boolean;
  /** Stands in the page's head. */
  head?: string;
  html: string;
  emails: string[];
  phones: string[];
  /** What must not be found; the page shows it in some way. */
  others: string[];
}

/** A home page that leads to the page of the case, and that page. */
export function siteOfCase(set: string, at: number, site: SiteCase): LabelledSite {
  const { country, language, page, emails, phones, others } = site;
  const host = `${set}-${at + 1}.${site.domain ?? 'test'}`;
  const links = [
    { href: '/', text: host },
    { href: page.path, text: page.word },
  ];
  const write = (heading: string, body: string): LabelledSite['pages'][string] => {
    const head = site.head ?? '';
    const parts = { language, title: host, links, head, heading, body, footer: `&copy; ${host}` };
    const html = LAYOUTS[at % LAYOUTS.length]!(parts);
    return { body: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200 };
  };
  return {
    host,
    country,
    website: `http://${host}/`,
    pages: { '/': write(host, '<p>.</p>'), [page.path]: write(page.word, site.html) },
    emails,
    phones,
    socials: [],
    contactPages: site.isPrivacy ? [] : [`http://${host}${page.path}`],
    optional: {},
    mustNotContain: others,
  };
}
