/**
 * External mailboxes in which warm-up checks itself where messages land.
 * docs/sending-rules.md#seed-mailboxes.
 */
import { parseUrl } from '../url.ts';

/** `password` is a secret. */
export interface SeedMailbox {
  host: string;
  /** Lower case; also the name of the login. */
  email: string;
  password: string;
}

export const SEED_MAILBOX_FORM =
  'imaps://user%40example.com:password@host is needed for each, with reserved characters as %xx';

const HOST_NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const EMAIL = /^[^\s@,<>"]+@[^\s@,<>"]+\.[^\s@,<>"]+$/;

/** Reads `imaps://user%40example.com:password@host[:993]`; undefined where it is anything else. */
export function parseSeedMailbox(text: string): SeedMailbox | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== 'imaps:' || !/^\/?$/.test(url.pathname + url.search + url.hash)) return;
  const [email, password] = [decoded(url.username).toLowerCase(), decoded(url.password)];
  const host = url.hostname.toLowerCase();
  if (!HOST_NAME.test(host) || (url.port !== '' && url.port !== '993')) return undefined;
  if (!EMAIL.test(email) || !/^\P{Cc}+$/u.test(password)) return undefined;
  return { host, email, password };
}

/** Every address outside that takes part in warm-up, in lower case and once. */
export const seedAddressesOf = (settings: {
  WARMUP_SEED_ADDRESSES: readonly string[];
  WARMUP_SEED_MAILBOXES: readonly SeedMailbox[];
}): string[] => [
  ...new Set([
    ...settings.WARMUP_SEED_MAILBOXES.map(({ email }) => email),
    ...settings.WARMUP_SEED_ADDRESSES.map((address) => address.toLowerCase()),
  ]),
];

/** Empty, which no part may be, where the text is not well encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
