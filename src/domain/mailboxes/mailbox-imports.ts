/** Terms and limits of files of mailboxes that are connected in bulk. Choice 120. */
import type { MailServers } from './mail-servers.ts';

export const MAILBOX_IMPORT_STATUSES = ['processing', 'completed', 'failed', 'cancelled'] as const;
export type MailboxImportStatus = (typeof MAILBOX_IMPORT_STATUSES)[number];

/**
 * `waiting`, then `connecting`, then how it ended. `duplicate`: an earlier row has the address; `already_connected`:
 * the account had it before; `invalid`: its cells are wrong; `cancelled`: the import ended before it did.
 */
export const MAILBOX_ROW_STATES = [
  'waiting',
  'connecting',
  'connected',
  'failed',
  'already_connected',
  'duplicate',
  'invalid',
  'cancelled',
] as const;
export type MailboxRowState = (typeof MAILBOX_ROW_STATES)[number];

export type MailboxRowCounts = Record<MailboxRowState, number>;

/** How many are in work at once, of a job and, of these, at one host: most of the time they wait for their message. */
export const MAX_ROWS_AT_ONCE = 100;
export const MAX_ROWS_PER_HOST = 40;

/** Logins of one process at one host at once: vendors take more for an attack. */
export const LOGINS_PER_HOST = 5;

/** So many refused logins of a file in a row, and its host is asked no more: a vendor would lock us all out. */
export const REFUSED_IN_A_ROW = 20;

/** What a row asks for. */
export interface MailboxRowOrder {
  row: number;
  email: string;
  password: string;
  servers: MailServers;
  preset: string | null;
  senderName: string | null;
  dailyLimit: number | null;
}

/** A row that is not connected, and why; never a word of its password. */
export interface RefusedMailboxRow {
  row: number;
  state: 'invalid' | 'duplicate';
  email: string | null;
  field: string | null;
  problem: string;
}

/** The hosts that a row logs in to. */
export const hostsOf = ({ smtp, imap }: MailServers): string[] =>
  [...new Set([smtp.host, imap.host])].toSorted();

/** How many rows are over. */
export const endedRows = (counts: MailboxRowCounts, total: number): number =>
  total - counts.waiting - counts.connecting;
