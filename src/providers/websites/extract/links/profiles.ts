/** Profiles on social networks: which links lead to one, in one canonical form. */
import type { Network } from '../../../../domain/discovery/contacts.ts';

export interface ProfileAddress {
  network: Network;
  url: string;
}

/**
 * The profile that an address leads to; null for shares, posts, apps, help pages and the rest.
 * Canonical: https, the network's own host, no query (except Facebook's numbers), no sub-page.
 */
export function profileOf(address: string): ProfileAddress | null {
  const url = parseUrl(address);
  if (!url) return null;
  const host = url.hostname.toLowerCase();
  for (const { hosts, network, read } of networks) {
    if (!hosts.test(host)) continue;
    const path = segmentsOf(url);
    const found = read(path, url);
    return found ? { network, url: found } : null;
  }
  return null;
}

/**
 * The profile behind an indirect link: a network's own redirect (`l.facebook.com/l.php?u=`), or
 * malformed markup (`[text](https://...)`).
 */
export function profileBehind(address: string): ProfileAddress | null {
  if (address.length > 2_000) return null;
  const outer = parseUrl(address);
  const isRedirect =
    !outer ||
    /^(?:l\.|lm\.)?(?:facebook|instagram)\.com$/.test(outer.hostname) ||
    !/^https?:$/.test(outer.protocol);
  if (!isRedirect && !/(?:redirect|redir|url|goto|out|away)/i.test(outer.pathname)) return null;
  const inner = /.(https?(?::|%3A)(?:\/\/|%2F%2F)[^\s)\]"'&]+)/i.exec(address)?.[1];
  if (!inner) return null;
  try {
    return profileOf(decodeURIComponent(inner));
  } catch {
    return null;
  }
}

/** The profile that a plugin or a redirect of the network shows: its address is in a parameter. */
export function profileOfPlugin(address: string): ProfileAddress | null {
  const href = parseUrl(address)?.searchParams.get('href');
  return href ? profileOf(href) : null;
}

function parseUrl(address: string): URL | null {
  const text = address.trim();
  if (text.length > 1_000) return null;
  try {
    return new URL(text.startsWith('//') ? `https:${text}` : text);
  } catch {
    return null;
  }
}

/** Path segments, decoded, without empty ones. */
function segmentsOf(url: URL): string[] {
  return url.pathname
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment).trim();
      } catch {
        return segment;
      }
    })
    .filter((segment) => segment !== '')
    .slice(0, 6);
}

interface NetworkRules {
  network: Network;
  hosts: RegExp;
  read: (path: string[], url: URL) => string | null;
}

const SUB = '(?:[a-z0-9-]+\\.)?';
const hostsOf = (...names: string[]): RegExp =>
  new RegExp(`^(?:${names.map((name) => SUB + name.replaceAll('.', '\\.')).join('|')})$`);

/** Paths of the networks' own that are no profile. */
const OWN = {
  facebook:
    'sharer sharer.php share share.php dialog plugins tr tr.php login login.php help policies policy policy.php privacy legal terms about business ads games gaming watch events marketplace groups group.php hashtag search home.php l.php photo photo.php photos story.php permalink.php video.php videos reel reels v2.0 v3.0 connect badges media notes messages people settings recover r.php pages_manager docs find-friends public 2008 profile.php pages pg p people',
  instagram:
    'p reel reels tv explore accounts about legal developer developers share stories direct web privacy terms help press blog jobs directory api graphql s',
  x: 'intent share home hashtag search i login signup privacy tos about settings widgets widgets.js download oauth statuses explore messages notifications compose jobs help share.php',
  tiktok: 'embed discover tag music login about legal share video',
  pinterest:
    'pin search explore categories login about business policy topics ideas _ today pinit.js settings',
  vk: 'share.php share video wall photo feed login away.php js apps widget widget_community.php widget_comments.php im audios albums topic market about terms privacy public dev bugs support doc rtrg restore',
  linkedin: '',
  youtube: '',
} as const;
const own = new Map(
  Object.entries(OWN).map(([network, names]) => [network, new Set(names.split(' '))]),
);
const isOwn = (network: Network, segment: string): boolean =>
  own.get(network)!.has(segment.toLowerCase());

