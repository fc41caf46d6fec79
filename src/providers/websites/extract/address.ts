/** The form of an e-mail address, and cutting one out of the characters around it. */
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;

const LOCAL = /^[a-z0-9_](?:[a-z0-9._%+'&/=~-]*[a-z0-9_+-])?$/;

/**
 * The address in lower case with its domain in punycode; null for one that no mail can be sent to.
 * Follows RFC 5321, section 4.5.3.1, as far as it is used in practice: no quoted local parts.
 */
export function toAddress(local: string, domain: string): string | null {
  const name = local.toLowerCase();
  if (name.length > MAX_LOCAL || !LOCAL.test(name) || name.includes('..')) return null;
  const host = toHost(domain);
  if (!host || name.length + host.length + 1 > MAX_ADDRESS) return null;
  return `${name}@${host}`;
}

/** `text` as an address, where the whole of it is one. */
export function wholeAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  return at > 0 ? toAddress(text.slice(0, at), text.slice(at + 1)) : null;
}

const HOST_LABEL = /^[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?$/u;

/**
 * Top-level domains that never exist in the public DNS (RFC 6761). They are real for a site that is
 * itself under one, as in the development world; elsewhere their addresses are examples.
 */
const RESERVED = /\.(?:test|example)$/;

/** Whether `host` is under a reserved top-level domain that the site's own host is not under. */
export const isForeignReserved = (host: string, siteHost: string): boolean => {
  const reserved = RESERVED.exec(host)?.[0];
  return reserved !== undefined && !siteHost.endsWith(reserved);
};

/** A host under a known top-level domain, lower case and punycode; null for anything else. */
export function toHost(domain: string): string | null {
  let host = domain.toLowerCase();
  if (host.endsWith('.')) host = host.slice(0, -1);
  if (!host.includes('.') || host.length > 200) return null;
  if (!host.split('.').every((label) => HOST_LABEL.test(label))) return null;
  const { domain: registrable, isIcann } = parse(host, { validateHostname: false });
  if (!registrable || !(isIcann || RESERVED.test(host))) return null;
  // `logo@2x.png` fails by its ending; `photo@2x.app` and the like by their resolution.
  if (/^\d+x\b/.test(host)) return null;
  return domainToASCII(host) || null;
}

/** The registrable domain of an address or page, `acme.co.uk`; null for none. */
export const registrableDomain = (host: string): string | null =>
  parse(host, { allowPrivateDomains: true }).domain;

/** The part of a registrable domain that a business chose: `acme` of `www.acme.co.uk`. */
export const brandOf = (host: string): string =>
  parse(host, { allowPrivateDomains: true }).domainWithoutSuffix ?? '';
