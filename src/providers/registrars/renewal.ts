/** What every registrar checks before it spends money on another term. */
import { SAME_TERM_MS } from '../../domain/domains/domain-renewals.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { OwnedDomain, Renewal } from './port.ts';

/**
 * The renewal that exists already: the domain ends a term later than `expiresAt`. Undefined when it
 * still has to be renewed. Throws `rejected` for a domain that is not in the account.
 */
export function earlierRenewal(
  found: OwnedDomain | null,
  asked: { provider: string; domain: string; expiresAt: string },
): Renewal | undefined {
  if (!found) {
    throw new ProviderError('rejected', `${asked.domain} is not in our account`, {
      provider: asked.provider,
      clientCode: 'DOMAIN_REJECTED',
    });
  }
  const laterMs = Date.parse(found.expiresAt) - Date.parse(asked.expiresAt);
  if (laterMs <= SAME_TERM_MS) return undefined;
  const { domain, purchasedAt, expiresAt } = found;
  return { domain, purchasedAt, expiresAt, orderRef: null, chargedCents: null };
}
