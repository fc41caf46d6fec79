/**
 * What people are recognised by within an account. Equal keys mean the same address, number, profile
 * or name, however it is written. The keys of companies: company-keys.ts.
 */
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { bounded, foldCase } from './company-keys.ts';

export { companyNameKey, domainKey } from './company-keys.ts';

/** `' Ann@Müller.DE '` -> `'ann@xn--mller-kva.de'`; null for what has no two sides. */
export function emailKey(email: string | null | undefined): string | null {
  if (!email) return null;
  const text = email.trim().toLowerCase();
  const at = text.lastIndexOf('@');
  if (at < 1 || at === text.length - 1) return null;
  const domain = text.slice(at + 1).replace(/\.$/, '');
  return bounded(`${text.slice(0, at).normalize('NFC')}@${asciiDomain(domain)}`);
}

/**
 * `'https://de.linkedin.com/in/Ann-Lee/?trk=x'` -> `'linkedin.com/in/ann-lee'`: the address without
 * protocol, `www.`, language host, query and trailing slash. Of hosts that are no known network the
 * query stays, since it may say whose page it is; of all that is for counting visits.
 */
export function profileKey(url: string | null | undefined): string | null {
  const text = url?.trim();
  if (!text) return null;
  let parsed: URL;
  try {
    parsed = new URL(
      /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`,
    );
  } catch {
    return bounded(foldCase(text));
  }
  const host = parsed.hostname.replace(/\.$/, '').replace(/^www\./, '');
  const network = NETWORK_HOST.exec(host);
  if (!network) return bounded(`${host}${cleanPath(parsed.pathname)}${ownQuery(parsed)}`);
  const name = SAME_NETWORK[network[1]!] ?? network[1]!;
  const path = cleanPath(parsed.pathname).toLowerCase();
  const id = path === '/profile.php' ? /[?&]id=(\d+)/.exec(parsed.search)?.[1] : undefined;
  // Behind the name LinkedIn puts the page's language: /in/ann/de.
  const place = name === 'linkedin.com' ? path.split('/').slice(0, 3).join('/') : path;
  return bounded(`${name}${place}${id === undefined ? '' : `?id=${id}`}`);
}

/**
 * Digits of the international number, where it can be told with the country (two letters), else the
 * digits as they stand: `('030 123456', 'DE')` -> `'4930123456'`. Null under five digits.
 */
export function phoneKey(phone: string | null | undefined, country?: string | null): string | null {
  if (!phone) return null;
  const text = phone.trim().replace(/^00(?=[1-9])/, '+');
  // The usual case of what is E.164 but for its gaps: the parser costs a hundred times more.
  const plain = GROUPED.test(text) ? text.replaceAll(/[ .-]/g, '') : text;
  if (E164.test(plain)) return plain.slice(1);
  const parsed = parsePhoneNumberFromString(
    text,
    (country ?? undefined) as CountryCode | undefined,
  );
  if (parsed?.isPossible()) return parsed.number.slice(1) + (parsed.ext ? `x${parsed.ext}` : '');
  const digits = text.normalize('NFKC').replaceAll(/[^0-9]/g, '');
  return digits.length < 5 ? null : bounded(digits);
}

/** `('Ann-Marie', "O'Neil")` -> `'ann marie oneil'`; empty for somebody without a name. */
export function personNameKey(firstName: string, lastName: string): string {
  const folded = foldCase(`${firstName} ${lastName}`);
  return bounded(
    folded
      .replaceAll(/['’`´.]/g, '')
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  );
}

/** The keys of one person; null or empty: not known. */
export interface PersonKeys {
  emailKey: string | null;
  profileKey: string | null;
  phoneKey: string | null;
  nameKey: string;
}

/**
 * What an erased person leaves as hashes, `kind:key`. Kinds: email, profile, phone, and the number
 * together with the name, since a switchboard has many people behind it.
 */
export function tombstoneKeys(keys: PersonKeys): string[] {
  const { emailKey: email, profileKey: profile, phoneKey: phone } = keys;
  return [
    ...(email === null ? [] : [`email:${email}`]),
    ...(profile === null ? [] : [`profile:${profile}`]),
    ...(phone === null ? [] : [`phone:${phone}`, `phone_name:${phone}|${keys.nameKey}`]),
  ];
}

/**
 * Which tombstones forbid this person: those of the address, the profile and the number with the
 * name; the bare number only for somebody of whom nothing else is known.
 */
export function forbiddenBy(keys: PersonKeys): string[] {
  const hasOther = keys.emailKey !== null || keys.profileKey !== null;
  return tombstoneKeys(keys).filter((key) => !(hasOther && key.startsWith('phone:')));
}

const E164 = /^\+[1-9]\d{9,14}$/;

/** A country's code (ITU-T E.164, those of one and two digits first), and no trunk zero behind it. */
const SHORT_CODES = '1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]';
const GROUPED = new RegExp(
  String.raw`^\+(?:(?:${SHORT_CODES})|(?!${SHORT_CODES})\d{3})[ .-]?[1-9](?:[ .-]?\d)+$`,
);

function asciiDomain(domain: string): string {
  if (/^[a-z0-9.-]+$/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/** Known networks below `m.`, `web.`, `mobile.` or a language such as `de.`, `pt-br.`. */
const NETWORK_HOST =
  /^(?:(?:m|web|mobile|mbasic|[a-z]{2}(?:-[a-z]{2})?)\.)?((?:linkedin|facebook|fb|instagram|twitter|x|xing|tiktok|pinterest|youtube|vk|threads)\.(?:com|net))$/;

const SAME_NETWORK: Record<string, string> = { 'fb.com': 'facebook.com', 'twitter.com': 'x.com' };

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
