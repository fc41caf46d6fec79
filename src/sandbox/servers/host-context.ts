/** What the servers of one simulated host share. */
import type { SandboxCore } from '../core.ts';
import { openTokens } from '../oauth/tokens.ts';
import type { LoginRecords } from './logins.ts';
import type { Machine } from './machine.ts';
import type { MailQueue } from './mail-queue.ts';
import type { MailStore, Mailbox } from './mail-store.ts';
import { passwordMatches } from './passwords.ts';

export interface HostContext {
  id: string;
  core: SandboxCore;
  mail: MailStore;
  queue: MailQueue;
  logins: LoginRecords;
  /** The current state of the disk. */
  machine(): Machine;
  update(change: Partial<Machine>): void;
  /** Opens 25, 465 and 993; harmless to repeat. */
  openMailPorts(): Promise<void>;
  /** Closes them, and the connections at them. */
  closeMailPorts(): Promise<void>;
  /** Opens 443, where policies of MTA-STS are served; harmless to repeat. */
  openWebPort(): Promise<void>;
}

/** The parts of a host that a login needs. */
export type LoginHost = Pick<HostContext, 'id' | 'core' | 'mail' | 'logins'> & {
  machine(): Pick<Machine, 'hostName' | 'ipv4' | 'tokensOf'>;
};

/** Whether this host receives mail for the address's domain. */
export const hostsDomainOf = (host: HostContext, address: string): boolean =>
  host.machine().domains.some((hosted) => hosted.domain === domainOf(address));

/** The mailbox that receives for an address; `name+anything` is `name` (recipient_delimiter). */
export const recipientMailbox = (host: HostContext, address: string): Mailbox | undefined =>
  host.mail.find(host.id, address) ?? host.mail.find(host.id, withoutExtension(address));

/** `ann+bounce-7@acme.com` is `ann@acme.com`. */
export const withoutExtension = (address: string): string => address.replace(/\+[^@]*(?=@)/, '');

export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The mailbox when the password is right; the attempt is recorded either way. */
export async function logIn(
  host: LoginHost,
  protocol: 'smtp' | 'imap',
  user: string,
  password: string,
): Promise<Mailbox | undefined> {
  const mailbox = host.mail.find(host.id, user.toLowerCase());
  const ok = mailbox !== undefined && (await passwordMatches(password, mailbox.passwordHash));
  const { hostName, ipv4 } = host.machine();
  host.logins.note({ protocol, host: hostName, ipv4, user, ok });
  return ok ? mailbox : undefined;
}

/** The same by an access token, and when the session has to end. */
export function logInByToken(
  host: LoginHost,
  protocol: 'smtp' | 'imap',
  user: string,
  token: string,
): { mailbox: Mailbox; endsAt: number } | undefined {
  const { hostName, ipv4, tokensOf } = host.machine();
  const mailbox = host.mail.find(host.id, user.toLowerCase());
  const tokens = tokensOf && openTokens(host.core.store, tokensOf);
  const endsAt = mailbox && tokens?.opens(token, mailbox.address, protocol);
  host.logins.note({ protocol, host: hostName, ipv4, user, ok: endsAt !== undefined });
  return endsAt === undefined ? undefined : { mailbox: mailbox!, endsAt };
}

/** Why, as Gmail says it in both protocols. */
export const TOKEN_REFUSED = {
  status: '400',
  schemes: 'Bearer',
  scope: 'https://mail.google.com/',
};
