/** Where a connected mailbox lives: its servers, named by its owner or by the preset of its vendor. Choice 105. */
import type { OauthGrant } from './oauth.ts';

/** `tls`: from the first byte; `starttls`: before anything else is said. Never without either. */
export type MailTls = 'tls' | 'starttls';

export interface MailServer {
  host: string;
  port: number;
  tls: MailTls;
}

export interface MailServers {
  /** Mostly the address. */
  username: string;
  smtp: MailServer;
  imap: MailServer;
  /** It is logged in to by access tokens of this consent, and has no password. */
  oauth?: OauthGrant | undefined;
}

/** A stranger names the host: no other port of it is called. */
export const SMTP_PORTS: readonly number[] = [465, 587, 2525];
export const IMAP_PORTS: readonly number[] = [993, 143];

/** What a client knows without saying: the ports on which TLS begins at once. */
export const tlsOf = (port: number): MailTls => (port === 465 || port === 993 ? 'tls' : 'starttls');

/** A vendor's servers, and what its users have to do before a password works there. */
export interface MailPreset {
  smtp: MailServer;
  imap: MailServer;
  guidance: string;
}

const secured = (host: string, port: number): MailServer => ({ host, port, tls: tlsOf(port) });

export const MAIL_PRESETS = {
  google: {
    smtp: secured('smtp.gmail.com', 465),
    imap: secured('imap.gmail.com', 993),
    guidance:
      'Google takes an app password, not the one of the account: turn on 2-Step Verification, make one at ' +
      'https://myaccount.google.com/apppasswords and send its 16 letters. In Workspace an administrator may ' +
      'have to allow IMAP.',
  },
  microsoft: {
    smtp: secured('smtp.office365.com', 587),
    imap: secured('outlook.office365.com', 993),
    guidance:
      'Microsoft takes an app password only where the tenant still allows basic authentication: turn on ' +
      'Authenticated SMTP and IMAP for the mailbox in the Microsoft 365 admin center, and make an app password ' +
      'at https://mysignins.microsoft.com/security-info.',
  },
  yahoo: {
    smtp: secured('smtp.mail.yahoo.com', 465),
    imap: secured('imap.mail.yahoo.com', 993),
    guidance: 'Yahoo takes an app password: Account security, Generate app password.',
  },
  icloud: {
    smtp: secured('smtp.mail.me.com', 587),
    imap: secured('imap.mail.me.com', 993),
    guidance: 'iCloud takes an app-specific password, made at https://account.apple.com.',
  },
  zoho: {
    smtp: secured('smtp.zoho.com', 465),
    imap: secured('imap.zoho.com', 993),
    guidance:
      'Zoho: turn on IMAP access in the settings of the mailbox and, with two factors, make an ' +
      'application-specific password.',
  },
  fastmail: {
    smtp: secured('smtp.fastmail.com', 465),
    imap: secured('imap.fastmail.com', 993),
    guidance: 'Fastmail takes an app password: Settings, Privacy & Security, App passwords.',
  },
} as const satisfies Record<string, MailPreset>;

export type MailPresetName = keyof typeof MAIL_PRESETS;
export const MAIL_PRESET_NAMES = Object.keys(MAIL_PRESETS) as MailPresetName[];

/** Undefined for a mailbox without a preset, or one of a newer version. */
export const presetOf = (name: string | null): MailPreset | undefined =>
  name !== null && Object.hasOwn(MAIL_PRESETS, name)
    ? MAIL_PRESETS[name as MailPresetName]
    : undefined;
