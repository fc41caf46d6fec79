/** Keys of web pages that identify people: their profiles, and pages that several people may share. */
import { bounded, foldCase } from '../key-text.ts';

/**
 * `'https://de.linkedin.com/in/Ann-Lee/?trk=x'` -> `'linkedin.com/in/ann-lee'`: the address without
 * protocol, `www.`, language host and trailing slash. Of the query stays what tells whose page it is.
 * Null for what is nobody's: pages of companies, schools and groups, and addresses without an id.
 */
export function profileKey(url: string | null | undefined): string | null {
  const text = url?.trim();
  if (!text) return null;
  const parsed = parseAddress(text);
  if (!parsed) return bounded(foldCase(text));
  const host = parsed.hostname.replace(/\.$/, '').replace(/^www\./, '');
  const network = NETWORK_HOST.exec(host)?.[1];
  if (network === undefined) {
    return bounded(`${host}${cleanPath(parsed.pathname)}${ownQuery(parsed)}`);
  }
  const name = SAME_NETWORK[network] ?? network;
  const path = cleanPath(parsed.pathname);
  const place = name === 'linkedin.com' ? linkedInPlace(path) : path.toLowerCase();
  if (isNobodys(name, place)) return null;
  if (!NAMED_BY_QUERY.test(place)) return bounded(`${name}${place}`);
  const id = idOf(parsed);
  return id === null ? null : bounded(`${name}${place}?${id}`);
}

/**
 * Whether a `profileKey` certainly belongs to one person. A page on Facebook, or on a site of their own, may
 * be that of a company with many people.
 */
export const isPersonalProfile = (key: string): boolean => PERSONAL.test(key);

const PERSONAL =
  /^(?:linkedin\.com\/(?:in|pub|sales\/lead|talent\/profile|profile\/view)|xing\.com\/(?:app\/)?profile)[/?]|^page:/;

/**
 * The key of a person who only has a page that belongs to no individual: with the name it identifies the same
 * person when they occur again. Never matches another person.
 */
export const sharedPageKey = (url: string, nameKey: string): string =>
  bounded(`${SHARED_PAGE}${foldCase(url).replace(/^https?:\/\/(www\.)?|\/+$/g, '')}|${nameKey}`);

/** Whether the key means that a person has no profile of their own: a different one is no contradiction. */
export const isSharedPageKey = (key: string): boolean => key.startsWith(SHARED_PAGE);

const SHARED_PAGE = 'page:';

/** Known networks below `m.`, `web.`, `mobile.` or a language such as `de.`, `pt-br.`. */
const NETWORK_HOST =
  /^(?:(?:m|web|mobile|mbasic|[a-z]{2}(?:-[a-z]{2})?)\.)?((?:linkedin|facebook|fb|instagram|twitter|x|xing|tiktok|pinterest|youtube|vk|threads)\.(?:com|net))$/;

const SAME_NETWORK: Record<string, string> = { 'fb.com': 'facebook.com', 'twitter.com': 'x.com' };

/** Sections whose pages are a company's, a school's or a group's. */
const NOBODYS: Record<string, string[]> = {
  'linkedin.com':
    'company company-beta school edu group groups showcase jobs search feed sales'.split(' '),
  'facebook.com': 'groups events search'.split(' '),
  'xing.com': 'companies company pages communities'.split(' '),
};

/** Sections that identify a person only together with the next part of the path. */
const SECTIONS: Record<string, string[]> = {
  'linkedin.com': 'in pub posts pulse talent profile'.split(' '),
  'facebook.com': 'people pages'.split(' '),
  'xing.com': 'profile app'.split(' '),
};

function isNobodys(network: string, place: string): boolean {
  const [, section = '', id = ''] = place.split('/');
  if (section === '') return true;
  if (place.startsWith('/sales/lead/')) return false;
  if (NOBODYS[network]?.includes(section)) return true;
  return id === '' && SECTIONS[network]?.includes(section) === true;
}

/** Addresses that are the same for all people but for their query. */
const NAMED_BY_QUERY = /\.php$|^\/(?:watch|playlist|photo|profile\/view|app\/profile)$/;

/** The first one present is the most specific. */
const ID_NAMES = ['id', 'v', 'name', 'fbid', 'list'];

function idOf({ searchParams }: URL): string | null {
  for (const name of ID_NAMES) {
    const value = searchParams.get(name)?.replaceAll('\u0000', '').trim();
    if (value) return `${name}=${value}`;
  }
  return null;
}

/**
 * After the name LinkedIn puts the page's language (`/in/ann/de`) or a part of the page, and after a lead of
 * the Sales Navigator, separated by a comma, the search that found them. Those ids are case-sensitive.
 */
function linkedInPlace(path: string): string {
  const sales = /^\/sales\/(?:lead|people)\/([^,/]+)/i.exec(path)?.[1];
  if (sales !== undefined) return `/sales/lead/${sales}`;
  const lower = path.toLowerCase();
  return lower.startsWith('/in/') ? lower.split('/').slice(0, 3).join('/') : lower;
}

function parseAddress(text: string): URL | null {
  const hasProtocol = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  try {
    return new URL(hasProtocol ? text : `https://${text.replace(/^\/+/, '')}`);
  } catch {
    return null;
  }
}

/** One way of writing percent escapes; no slash at the end, none twice. */
function cleanPath(path: string): string {
  const single = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  if (!single.includes('%')) return single;
  try {
    const text = decodeURIComponent(single).normalize('NFC');
    // Postgres holds no NUL.
    return text.includes('\u0000') ? single : text;
  } catch {
    return single;
  }
}

const COUNTING = /^(utm_\w+|fbclid|gclid|igshid|igsh|trk|ref|source|mc_cid|mc_eid)$/i;

function ownQuery({ searchParams }: URL): string {
  const own = [...searchParams].filter(([name]) => !COUNTING.test(name));
  if (own.length === 0) return '';
  return `?${own
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&')
    .replaceAll('\u0000', '%00')}`;
}
