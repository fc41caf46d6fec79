/** The advertiser of an ad: a company, identified by its page's name and the ad's target. */
import { parse } from 'tldts';
import { domainKey } from '../leads/company-keys.ts';
import { isCountryCode } from '../countries.ts';
import { parseUrl } from '../url.ts';

export interface Advertiser {
  /** Identifies it among the advertisers of one search. */
  key: string;
  name: string;
  /** Registrable domain; null when the ad leads to a platform or nowhere. */
  domain: string | null;
  /** The root of its site. */
  website: string | null;
  /** Of a national top-level domain, upper case. */
  countryCode: string | null;
}

/** The longest name that is stored. */
const MAX_NAME = 255;

/** Redirectors carry the target in a parameter; one may carry another redirector. */
const MAX_SHIMS = 3;

/** Null when the ad does not identify its advertiser. */
export function advertiserOf(ad: {
  pageId: string;
  pageName: string;
  landing: string | null;
}): Advertiser | null {
  const address = landingAddress(ad.landing);
  const domain = address && ownDomain(address);
  const pageName = ad.pageName.trim().slice(0, MAX_NAME);
  if (domain) {
    return {
      key: domain,
      name: pageName || domain,
      domain,
      website: websiteOf(address, domain),
      countryCode: countryOf(domain),
    };
  }
  const page = ad.pageId || pageName.toLowerCase();
  if (page === '' || pageName === '') return null;
  const key = `page:${page}`.slice(0, MAX_NAME);
  return { key, name: pageName, domain: null, website: null, countryCode: null };
}

/** Resolves redirectors such as `l.facebook.com/l.php?u=...` by their parameters, without the network. */
function landingAddress(landing: string | null): URL | null {
  let address = addressOf(landing);
  for (let seen = 0; address !== null && seen < MAX_SHIMS; seen += 1) {
    const carried = carriedBy(address);
    if (carried === null) return address;
    address = addressOf(carried);
  }
  return address;
}

/** Libraries show a full address or a bare `acme.com/offer`. */
function addressOf(text: string | null): URL | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || /\s/.test(trimmed)) return null;
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const address = parseUrl(whole);
  return address && /^https?:$/.test(address.protocol) ? address : null;
}

const SHIMS: readonly { host: RegExp; parameters: readonly string[] }[] = [
  { host: /^(l|lm|out)\.(facebook|instagram|messenger)\.com$/, parameters: ['u'] },
  { host: /^(www\.)?google\.[a-z.]+$/, parameters: ['q', 'url'] },
  { host: /^(www\.)?(googleadservices|doubleclick)\.(com|net)$/, parameters: ['adurl'] },
  { host: /^ad\.doubleclick\.net$/, parameters: ['adurl'] },
];

function carriedBy(address: URL): string | null {
  const shim = SHIMS.find(({ host }) => host.test(address.hostname));
  if (!shim) return null;
  const found = shim.parameters.map((name) => address.searchParams.get(name)).find(Boolean);
  return found ?? null;
}

/** Null for platforms, whose address does not identify the advertiser. */
function ownDomain(address: URL): string | null {
  const { domain, isIp, isIcann, isPrivate } = parse(address.hostname);
  if (domain === null || isIp || PLATFORMS.has(domain) || SHOPS.test(domain)) return null;
  // A top-level domain may be newer than the list; reserved ones (RFC 6761) are not in it.
  const isUnlisted = !isIcann && !isPrivate && /\.[a-z]{2,}$/.test(domain);
  return isUnlisted ? domain : domainKey(address.href);
}

/** Subdomains of campaigns have no contact page; the site itself does. */
function websiteOf(address: URL, domain: string): string {
  const host = address.hostname === `www.${domain}` ? address.hostname : domain;
  return `${address.protocol}//${host}/`;
}

function countryOf(domain: string): string | null {
  const last = domain.slice(domain.lastIndexOf('.') + 1).toUpperCase();
  const code = last === 'UK' ? 'GB' : last;
  return isCountryCode(code) && !FREE_FOR_ALL.has(code) ? code : null;
}

/** National domains that are used everywhere. */
const FREE_FOR_ALL = new Set([
  'IO',
  'CO',
  'AI',
  'ME',
  'TV',
  'CC',
  'LY',
  'GG',
  'SH',
  'TO',
  'FM',
  'AM',
]);

/** Marketplaces that have a domain per country. */
const SHOPS =
  /^(amazon|ebay|aliexpress|alibaba|shopee|lazada|zalando|otto|etsy|allegro|mercadolibre|mercadolivre|walmart|temu|rakuten|flipkart|jumia)\.[a-z.]+$/;

/**
 * In addition to those that identify no company (company-keys.ts): shorteners, app stores and links into
 * apps, forms, bookings, payments, funding, pages that a tool hosts for its users.
 */
const PLATFORMS = new Set(
  (
    'bit.ly tinyurl.com ow.ly buff.ly rebrand.ly cutt.ly is.gd t.ly s.id short.io shorturl.at dub.sh lnkd.in fb.watch amzn.to amzn.eu spoti.fi apple.co ' +
    'apple.com google.com onelink.me app.link page.link adj.st smart.link branch.io sng.link go.link bnc.lt firebaseapp.com ' +
    'typeform.com jotform.com forms.gle surveymonkey.com tally.so paperform.co cognitoforms.com wufoo.com formstack.com ' +
    'calendly.com acuityscheduling.com setmore.com simplybook.me eventbrite.com eventbrite.de eventbrite.co.uk ticketmaster.com meetup.com zoom.us ' +
    'paypal.com paypal.me stripe.com gumroad.com patreon.com ko-fi.com buymeacoffee.com kickstarter.com indiegogo.com gofundme.com change.org ' +
    'spotify.com soundcloud.com netflix.com twitch.tv substack.com wattpad.com goodreads.com steampowered.com ' +
    'clickfunnels.com leadpages.net leadpages.co unbouncepages.com ubpages.com instapage.com kartra.com systeme.io kajabi.com teachable.com thinkific.com ' +
    'udemy.com coursera.org skool.com hotmart.com clickbank.net clickbank.com digistore24.com warriorplus.com ' +
    'hubspot.com hubspotpagebuilder.com hsforms.com mailchimp.com mailchi.mp list-manage.com activehosted.com convertkit.com ck.page beehiiv.com ' +
    'leadconnectorhq.com msgsndr.com highlevel.com gohighlevel.com m.me viber.com line.me wechat.com signal.me ' +
    'indeed.com stepstone.de glassdoor.com zillow.com realtor.com immobilienscout24.de autotrader.com mobile.de craigslist.org'
  ).split(' '),
);
