/** Wire shapes of connected mailboxes. Choice 105. */
import { z } from 'zod';
import {
  IMAP_PORTS,
  MAIL_PRESETS,
  MAIL_PRESET_NAMES,
  presetOf,
  SMTP_PORTS,
  tlsOf,
  type MailServer,
  type MailServers,
} from '../../domain/mailboxes/mail-servers.ts';
import { OAUTH_GUIDANCE, OAUTH_PROVIDERS } from '../../domain/mailboxes/oauth.ts';
import { oneLineText, timestamp } from '../../http/schemas.ts';
import type {
  ConnectionChange,
  ConnectionOrder,
  ConnectionView,
} from '../../services/mailboxes/mailbox-connections.ts';

const HOST =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
const ADDRESS = /^[^\s@<>"(),:;[\]\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/;

const serverOf = (ports: readonly number[]) =>
  z.object({
    host: z.string().trim().toLowerCase().regex(HOST, 'must be the name of a host'),
    port: z
      .int()
      .refine((port) => ports.includes(port), `must be one of ${ports.join(', ')}`)
      .meta({ enum: [...ports] }),
    tls: z
      .enum(['tls', 'starttls'])
      .optional()
      .describe('`tls` from the first byte, the default on 465 and 993; else by STARTTLS.'),
  });

export const smtpServer = serverOf(SMTP_PORTS);
export const imapServer = serverOf(IMAP_PORTS);

export const preset = z.enum(MAIL_PRESET_NAMES as [keyof typeof MAIL_PRESETS]);

/** What the vendor gave: of any length, on one line. */
export const ownPassword = z
  .string()
  .min(1)
  .max(512)
  .regex(/^\P{Cc}+$/u, 'must be on one line');

export const username = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .regex(/^\P{Cc}+$/u, 'must be on one line');

export const mailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(ADDRESS, 'must be an e-mail address');

/** Null for anything else than an address. */
export const addressOf = (cell: string | undefined): string | null =>
  mailAddress.safeParse(cell).data ?? null;

/** Cold messages a day stay below the hard limit of all messages. */
export const connectBody = (dailyMax: number) =>
  z
    .object({
      email: mailAddress,
      password: ownPassword,
      username: username.optional().describe('Default: the address.'),
      preset: preset.optional().describe('Knows the servers of its vendor.'),
      smtp: smtpServer.optional(),
      imap: imapServer.optional(),
      senderName: oneLineText.optional(),
      dailyLimit: z.int().min(1).max(dailyMax).optional().describe('Cold messages a day.'),
    })
    .superRefine((body, ctx) => {
      for (const name of ['smtp', 'imap'] as const) {
        if (body.preset !== undefined || body[name] !== undefined) continue;
        const message = `${name} is required without a preset`;
        ctx.addIssue({ code: 'custom', path: [name], message });
      }
    });

export type ConnectBody = ReturnType<typeof connectBody>;

/** With the servers of the preset where none are named. */
export function orderOf(body: z.output<ConnectBody>): ConnectionOrder & { password: string } {
  const known = presetOf(body.preset ?? null);
  const servers: MailServers = {
    username: body.username ?? body.email,
    smtp: withTls(body.smtp) ?? known!.smtp,
    imap: withTls(body.imap) ?? known!.imap,
  };
  const { email, password, senderName = null, dailyLimit = null } = body;
  return { email, password, servers, preset: body.preset ?? null, senderName, dailyLimit };
}

export const changeBody = z.object({
  password: ownPassword.optional(),
  username: username.optional(),
  preset: preset
    .nullable()
    .optional()
    .describe('Its servers are taken where none are named; null: of no vendor, the servers stay.'),
  smtp: smtpServer.optional(),
  imap: imapServer.optional(),
});

/** With the servers of a new preset where none are named. */
export function changeOf(body: z.output<typeof changeBody>): ConnectionChange {
  const known = presetOf(body.preset ?? null);
  return {
    ...body,
    smtp: withTls(body.smtp) ?? known?.smtp,
    imap: withTls(body.imap) ?? known?.imap,
  };
}

export const withTls = (server: z.output<typeof smtpServer> | undefined): MailServer | undefined =>
  server && { ...server, tls: server.tls ?? tlsOf(server.port) };

const shownServer = z.object({
  host: z.string(),
  port: z.int(),
  tls: z.enum(['tls', 'starttls']),
});

export const connection = z
  .object({
    id: z.int(),
    email: z.string(),
    status: z.enum(['pending', 'active', 'failed', 'deleting', 'deleted']),
    isActive: z.boolean(),
    preset: z.string().nullable(),
    oauth: z
      .enum(OAUTH_PROVIDERS)
      .nullable()
      .describe('By whose access tokens it is logged in to; null: by a password.'),
    username: z.string(),
    smtp: shownServer,
    imap: shownServer,
    state: z
      .enum(['proving', 'blocked', 'proven', 'failed'])
      .describe('Of the last proof: a login, a message from the mailbox to itself, and that read.'),
    step: z.string().nullable(),
    message: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    guidance: z.string().nullable().describe('What users of this vendor have to do first.'),
    provenAt: timestamp.nullable(),
    addressProvenAt: timestamp
      .nullable()
      .describe('When a proof last showed that mail to the address comes here; null: none has.'),
    createdAt: timestamp,
  })
  .meta({ id: 'MailboxConnection' });

export function presentConnection(view: ConnectionView): z.input<typeof connection> {
  const { mailbox, progress, error, provenAt, addressProvenAt } = view;
  const { oauth, ...servers } = view.servers;
  const ended = error ? 'failed' : 'proven';
  return {
    id: mailbox.id,
    email: mailbox.email,
    status: mailbox.status,
    isActive: mailbox.status === 'active',
    preset: view.preset,
    oauth: oauth?.provider ?? null,
    ...servers,
    state: progress ? (progress.isBlocked ? 'blocked' : 'proving') : ended,
    step: progress?.step ?? null,
    message: progress?.message ?? error?.message ?? 'It sends, and is read',
    error: progress ? null : error,
    guidance: oauth ? OAUTH_GUIDANCE : (presetOf(view.preset)?.guidance ?? null),
    provenAt: provenAt?.toISOString() ?? null,
    addressProvenAt: addressProvenAt?.toISOString() ?? null,
    createdAt: mailbox.created_at.toISOString(),
  };
}