/** Names that themes leave for the owner to replace. */
const EXAMPLE_NAME =
  /^(?:#|your[-_.]?(?:page|profile|name|username|account|company|handle|business|channel|link|id)?|(?:tu|su|mi|seu|sua|tuo|votre|ihr|dein)[-_.]?(?:cuenta|usuario|perfil|pagina|conta|account|profilo|nome|nombre|compte|profil|konto|name)|username|user|user-?name|profile|page|page-?name|company(?:-?name)?|yourcompany|example|mypage|my-?page|sample|facebook|instagram|twitter|linkedin|youtube|tiktok|pinterest|account|name|channel|link|url|home|index(?:\.html?|\.php)?|handle|undefined|null|xxx+|test|wordpress|wordpressdotcom|envato|themeforest|wix|squarespace|godaddy|elementor|shopify|weebly|jimdo|webflow|qodeinteractive|themefusion|elegantthemes|mikadothemes|colorlib|bootstrapmade|html5up|templatemo|w3layouts|themewagon|htmlcodex|generatepress|divi|avada|joomla|drupal|strato|ionos|duda|site123|mobirise|hubspot|mailchimp|google|adobe|microsoft|apple|windows|android|wikipedia|fontawesome|getbootstrap|canva|fh5co|radiustheme|pixelarity|ajlkn|n33co|untree_?co|themefisher|creative-?tim|colorlibcom|webthemez|gettemplates|tooplate|zerotheme|bootstrapdash|(?:tu|su)[._-]?(?:cuenta|perfil|empresa|usuario|pagina|marca)|(?:ton|votre|vos)[._-]?(?:compte|page|profil|nom)|(?:deine?|ihre?)[._-]?(?:seite|firma|profil|name|konto)|(?:il)?(?:tuo|tua|la-?tua)[._-]?(?:pagina|profilo|account|azienda|nome)|(?:seu|sua)[._-]?(?:pagina|perfil|empresa|usuario|conta)|(?:jouw|uw)[._-]?(?:pagina|naam|bedrijf)|twoja[._-]?(?:strona|firma)|nome(?:utente|attivita|azienda)|nombre(?:usuario|empresa)|nomutilisateur|benutzername)$/i;

const isName = (name: string | undefined, form = /^[\p{L}\p{M}\d._-]{1,100}$/u): name is string =>
  name !== undefined && form.test(name) && !EXAMPLE_NAME.test(name) && /[\p{L}\d]/u.test(name);

const networks: NetworkRules[] = [
  {
    network: 'facebook',
    hosts: hostsOf('facebook.com', 'fb.com', 'facebook.de', 'fb.me'),
    read: facebook,
  },
  {
    network: 'instagram',
    hosts: hostsOf('instagram.com', 'instagr.am'),
    read: ([name, second]) => {
      const bare = name?.replace(/^@/, '');
      if (/^(?:p|reel|reels|tv|stories)$/.test(second ?? '')) return null;
      return isName(bare, /^[\w.]{1,40}$/) && !isOwn('instagram', bare)
        ? `https://www.instagram.com/${bare}`
        : null;
    },
  },
  {
    network: 'x',
    hosts: /^(?:(?:www|mobile|m)\.)?(?:twitter|x)\.com$/,
    read: ([first, second], url) => {
      const old = /^#!\/?@?(\w+)/.exec(url.hash)?.[1];
      const name = (old ?? first)?.replace(/^@/, '');
      if (second === 'status' || second === 'statuses') return null;
      return isName(name, /^\w{1,20}$/) && !isOwn('x', name) ? `https://x.com/${name}` : null;
    },
  },
  { network: 'linkedin', hosts: hostsOf('linkedin.com'), read: linkedin },
  { network: 'youtube', hosts: hostsOf('youtube.com', 'youtube.de'), read: youtube },
  {
    network: 'tiktok',
    hosts: /^(?:(?:www|m)\.)?tiktok\.com$/,
    read: ([name, second]) => {
      const bare = name?.replace(/^@/, '');
      if (second || !isName(bare, /^[\w.-]{1,40}$/) || isOwn('tiktok', bare)) return null;
      return name!.startsWith('@') ? `https://www.tiktok.com/@${bare}` : null;
    },
  },
  {
    network: 'pinterest',
    hosts: /^(?:[a-z]{2,3}\.|www\.)?pinterest\.(?:com(?:\.[a-z]{2})?|co\.[a-z]{2}|[a-z]{2})$/,
    read: ([name]) =>
      isName(name, /^[\w-]{2,60}$/) && !isOwn('pinterest', name)
        ? `https://www.pinterest.com/${name}`
        : null,
  },
  {
    network: 'vk',
    hosts: /^(?:(?:www|m)\.)?(?:vk\.com|vk\.ru|vkontakte\.ru)$/,
    read: ([name]) =>
      isName(name, /^[\w.-]{2,60}$/) &&
      !isOwn('vk', name) &&
      !/^(?:wall|photo|video|topic|album|audio|doc|market|product)-?\d/.test(name)
        ? `https://vk.com/${name}`
        : null,
  },
];

function facebook(path: string[], url: URL): string | null {
  const base = 'https://www.facebook.com';
  // `/#!/acme` was a page's address when the network was a single-page application.
  const at = url.hash.startsWith('#!/') ? segmentsOf(new URL(`${base}${url.hash.slice(2)}`)) : path;
  let [first = '', second, third] = at;
  if (first === 'pg') [first = '', second, third] = at.slice(1);
  if (first.toLowerCase() === 'profile.php') {
    const id = /^\d{5,20}/.exec(url.searchParams.get('id') ?? '')?.[0];
    return id ? `${base}/profile.php?id=${id}` : null;
  }
  if (first === 'p') return isName(second) ? `${base}/p/${second}` : null;
  if (first === 'pages' || first === 'people')
    return third && /^\d{5,}$/.test(third) && second
      ? `${base}/${first}/${second}/${third}`
      : pageByCategory(base, at);
  if (!isName(first, /^[\p{L}\p{M}\d.\-–'’&]{2,120}$/u) || isOwn('facebook', first)) return null;
  if (/^(?:posts|videos|reels?|events|notes|permalink)$/.test(second ?? '') && third) return null;
  return `${base}/${first}`;
}

/** `/pages/category/Bakery/Acme-123456/`. */
function pageByCategory(base: string, path: string[]): string | null {
  if (path[1] === 'category' && isName(path[3])) return `${base}/${path[3]}`;
  return path.length === 2 && isName(path[1]) && /\d{6,}$/.test(path[1])
    ? `${base}/${path[1]}`
    : null;
}

function linkedin([kind = '', name]: string[]): string | null {
  const base = 'https://www.linkedin.com';
  if (kind === 'pub') return isName(name) ? `${base}/in/${name}` : null;
  if (!/^(?:company|in|school|showcase|company-beta)$/.test(kind)) return null;
  return isName(name, /^[\p{L}\p{M}\d._&'’,%-]{2,120}$/u) ? `${base}/${kind}/${name}` : null;
}

const YOUTUBE_OWN = new Set(
  'watch embed playlist shorts results feed about t live redirect account signin iframe_api player_api attribution_link premium hashtag s v creators ads howyoutubeworks yt kids tv music gaming trending clip oembed channel c user intl'.split(
    ' ',
  ),
);

function youtube([kind = '', name]: string[]): string | null {
  const base = 'https://www.youtube.com';
  if (kind.startsWith('@')) return isName(kind.slice(1)) ? `${base}/${kind}` : null;
  if (kind === 'channel')
    return /^UC[\w-]{10,}$/.test(name ?? '') ? `${base}/channel/${name!}` : null;
  if (kind === 'c' || kind === 'user') return isName(name) ? `${base}/${kind}/${name}` : null;
  if (YOUTUBE_OWN.has(kind.toLowerCase()) || name) return null;
  return isName(kind) ? `${base}/${kind}` : null;
}
