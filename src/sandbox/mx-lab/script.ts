/** The behaviour of a lab server, and the parts that most of them share. */

/** A reply, or what a server does instead of one: `hang up`, `say nothing`. */
export type Move = string;

/** The state of a connection. */
export interface SmtpState {
  /** Recipients of this transaction: accepted ones, and all that were asked about. */
  accepted: string[];
  asked: string[];
  /** 5xx answers on this connection. */
  errors: number;
  isSecure: boolean;
}

export interface LabScript {
  /** One line for docs/world.md and the index. */
  about: string;
  greeting?: Move;
  /** What EHLO offers besides the name. */
  extensions?: readonly string[];
  ehlo?: Move;
  helo?: Move;
  /** Delay before each reply, in world time. */
  delayMs?: number;
  mail?: (from: string, state: SmtpState) => Move;
  rcpt: (to: string, state: SmtpState) => Move;
}

export const OK = '250 2.0.0 Ok';
export const RECIPIENT_OK = '250 2.1.5 Ok';
export const UNKNOWN_USER = '550 5.1.1 Recipient address rejected: User unknown';
export const PIPELINING = ['PIPELINING', 'ENHANCEDSTATUSCODES', '8BITMIME'];

export const localPartOf = (address: string): string =>
  address.slice(0, address.lastIndexOf('@')).toLowerCase();

/** Whether the address has a mailbox in the lab: `user`, `user-7`, `ann.2`, `info3`, `jürgen`. */
export const hasMailbox = (address: string): boolean =>
  /^"?(user|ann|bob|info|jürgen)[-.]?\d*"?$/u.test(localPartOf(address));

/** The reply of an honest server; `full-*` and `disabled-*` are what their names say. */
export function honest(to: string): string {
  const local = localPartOf(to);
  if (local.startsWith('full-')) return '452 4.2.2 The mailbox is over quota';
  if (local.startsWith('disabled-')) return '550 5.2.1 The mailbox is disabled';
  return hasMailbox(to) ? RECIPIENT_OK : UNKNOWN_USER;
}
