/** Corrections of misspelt domains of large providers, and of mistyped top-level domains. */

/**
 * Large providers with distinctive names. Those with short or ordinary names (`web.de`, `orange.fr`,
 * `alice.it`) are not here: too many real companies are one letter away.
 */
const PROVIDERS = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'protonmail.com',
  'fastmail.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'yandex.ru',
  't-online.de',
  'freenet.de',
  'wanadoo.fr',
  'laposte.net',
  'btinternet.com',
  'virginmedia.com',
  'telenet.be',
  'bluewin.ch',
  'bigpond.com',
  'optusnet.com.au',
  'sympatico.ca',
  'seznam.cz',
  'rediffmail.com',
].map((domain) => ({ domain, ...split(domain) }));

/** Brands with mailboxes under the top-level domains of many countries: all of these are correct. */
const WORLDWIDE = new Set(['hotmail', 'outlook', 'live', 'yahoo', 'msn', 'gmx', 'aol', 'yandex']);

/** Real domains one or two letters away from a provider's: they are not corrected. */
const REAL = new Set([
  'mail.com',
  'email.com',
  'ymail.com',
  'zmail.com',
  'tmail.com',
  'hmail.com',
  'cloud.com',
  'zoho.com',
  'fastmail.fm',
  'rocketmail.com',
  'telnet.be',
  'telenor.be',
]);

/** Nonexistent top-level domains, with the one that was meant. */
const ENDING_SLIPS: Readonly<Record<string, string>> = {
  con: 'com',
  cmo: 'com',
  ocm: 'com',
  vom: 'com',
  xom: 'com',
  cpm: 'com',
  cim: 'com',
  ccom: 'com',
  coom: 'com',
  comm: 'com',
  come: 'com',
  conm: 'com',
  cmm: 'com',
  comn: 'com',
  ney: 'net',
  nte: 'net',
  ent: 'net',
  nett: 'net',
  ogr: 'org',
  rog: 'org',
  orgg: 'org',
  dee: 'de',
};

/** Existing top-level domains (Colombia, Cameroon, Oman) that are typos after a provider's name. */
const SHORT_OF_COM = new Set(['co', 'cm', 'om']);

/** From this length on, two typos in a name are still recognised. */
const LONG_NAME = 9;

/**
 * `gmial.com` -> `gmail.com`, `acme.con` -> `acme.com`; null when the domain may be correct. `domain` is
 * lower case and in punycode. Never changes a provider that exists.
 */
export function suggestDomain(domain: string): string | null {
  const { name, ending } = split(domain);
  const mendedEnding = ENDING_SLIPS[ending] ?? ending;
  const mended = `${name}.${mendedEnding}`;
  if (isProvider(name, mendedEnding)) return mended === domain ? null : mended;
  return closestProvider(name, mendedEnding) ?? (mended === domain ? null : mended);
}

/** The whole address as probably intended, or null. */
export function suggestAddress(address: { local: string; domain: string }): string | null {
  const domain = suggestDomain(address.domain);
  return domain === null ? null : `${address.local}@${domain}`;
}

function isProvider(name: string, ending: string): boolean {
  const domain = `${name}.${ending}`;
  if (REAL.has(domain) || PROVIDERS.some((provider) => provider.domain === domain)) return true;
  return WORLDWIDE.has(name) && isWorldwideEnding(ending);
}

/** `de`, `co.uk`, `com.br`, `com`, `net`. */
const isWorldwideEnding = (ending: string): boolean =>
  /^([a-z]{2}|com?\.[a-z]{2}|com|net)$/.test(ending) && !SHORT_OF_COM.has(ending);

function closestProvider(name: string, ending: string): string | null {
  let best: { domain: string; slips: number } | undefined;
  for (const provider of PROVIDERS) {
    const domain = endingFor(provider, name, ending);
    if (domain === undefined) continue;
    const slips = editDistance(name, provider.name);
    const allowed = provider.name.length >= LONG_NAME ? 2 : 1;
    if (slips <= allowed && (!best || slips < best.slips)) best = { domain, slips };
  }
  return best?.domain ?? null;
}

/** The provider's domain that `ending` can stand for; undefined where another company owns it. */
function endingFor(
  provider: { domain: string; name: string; ending: string },
  name: string,
  ending: string,
): string | undefined {
  if (ending === provider.ending) return provider.domain;
  if (provider.ending === 'com' && SHORT_OF_COM.has(ending)) return provider.domain;
  // Gmail has one domain: `gmail.fr` and `gmail.co.uk` have no mailboxes, `mail.ru` is Mail.ru.
  if (name === 'gmail' && isWorldwideEnding(ending)) return 'gmail.com';
  const isWorldwide = WORLDWIDE.has(provider.name) && isWorldwideEnding(ending);
  return isWorldwide ? `${provider.name}.${ending}` : undefined;
}

/** Name up to the first dot: `mail.yahoo.co.uk` is compared unchanged. */
function split(domain: string): { name: string; ending: string } {
  const dot = domain.indexOf('.');
  return { name: domain.slice(0, dot), ending: domain.slice(dot + 1) };
}

/**
 * Damerau-Levenshtein in its "optimal string alignment" form: insertions, deletions, changes and
 * swaps of neighbours. Every distance over 2 is answered as 3.
 */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    [beforeLast, last] = [last, row];
  }
  return Math.min(3, last[b.length]!);
}
