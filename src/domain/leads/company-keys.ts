/** Keys that identify companies within an account: their registrable domain; names: company-names.ts. */
import { parse } from 'tldts';
import { bounded } from '../key-text.ts';

export { companyNameKey } from './company-names.ts';
export { bounded, foldCase } from '../key-text.ts';

/**
 * The registrable domain of a website or host name in any notation, lower case and punycode:
 * `'https://www.Acme.co.uk/about'` -> `'acme.co.uk'`. Below a shared hosting domain each site counts as a
 * domain of its own (`foo.github.io`); null where the address does not identify its owner: social networks,
 * pages of links, bare platforms, IP addresses.
 */
export function domainKey(website: string | null | undefined): string | null {
  if (!website) return null;
  const host = hostOf(website);
  if (host === null) return null;
  const parts = parse(host, { allowPrivateDomains: true, extractHostname: false });
  if (parts.isIp || parts.domain === null) return null;
  if (SHARED.has(parts.domain)) return null;
  if (!parts.isPrivate && PLATFORMS.has(parts.domainWithoutSuffix ?? '')) return null;
  if (!HOSTING.has(parts.domain)) return bounded(parts.domain);
  const own = host.split('.').at(-(parts.domain.split('.').length + 1));
  return own === undefined || own === 'www' ? null : `${own}.${parts.domain}`;
}

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

/** Marketplaces, directories and booking sites under the domains of many countries. */
const PLATFORMS = new Set(
  (
    'google yelp tripadvisor opentable thefork treatwell fresha booksy doctolib jameda zocdoc 11880 wolt ' +
    'toasttab ubereats lieferando just-eat justeat takeaway thuisbezorgd deliveroo doordash grubhub foodpanda ' +
    'glovoapp planity vagaro schedulicity mindbodyonline setmore calendly resy quandoo bookatable sevenrooms ' +
    'groupon trustpilot foursquare yellowpages gelbeseiten goldenpages paginegialle pagesjaunes cylex hotfrog ' +
    'airbnb ebay amazon etsy facebook instagram linkedin youtube tiktok pinterest'
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
