/** The port of VPS providers. Every operation throws only `ProviderError`. */
import { ProviderError } from '../../domain/errors.ts';
import type { AskableAccount } from '../../domain/operations/account-questions.ts';

/** What is to be rented. `name` is the intent token: at most one server of a name is ever made. */
export interface ServerOrder {
  /** RFC 1123 host label, derived from operation and generation, and never given out again. */
  name: string;
  /** OpenSSH one-line public key that may log in as root. */
  sshPublicKey: string;
  /** cloud-init user-data as plain text, at most 32 KiB; nothing secret but the host key. */
  userData: string;
  /** For people who look at the provider's console. */
  labels: Record<string, string>;
}

/** A rented server. `ipv4` is null until the provider has given one. */
export interface RentedServer {
  /** The provider's own id. */
  id: string;
  name: string;
  state: 'starting' | 'running' | 'off';
  ipv4: string | null;
  /** Why the provider could not make it after all, in its own words; unset while it has not failed. */
  failure?: string;
}

/** A new system in place of the one that a server has. */
export interface ReinstallOrder {
  /** As that of `ServerOrder`. */
  userData: string;
  /** Nothing is asked for later than this, in epoch milliseconds: an attempt may sleep and wake. */
  latestStart: number;
}

/** What the provider shows of the reinstalls of a server. */
export interface ReinstallView {
  /** Names the last one that has begun, `0` where there was none; null: the provider does not list them. */
  last: string | null;
  /** One is being done, or the server is on its way up. */
  isAtWork: boolean;
  /** Why the last one failed, in the provider's words; unset while it has not. */
  failure?: string;
}

/** Why the configured server cannot be ordered, or soon cannot. */
export interface OrderProblem {
  /** The setting that has to change; null where it is something else, which `cure` names. */
  variable: string | null;
  /** What is wrong with its value and what the provider sells instead, in one sentence. */
  message: string;
  /** What has to be done at the provider; unset where the setting's value is the problem. */
  cure?: string;
  /** False for a warning: it can still be ordered. */
  prevents: boolean;
}

/** Value of the label `managed-by` that each of our orders has, and prefix of its name. */
export const MANAGED_BY = 'outreach';

/** A server as a list of all of ours shows it; `labels` are those of its order. */
export interface OwnServer {
  id: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  /** ISO 8601 UTC. */
  createdAt: string;
}

export interface VpsProvider extends AskableAccount {
  readonly name: string;

  /**
   * Whether the provider itself refuses a second server of a name. Where it does not, a repeated
   * `create` is safe only when the earlier one has ended and its result would be visible.
   */
  readonly namesAreUnique: boolean;

  /**
   * What the provider's catalogue says about the configured server, and what else in the account would make a
   * new one useless. MUST NOT order anything. An empty list
   * promises nothing: the last free place may be gone a moment later.
   */
  orderProblems(): Promise<OrderProblem[]>;

  /** What an hour of the configured server costs, for people: `0.0068 EUR`, without taxes. */
  hourPrice?(): Promise<string>;

  /** MUST find the server made for this name, or answer null. */
  findByName(name: string): Promise<RentedServer | null>;

  /**
   * MUST be safe to repeat with one name: an existing server of that name is returned.
   * MUST throw `quota` when there is no capacity, `outcome_unknown` when no answer came.
   * Where names are not unique: MUST NOT begin to order later than two time-outs after its call.
   */
  create(order: ServerOrder): Promise<RentedServer>;

  /** MUST answer null when the server is gone, and say so where the order has failed (`failure`). */
  get(id: string): Promise<RentedServer | null>;

  /**
   * Wipes the server's disk and boots a new system with its address. MUST NOT ask later than `latestStart`.
   * MUST throw `outcome_unknown` when no answer came: it may still begin.
   */
  reinstall(id: string, order: ReinstallOrder): Promise<void>;

  viewReinstalls(id: string): Promise<ReinstallView>;

  /** Sets the PTR record of the server's address. MUST be safe to repeat. */
  setReverseDns(id: string, ipv4: string, hostName: string): Promise<void>;

  /**
   * Deletes the server with this name and everything that was made for it (its SSH key). With `id`
   * only the server of that id, however many have the name. MUST succeed when nothing is left, and only
   * then: `not_ready` while the provider is still deleting.
   */
  destroy(name: string, id?: string): Promise<void>;

  /**
   * Every server with the label `managed-by: outreach`, every page; for comparing vendor records with
   * ours.
   */
  listOurs?(): Promise<OwnServer[]>;
}

/** Of a request that was not sent because it would have begun too late. */
export const tooSlow = (provider: string) =>
  new ProviderError('unavailable', `${provider}: too slow to order now; nothing was ordered`, {
    provider,
    providerCode: 'too_slow',
  });
