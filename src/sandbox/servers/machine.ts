/** A rented machine as stored on its disk: boot settings, keys, mail domains, certificates. */

import type { MailFolder, NewMessage } from './mail-store.ts';

/** What a VPS stand-in gives to a new machine. Times are epoch milliseconds. */
export interface MachineOrder {
  /** The vendor and its server's id, such as `hetzner-42`. */
  id: string;
  ipv4: string;
  /** OpenSSH one-line public keys that may log in as root. */
  authorizedKeys: string[];
  userData: string;
  /** When the kernel is up: SSH answers shortly after. */
  runningAtMs: number;
}

/** A mail domain of the host with the key that signs its messages (PKCS#8 PEM). */
export interface HostedDomain {
  domain: string;
  selector: string;
  dkimPrivateKey: string;
}

export interface HostCertificate {
  hostName: string;
  /** PEM; `certificate` holds the chain. */
  key: string;
  certificate: string;
  expiresAt: string;
}

/** What a backup of a simulated host holds. */
export interface SavedHost {
  certificates: HostCertificate[];
  mailboxes: {
    address: string;
    folders: MailFolder[];
    messages: NewMessage[];
  }[];
}

/** Whose access tokens open mailboxes of a host. */
export type TokenVendor = 'google' | 'microsoft';

/** The machine's disk. One document of the collection `machines`; never changed in place. */
export interface Machine extends Omit<MachineOrder, 'userData'> {
  /** OpenSSH private key with which the host proves itself. */
  hostKey: string;
  /** Files that cloud-init wrote, by path. */
  writtenFiles: string[];
  /** Digests of the program of mail hosts, and of the one of before while it is kept. */
  program?: string | undefined;
  programBefore?: string | undefined;
  /** cloud-init could not read the user-data. */
  bootFailed: boolean;
  /** What a test wants `status` to tell instead of a host that is well. */
  signs?: Record<string, unknown>;
  /** Set by the verb `install`: from then on 25, 465 and 993 answer. */
  hostName: string | null;
  /** Of a host that nobody rented here. */
  aliases?: string[];
  tokensOf?: TokenVendor;
  domains: HostedDomain[];
  certificates: HostCertificate[];
  /** When the authority could not validate a name of the host; epoch ms. */
  failedValidations?: { name: string; at: number }[];
  /** Domains whose MTA-STS policy it serves on port 443. */
  mtaSts?: { domain: string; mode: string }[];
  /** Mail stays out although the host is installed: it is being made anew, or was stopped. */
  isClosed?: boolean;
  /** How far a host is that is made anew, and the backup that it was given. */
  rebuild?: { backup?: SavedHost | undefined; merged?: string; isOpened?: boolean };
  /** What its user-data wrote to know the system by. */
  mark?: string | undefined;
  /** Recorded for the verb `status`; messages of simulated hosts go to the exchangers all the same. */
  smarthost?: { host: string; port: number } | undefined;
}

export const MACHINES = 'machines';

/** How long after "running" SSH answers, and how long first boot (cloud-init) takes after that. */
export const SSH_DELAY_MS = 300;
export const FIRST_BOOT_MS = 1_000;
