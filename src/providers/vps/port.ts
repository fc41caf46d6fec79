/** The port of VPS providers. Every operation throws only `ProviderError`. */

/** What is to be rented. `name` is the intent token: at most one server of a name is ever made. */
export interface ServerOrder {
  /** RFC 1123 host label, derived from operation and generation. */
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

export interface VpsProvider {
  readonly name: string;

  /** MUST find the server made for this name, or answer null. */
  findByName(name: string): Promise<RentedServer | null>;

  /**
   * MUST be safe to repeat with one name: an existing server of that name is returned.
   * MUST throw `quota` when there is no capacity, `outcome_unknown` when no answer came.
   */
  create(order: ServerOrder): Promise<RentedServer>;

  /** MUST answer null when the server is gone. */
  get(id: string): Promise<RentedServer | null>;

  /** Sets the PTR record of the server's address. MUST be safe to repeat. */
  setReverseDns(id: string, ipv4: string, hostName: string): Promise<void>;

  /**
   * Deletes the server with this name and everything that was made for it (its SSH key).
   * MUST succeed when nothing is left.
   */
  destroy(name: string): Promise<void>;
}
