/** What the routes of the Porkbun stand-in share. */
import type { SandboxCore } from '../core.ts';
import type { IdempotencyKeys } from '../idempotency.ts';
import type { PorkbunBooks } from './books.ts';
import type { Limit } from './limits.ts';

export interface Desk {
  core: SandboxCore;
  books: PorkbunBooks;
  keys: IdempotencyKeys;
  checks: Limit;
  creates: Limit;
  renewals: Limit;
}
