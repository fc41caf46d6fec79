/** Contract of `renewDomains`, which a Schedule runs once a day: due renewals and DNS checks. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const renewDomainsType = 'renewDomains';
export const RENEW_DOMAINS_SCHEDULE_ID = 'renew-domains';
export const RENEW_DOMAINS_EVERY_SECONDS = 86_400;

export interface RenewDomainsInput {
  pace: Pace;
  /** Where a run that continued as new goes on: after this domain, with this many renewals begun. */
  afterId?: number;
  renewed?: number;
}
