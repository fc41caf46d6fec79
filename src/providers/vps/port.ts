/** The port of VPS providers. Every operation throws only `ProviderError`. */

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

export interface VpsProvider {
  readonly name: string;

  /**
   * Whether the provider itself refuses a second server of a name. Where it does not, a repeated
   * `create` is safe only when the earlier one has ended and its result would be visible.
   */
  readonly namesAreUnique: boolean;

  /** MUST find the server made for this name, or answer null. */
  findByName(name: string): Promise<RentedServer | null>;

  /**
   * MUST be safe to repeat with one name: an existing server of that name is returned.
   * MUST throw `quota` when there is no capacity, `outcome_unknown` when no answer came.
   * Where names are not unique: MUST NOT begin to order later than two time-outs after its call.
   */
  create(order: ServerOrder): Promise<RentedServer>;

  /** MUST answer null when the server is gone. */
  get(id: string): Promise<RentedServer | null>;

  /** Sets the PTR record of the server's address. MUST be safe to repeat. */
  setReverseDns(id: string, ipv4: string, hostName: string): Promise<void>;

  /**
   * Deletes the server with this name and everything that was made for it (its SSH key). With `id`
   * only the server of that id, however many have the name. MUST succeed when nothing is left.
   */
  destroy(name: string, id?: string): Promise<void>;

  /**
   * Every server with the label `managed-by: outreach`, every page; for comparing vendor records with
   * ours.
   */
  listOurs?(): Promise<OwnServer[]>;
}
