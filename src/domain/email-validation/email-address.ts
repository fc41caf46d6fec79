/** The syntax of e-mail addresses, by RFC 5321, 5322 and 6531, limited to deliverable ones. */
import { normalDomainName } from '../domains/domain-name.ts';

export interface EmailAddress {
  /** The canonical address: domain lower case and in punycode. */
  email: string;
  /** As sent in RCPT TO: quoted only where necessary. */
  local: string;
  domain: string;
  /** Non-ASCII letters before the `@`: the server must support SMTPUTF8 (RFC 6531). */
  isInternational: boolean;
  /** Violates RFC 5321, but its provider assigns such addresses: many servers refuse it. */
  isIrregular: boolean;
}

/** Japanese carriers assigned addresses like `foo..bar@` and `foo.@` until 2009, and they still work. */
const LAX_CARRIERS = /(?:^|\.)(?:docomo|ezweb)\.ne\.jp$/;
const LAX_LOCAL = /^[a-z0-9][a-z0-9._+/?-]*$/i;

/** RFC 5321, 4.5.3.1: octets of the local part, and of a path without its angle brackets. */
const MAX_LOCAL_OCTETS = 64;
const MAX_ADDRESS_OCTETS = 254;

/** `atext` of RFC 5322, 3.2.3; RFC 6532 adds letters, marks, digits and symbols of any script. */
const ATOM = /^[\p{L}\p{M}\p{N}\p{S}!#$%&'*+/=?^_`{|}~-]+$/u;
/** What quotes may hold: printable ASCII, the rest escaped (RFC 5321, `QcontentSMTP`). */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*)"$/;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Parses an address as a person typed it. Undefined where nothing could be delivered to it: also comments,
 * address literals (`user@[192.0.2.1]`) and names without a dot (`user@localhost`), which the RFCs allow but
 * external mail does not reach.
 */
export function readEmailAddress(text: string): EmailAddress | undefined {
  const trimmed = text.trim().normalize('NFC');
  const at = trimmed.lastIndexOf('@');
  if (at < 1) return undefined;
  const typedLocal = trimmed.slice(0, at);
  const typedDomain = trimmed.slice(at + 1);
  // A final dot names the same host in DNS, but is no mail domain (RFC 5321, 4.1.2).
  const domain = /[.\s]$|^\s/.test(typedDomain) ? undefined : normalDomainName(typedDomain);
  if (domain === undefined) return undefined;
  const regular = readLocalPart(typedLocal);
  const isLax = LAX_CARRIERS.test(domain) && LAX_LOCAL.test(typedLocal);
  const local = regular ?? (isLax ? typedLocal : undefined);
  if (local === undefined) return undefined;
  const email = `${local}@${domain}`;
  if (octets(local) > MAX_LOCAL_OCTETS || octets(email) > MAX_ADDRESS_OCTETS) return undefined;
  const isIrregular = regular === undefined;
  return { email, local, domain, isInternational: !ASCII.test(local), isIrregular };
}

/**
 * The key of stored results and comparisons. No relevant server distinguishes `Ann` from `ann`, although RFC
 * 5321, 2.4 allows it.
 */
export const addressKey = (address: Pick<EmailAddress, 'email'>): string =>
  address.email.toLowerCase();

/** `"john.doe"` means `john.doe` (RFC 5321, 4.1.2): quotes are kept only where necessary. */
function readLocalPart(text: string): string | undefined {
  if (!text.startsWith('"')) return isDotString(text) ? text : undefined;
  const inner = QUOTED.exec(text)?.[1];
  if (inner === undefined || inner === '') return undefined;
  const plain = inner.replaceAll(/\\(.)/g, '$1');
  return isDotString(plain) ? plain : `"${plain.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Atoms with single dots between them. */
const isDotString = (text: string): boolean => text.split('.').every((atom) => ATOM.test(atom));

const octets = (text: string): number =>
  ASCII.test(text) ? text.length : new TextEncoder().encode(text).length;
