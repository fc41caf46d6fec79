/** Contract of `renewDomains`: run by a Schedule once a day, it does what domains need. */
import type { Pace } from '../../src/domain/operations/operations.ts';

export const renewDomainsType = 'renewDomains';
export const RENEW_DOMAINS_SCHEDULE_ID = 'renew-domains';
export const RENEW_DOMAINS_EVERY_SECONDS = 86_400;

export interface RenewDomainsInput {
  pace: Pace;
  /** Where a run that became too long goes on: behind this domain, with so many begun. */
  afterId?: number;
  renewed?: number;
}
