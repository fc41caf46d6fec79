/** The port of mail hosts: a rented server that is set up as a mail server and run as one. */

import type { ByteStream } from '../../domain/cipher.ts';
import type { HostSigns } from '../../domain/clusters/host-health.ts';

/** How to reach one server. The private key is a secret: it never enters a workflow. */
export interface ServerAccess {
  ipv4: string;
  /** OpenSSH private key, made for this server alone. */
  sshPrivateKey: string;
  /** OpenSSH one-line public key of the host; any other key is refused. */
  hostPublicKey: string;
}

/** The keys of a new server: one to log in with, one by which the host proves itself. */
export interface ServerKeys {
  client: { privateKey: string; publicKey: string };
  host: { privateKey: string; publicKey: string };
}

/** What the host reports of itself. */
export interface MailHostStatus {
  hostName: string | null;
  domains: string[];
  mailboxes: string[];
  certificate: { hostName: string; expiresAt: string } | null;
  /**
   * `blocked`: the provider drops outgoing port 25
   * (docs/providers/README.md#where-outgoing-port-25-stays-closed), which is reported and not fatal.
   */
  outbound25: PortState;
  /**
   * The relay by which its messages leave, and how its port answers there; null where they leave
   * directly. `refused`: messages wait because the smarthost rejects the login or shows no matching
   * certificate.
   */
  smarthost: { host: string; port: number; state: PortState | 'refused' } | null;
  /** Which program the host has, as `MailHost.program`; null: one that does not tell. */
  program: string | null;
  /** How it is; null where its program does not tell. */
  signs: HostSigns | null;
}

export type PortState = 'open' | 'blocked' | 'unknown';

export interface MailHost extends HostMoves {
  readonly name: string;

  /** The digest of this release's program. */
  readonly program: string;

  /** Makes fresh ed25519 keys in OpenSSH form. */
  makeKeys(): ServerKeys;

  /**
   * Lets this key log in beside those that may already. MUST be safe to repeat. MUST throw `auth` where the
   * host's program is too old for it.
   */
  allowKey(server: ServerAccess, publicKey: string): Promise<void>;

  /** Takes a key off the host. MUST succeed when it is not there, and MUST NOT remove the last one. */
  removeKey(server: ServerAccess, publicKey: string): Promise<void>;

  /**
   * cloud-init user-data for a new host; holds the host key and the script, no other secret. With `anew` it is for
   * a host that mail is sent to already: its key may log in beside the vendor's, and mail MUST stay out until
   * `closeMail` keeps it out.
   */
  userData(input: {
    hostName: string;
    hostKey: ServerKeys['host'];
    anew?: NewSystem | undefined;
  }): string;

  /**
   * Gives the host the program of this release and keeps the one of before beside it. MUST be safe to repeat, and
   * MUST change nothing where the program did not arrive whole.
   */
  putProgram(server: ServerAccess): Promise<void>;

  /** Puts the program of before back, where one is kept. MUST be safe to repeat. */
  restoreProgram(server: ServerAccess): Promise<void>;

  /** Forgets the program of before. MUST be safe to repeat. */
  keepProgram(server: ServerAccess): Promise<void>;

  /** MUST throw `not_ready` until first boot (cloud-init) has finished. */
  waitForFirstBoot(server: ServerAccess, signal?: AbortSignal): Promise<void>;

  /**
   * Configures the services for this host name and the outgoing route, and gets a certificate. MUST be
   * safe to repeat.
   */
  install(server: ServerAccess, hostName: string, signal?: AbortSignal): Promise<void>;

  /**
   * Makes an installed host send through the smarthost of the settings, or directly where they name
   * none. MUST be safe to repeat; user and password travel on stdin.
   */
  setWayOut(server: ServerAccess, signal?: AbortSignal): Promise<void>;

  /** MUST be safe to repeat; the DKIM key (PKCS#8 PEM) travels on stdin. */
  addDomain(
    server: ServerAccess,
    input: { domain: string; dkimSelector: string; dkimPrivateKey: string },
  ): Promise<void>;

  /** MUST succeed when the domain is not there; removes its mailboxes too. */
  removeDomain(server: ServerAccess, domain: string): Promise<void>;

  /**
   * Serves the MTA-STS policy of a domain that the host serves, with a certificate for `mta-sts.<domain>`,
   * whose A record MUST be visible. MUST throw `rejected` where the host's program is too old for it.
   */
  serveMtaSts(
    server: ServerAccess,
    input: { domain: string; mode: 'testing' | 'enforce' },
  ): Promise<void>;

  /**
   * Adds the mailbox or sets the password of an existing one. The password travels on stdin and is
   * hashed on the host.
   */
  setMailbox(server: ServerAccess, input: { email: string; password: string }): Promise<void>;

  /** MUST succeed when the mailbox is not there. */
  removeMailbox(server: ServerAccess, email: string): Promise<void>;

  status(server: ServerAccess): Promise<MailHostStatus>;
}

/** What a host that is made anew has from its first boot on. */
export interface NewSystem {
  loginKey: string;
  /** What `readMark` tells. */
  mark: string;
}

/**
 * What is on a host alone, saved from it and put on a new one: maildirs, certificates, and what waits in the queue.
 * MUST work whatever program the host has. Each MUST be safe to repeat, and MUST change nothing where a later one has
 * been done: an attempt that was taken for dead must not.
 */
export interface HostMoves {
  /** Takes no mail and no login any more, also after a restart of the host. */
  stopMail(server: ServerAccess, signal?: AbortSignal): Promise<void>;

  startMail(server: ServerAccess, signal?: AbortSignal): Promise<void>;

  /**
   * Gives it to `take`, which MUST keep nothing where the stream fails: it ends well only if it is whole. `resting`:
   * after `stopMail`, with the queue; else without, as it goes on changing.
   */
  saveHost(
    server: ServerAccess,
    mode: 'running' | 'resting',
    take: (content: ByteStream) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>;

  /** On a new host: only this key may log in, and mail stays out until `openMail`. */
  closeMail(server: ServerAccess, loginKey: string): Promise<void>;

  /** The mark of the system that answers; null: it was never made anew. */
  readMark(server: ServerAccess): Promise<string | null>;

  /** Puts the certificates of a backup in their place, and the mail beside it. */
  takeBackup(
    server: ServerAccess,
    backup: { name: string; content: ByteStream },
    signal?: AbortSignal,
  ): Promise<void>;

  /**
   * Puts the mail of the mailboxes that the host has in its place; without a backup (null) nothing. The queue only where
   * `hasQueue`: what it holds is delivered at once. MUST fail where the host was given another backup.
   */
  mergeBackup(
    server: ServerAccess,
    backup: { name: string; hasQueue: boolean } | null,
    signal?: AbortSignal,
  ): Promise<void>;

  openMail(server: ServerAccess): Promise<void>;
}
