/** What a certificate authority's refusal means, and when to ask again (RFC 8555, 6.7; Let's Encrypt, rate limits). */
import { ProviderError } from '../../domain/errors.ts';

const PROVIDER = 'mail-host';

/** By the authority's type: what a person can do. */
const HINTS: Readonly<Record<string, string>> = {
  dns: 'The authority does not find the host under its name: look at the A record and at DNSSEC of the domain.',
  unauthorized:
    'Somebody else answers under the name of the host: look at its A and AAAA records, and at proxies in front of it.',
  connection:
    'Port 80 of the host cannot be reached from outside: look at firewalls of vendor and host.',
  caa: 'A CAA record of the domain forbids this authority: add the one of ACME_DIRECTORY_URL to it.',
  rateLimited:
    'The authority’s limit is reached: it is asked again when the limit ends, nothing has to be done.',
};

/** Where no time is named: the shortest window of Let's Encrypt's limits. */
const LIMIT_MS = 3_600_000;
/** Longer limits (certificates a week) are not waited for in one attempt. */
const MOST_MS = 6 * LIMIT_MS;

/**
 * `what` is the program's line, with the type in parentheses. `rate_limited` with the time that the authority
 * names; everything else is `unavailable`: it may be cured while the step is repeated.
 */
export function certificateRefused(what: string, now = Date.now()): ProviderError {
  const type = /\((\w+)\)/.exec(what)?.[1] ?? 'unknown';
  const message = `${PROVIDER}: ${what}`;
  const facts = {
    provider: PROVIDER,
    providerCode: type,
    operatorHint: HINTS[type] ?? 'Read /var/log/outreach-mail.log on the server.',
  };
  if (type !== 'rateLimited') return new ProviderError('unavailable', message, facts);
  const [, named] = /retry after (\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)/i.exec(what) ?? [];
  const until = named === undefined ? NaN : Date.parse(`${named.replace(' ', 'T')}Z`);
  const waitMs = Number.isNaN(until) ? LIMIT_MS : Math.max(1_000, until - now);
  return new ProviderError('rate_limited', message, {
    ...facts,
    retryAfterMs: Math.min(waitMs, MOST_MS),
  });
}
