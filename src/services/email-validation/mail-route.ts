/** Whether a domain accepts mail at all. RFC 5321, 5.1; RFC 7505. */
import { ProviderError } from '../../domain/errors.ts';
import type { MailRoute } from '../../domain/email-validation/email-verdict.ts';
import type { DnsResolver } from '../../providers/dns/port.ts';

export type MailResolver = Pick<DnsResolver, 'resolveMx' | 'resolveA' | 'resolveAaaa'>;

/** How long an answer is reused; addresses of a batch often share their domain. */
const HOLDS_MS = 5 * 60_000;
const MAX_HELD = 10_000;

/** Called with the preferred exchanger of a domain. */
type OnExchanger = (domain: string, exchanger: string) => void;

/** Caches answers in this process, except failures. */
export function createMailRoutes(
  dns: MailResolver,
  now: () => Date,
  onExchanger: OnExchanger,
): (domain: string) => Promise<MailRoute> {
  const held = new Map<string, { route: Promise<MailRoute>; untilMs: number }>();
  return (domain) => {
    const nowMs = now().getTime();
    const known = held.get(domain);
    if (known && known.untilMs > nowMs) return known.route;
    const route = findRoute(dns, domain, onExchanger).then((found) => {
      if (found === 'dns_failure') held.delete(domain);
      return found;
    });
    held.delete(domain);
    held.set(domain, { route, untilMs: nowMs + HOLDS_MS });
    if (held.size > MAX_HELD) held.delete(held.keys().next().value!);
    return route;
  };
}

async function findRoute(
  dns: MailResolver,
  domain: string,
  onExchanger: OnExchanger,
): Promise<MailRoute> {
  try {
    const exchanges = await dns.resolveMx(domain);
    // "." as the only MX means that a domain accepts no mail; beside others it means nothing.
    const [first] = exchanges
      .map(({ exchange, priority }) => ({ priority, host: exchange.replace(/\.$/, '') }))
      .filter(({ host }) => host !== '')
      .toSorted((a, b) => a.priority - b.priority);
    if (first) {
      onExchanger(domain, first.host.toLowerCase());
      return 'found';
    }
    if (exchanges.length > 0) return 'null_mx';
    if ((await dns.resolveA(domain)).length > 0) return 'found';
    return (await dns.resolveAaaa(domain)).length > 0 ? 'found' : 'no_mx';
  } catch (error) {
    if (error instanceof ProviderError) return 'dns_failure';
    throw error;
  }
}
