/** What the routes of the Porkbun stand-in share. */
import type { SandboxCore } from '../core.ts';
import type { IdempotencyKeys } from '../idempotency.ts';
import type { PorkbunRecords } from './vendor-records.ts';
import type { Limit } from './limits.ts';

export interface StandInContext {
  core: SandboxCore;
  vendorRecords: PorkbunRecords;
  keys: IdempotencyKeys;
  checks: Limit;
  creates: Limit;
  renewals: Limit;
}
