/** What companies are recognised by within an account: their name and their registrable domain. */
import { parse } from 'tldts';

/**
 * `'ACME, Inc.'` -> `'acme'`, `'Straße & Söhne GmbH & Co. KG'` -> `'strasse söhne'`: case-folded, no
 * punctuation, no legal form at the end. Never empty for a text that is not: `'GmbH'` -> `'gmbh'`.
 */
export function companyNameKey(name: string): string {
  const folded = foldCase(name);
  const words = folded.replaceAll(DOTTED_VEREIN, ' ').replaceAll(JOINING, '').split(NOT_IN_WORDS);
  const known = words.filter((word) => word !== '');
  let end = known.length;
  for (let length = formLength(known, end); length > 0; length = formLength(known, end)) {
    end -= length;
  }
  const key = known.slice(0, end).join(' ') || known.join(' ') || folded;
  return bounded(key);
}

/**
 * The registrable domain of a website or host name in any form of writing, lower case and punycode:
 * `'https://www.Acme.co.uk/about'` -> `'acme.co.uk'`. What hosts many businesses under one name is
 * cut below that name (`foo.github.io` is a domain of its own); null where the address says nothing
 * about who it belongs to: social networks, pages of links, bare platforms, IP addresses.
 */
export function domainKey(website: string | null | undefined): string | null {
  if (!website) return null;
  const host = hostOf(website);
  if (host === null) return null;
  const parts = parse(host, { allowPrivateDomains: true, extractHostname: false });
  if (parts.isIp || parts.domain === null) return null;
  if (SHARED.has(parts.domain)) return null;
  if (!HOSTING.has(parts.domain)) return bounded(parts.domain);
  const own = host.split('.').at(-(parts.domain.split('.').length + 1));
  return own === undefined || own === 'www' ? null : `${own}.${parts.domain}`;
}

/** NFKC, case-folded as far as the platform can: `ß` is `ss`. */
export const foldCase = (text: string): string =>
  // Most texts are plain ASCII, where the rest would only cost time.
  PLAIN.test(text)
    ? text.toLowerCase().trim()
    : text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').trim();

/** Keys stand in indexes, whose entries Postgres limits to a third of a page. */
export const bounded = (key: string): string => (key.length > 500 ? key.slice(0, 500) : key);

const PLAIN = /^[\x20-\x7e]*$/;

function hostOf(website: string): string | null {
  const text = website.trim().toLowerCase();
  // The usual case: the URL parser costs ten times more.
  const usual = USUAL_ADDRESS.exec(text)?.[1];
  if (usual !== undefined && !usual.includes('xn--')) return usual;
  const address = /^[a-z][a-z0-9+.-]*:\/\//.test(text)
    ? text
    : `http://${text.replace(/^\/+/, '')}`;
  try {
    const { protocol, hostname } = new URL(address);
    return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/\.$/, '') : null;
  } catch {
    return null;
  }
}

const USUAL_ADDRESS = /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#]|$)/;

/** `e.V.` and `e.G.` are told from words like "EV" by their dots. */
const DOTTED_VEREIN = /(?<=\s)e\.\s?[vg]\.$/g;
/** Marks that stand within words: `S.r.l.`, `McDonald's`. */
const JOINING = /['’`´.]/g;
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}\p{S}]+/u;

/** How many words before `end` are a legal form; 0 when nothing would be left. */
function formLength(words: readonly string[], end: number): number {
  if (!LAST_WORDS.has(words[end - 1]!)) return 0;
  for (const length of [4, 3, 2, 1]) {
    if (end > length && LEGAL_FORMS.has(words.slice(end - length, end).join(' '))) return length;
  }
  return 0;
}

/** As they look without dots. Forms that are everyday words at the end of names are left out. */
const LEGAL_FORMS = new Set(
  [
    'gmbh, mbh, gmbh co, ug, haftungsbeschränkt, ag, kg, kgaa, ohg, gbr, eingetragener verein, ek, ekfr',
    'inc, incorporated, llc, l l c, pllc, llp, lllp, lp, ltd, limited, plc, corp, corporation, co, company',
    'pty, pte, pvt, private, sdn bhd, bhd, pc',
    'sa, s a, sas, sasu, sarl, eurl, sci, snc, selarl, scop',
    'srl, s r l, srls, spa, s p a, sapa, sas di, scarl, soc coop',
    'sl, slu, s l, sau, slp, sociedad limitada, de cv, sa de cv, s de rl de cv, ltda, lda, eireli',
    'bv, b v, nv, vof, bvba, ab, as, a s, asa, aps, ivs, oy, oyj, hf, ehf',
    'sp zoo, sp z oo, sp z o o, spółka z oo, sro, s r o, spol, kft, zrt, nyrt, doo, d o o, ood, eood, sia, uab, oü',
    'ооо, зао, оао, пао, ип, тов, a ş, aş, anonim şirketi, ltd şti, şti, kk, gk, 株式会社, 有限会社, 有限公司',
  ]
    .join(', ')
    .split(', ')
    .map(foldCase),
);

/** Most names end in none of them. */
const LAST_WORDS = new Set([...LEGAL_FORMS].map((form) => form.split(' ').at(-1)!));

/** Networks, pages of links, marketplaces and map entries: the address is a page, not a company. */
const SHARED = new Set(
  (
    'facebook.com fb.com fb.me messenger.com instagram.com threads.net twitter.com x.com t.co linkedin.com lnkd.in ' +
    'youtube.com youtu.be tiktok.com pinterest.com vk.com ok.ru t.me telegram.me wa.me whatsapp.com snapchat.com ' +
    'xing.com reddit.com medium.com discord.gg discord.com github.com gitlab.com behance.net dribbble.com ' +
    'linktr.ee bio.link beacons.ai taplink.cc taplink.at lnk.bio bio.site carrd.co campsite.bio msha.ke many.link ' +
    'linkin.bio solo.to allmylinks.com hoo.be koji.to stan.store bit.ly tinyurl.com goo.gl g.page g.co rb.gy ' +
    'google.com google.de google.co.uk google.fr google.it google.es bing.com apple.com yelp.com tripadvisor.com ' +
    'booking.com airbnb.com opentable.com doctolib.de doctolib.fr treatwell.de fresha.com booksy.com etsy.com ' +
    'ebay.com ebay.de amazon.com lieferando.de ubereats.com doordash.com grubhub.com foursquare.com yellowpages.com ' +
    'gelbeseiten.de dasoertliche.de paginegialle.it pagesjaunes.fr paginasamarillas.es trustpilot.com wikipedia.org'
  ).split(' '),
);

/** Builders that give each site a name below theirs and are not in the list of public suffixes. */
const HOSTING = new Set(
  (
    'wordpress.com blogspot.com tumblr.com weebly.com wixsite.com wix.com jimdo.com jimdofree.com jimdosite.com ' +
    'squarespace.com godaddysites.com business.site webnode.com webnode.page mystrikingly.com strikingly.com ' +
    'site123.me ueniweb.com yolasite.com webs.com webflow.io myshopify.com bigcartel.com shopify.com ' +
    'dudaone.com multiscreensite.com negocio.site eatbu.com ueni.com one.com netlify.com strato.de ' +
    'beepworld.de page4.com chayns.site chayns.net canva.site notion.site framer.website my.canva.site'
  ).split(' '),
);
