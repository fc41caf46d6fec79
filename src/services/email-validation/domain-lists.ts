/** Lists of disposable and free mail domains, loaded when the first address is checked. */
import { createRequire } from 'node:module';
import { getDomain } from 'tldts';
import type { DomainLists } from '../../domain/email-validation/email-verdict.ts';

/** They take 100 ms and 12 MB: an API that validates nothing starts without them. */
const load = createRequire(import.meta.url);

let lists: DomainLists | undefined;

/**
 * `disposable-email-domains-js` (CC0) and `free-email-domains-list` (MIT), data only. The second also
 * contains disposable domains, so the first decides.
 */
export function domainLists(): DomainLists {
  lists ??= loadLists();
  return lists;
}

function loadLists(): DomainLists {
  const { disposableEmailBlocklistSet } = load(
    'disposable-email-domains-js',
  ) as typeof import('disposable-email-domains-js');
  const { DOMAINS: free } = load(
    'free-email-domains-list',
  ) as typeof import('free-email-domains-list');
  const disposable = disposableEmailBlocklistSet();
  return {
    // Disposable providers hand out subdomains, too.
    isDisposable: (domain) => disposable.has(domain) || disposable.has(getDomain(domain) ?? ''),
    isFree: (domain) => free.has(domain),
  };
}
