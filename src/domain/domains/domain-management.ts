/** Who manages a domain: we, at a registrar, or its owner elsewhere. Choice 64. */
import { invalid } from '../errors.ts';

/** `provider` of a domain that its owner manages elsewhere: we do not write its DNS. */
export const MANUAL_PROVIDER = 'manual';

export const isManual = ({ provider }: { provider: string }): boolean =>
  provider === MANUAL_PROVIDER;

/** Throws DOMAIN_NOT_MANAGED for a domain that is managed elsewhere. */
export function assertManaged(domain: { name: string; provider: string }): void {
  if (!isManual(domain)) return;
  throw invalid(
    'DOMAIN_NOT_MANAGED',
    `${domain.name} was imported and lies elsewhere: its registration and records are changed ` +
      'there; GET /v1/domains/:id/health shows the records that its cluster needs',
  );
}
