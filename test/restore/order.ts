/** What a client of the drill wants. */
import type { Account } from '../e2e/account.ts';

/** A domain and a server. Spec: Limits. */
export const CLUSTER_CENTS = 4_100;

/** One cluster that a client wants; `id` is what the API has answered last. */
export interface Order {
  account: Account;
  domain: string;
  id: number | undefined;
  /** Its client deletes it as soon as it is active. */
  isDestroyed: boolean;
  isDeleteAsked: boolean;
}
