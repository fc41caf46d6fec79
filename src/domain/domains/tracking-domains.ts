/** Clients' own names for the links in their messages: what is promised of them, in words and times. Choice 131. */
import { getDomain } from 'tldts';
import { normalDomainName } from './domain-name.ts';

/**
 * `pending`: its record or its certificate is not there yet; `active`: messages have links on it; `failing`: it was
 * active, and new messages have links on the installation's own name until it is again.
 */
export const TRACKING_DOMAIN_STATUSES = ['pending', 'active', 'failing'] as const;
export type TrackingDomainStatus = (typeof TRACKING_DOMAIN_STATUSES)[number];

/** An account has at most so many: each asks for a certificate of its own. */
export const MAX_TRACKING_DOMAINS = 100;

/** Why a name is not active. */
export type TrackingProblem =
  | 'CNAME_MISSING'
  | 'CNAME_WRONG'
  | 'DNS_UNAVAILABLE'
  | 'CERTIFICATE_PENDING'
  | 'CERTIFICATE_REFUSED'
  | 'AUTHORITY_UNAVAILABLE'
  | 'TRACKING_DOMAINS_OFF'
  | 'WORK_FAILED';

/** What events tell of one. */
export interface TrackingDomainFacts {
  trackingDomainId: number;
  name: string;
  at: string;
}

export interface Trouble {
  code: TrackingProblem;
  message: string;
}

/** A name that can carry a CNAME record: one below a registrable domain, since that itself has other records. */
export function trackingNameOf(text: string): string | undefined {
  const name = normalDomainName(text);
  if (name === undefined) return undefined;
  const registrable = getDomain(name, { allowPrivateDomains: true });
  return registrable === null || registrable === name ? undefined : name;
}

/** What the CNAME record of the name points to. The token is the proof: nobody else's name points there. */
export const cnameTargetOf = (dnsToken: string, linksHost: string): string =>
  `${dnsToken}.${linksHost}`;

/** The ACME directory (RFC 8555, section 7.1.1) of the authority that makes certificates of clients' names. */
export const linksAuthorityOf = (settings: {
  ACME_DIRECTORY_URL: string;
  LINKS_ACME_DIRECTORY_URL?: string | undefined;
}): string => settings.LINKS_ACME_DIRECTORY_URL ?? settings.ACME_DIRECTORY_URL;

/** Undefined: the record is as it has to be. */
export function cnameTrouble(
  { name, target }: { name: string; target: string },
  found: readonly string[],
): Trouble | undefined {
  const wanted = `${name} CNAME ${target}`;
  const [first] = found;
  if (first === undefined) {
    return { code: 'CNAME_MISSING', message: `There is no CNAME record yet. Set: ${wanted}` };
  }
  if (first.toLowerCase() === target) return undefined;
  const message = `The CNAME record points to ${first}. Set: ${wanted}`;
  return { code: 'CNAME_WRONG', message };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Between two steps of an order at the authority, at the least. */
export const ORDER_STEP_MS = 3 * SECOND;

/**
 * Until an order is asked for again that has not moved for `sinceMs`: orders take seconds, and one that nobody decides
 * stands for days. The authority's `Retry-After` (RFC 8555, sections 7.4 and 7.5.1) counts where it is longer.
 */
export const orderWaitMs = (sinceMs: number, retryAfterMs = 0): number =>
  Math.min(Math.max(ORDER_STEP_MS, sinceMs / 10, retryAfterMs), HOUR);
/** Resolvers or an authority that do not answer are asked again. */
export const TROUBLE_MS = 5 * MINUTE;
/** A name that works is looked at again. */
export const STANDING_LOOK_MS = DAY;

/** After the `n`th refusal in a row: Let's Encrypt allows five failed validations of a name an hour. */
const REFUSED_MS = [15 * MINUTE, HOUR, 6 * HOUR];
export const refusedWaitMs = (refusals: number): number => REFUSED_MS[refusals - 1] ?? DAY;

/** A check asks the authority again, but not sooner than this after a refusal. */
export const LEAST_REFUSED_MS = 12 * MINUTE;

/** People set a record within minutes of asking, or another day. */
export function recordWaitMs(sinceMs: number): number {
  if (sinceMs < HOUR) return MINUTE;
  return sinceMs < DAY ? 10 * MINUTE : HOUR;
}

/** With a third of its life left, at most 30 days: authorities shorten their certificates. */
export function renewalOf({ from, to }: { from: Date; to: Date }): Date {
  const lifeMs = to.getTime() - from.getTime();
  return new Date(to.getTime() - Math.min(lifeMs / 3, 30 * DAY));
}
