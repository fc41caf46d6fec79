/** Wire shapes of mailboxes. Spec: Mailboxes; choices 27, 58. */
import { z } from 'zod';
import { MAX_SIGNATURE_CHARS } from '../../domain/mailboxes/signatures.ts';
import { timestamp } from '../../http/schemas.ts';
import type { listMailboxes } from '../../services/mailboxes/mailboxes.ts';

export const mailbox = z
  .object({
    id: z.int(),
    email: z.string(),
    clusterId: z.int().describe('0: a connected mailbox, on no cluster.'),
    isActive: z.boolean(),
    status: z.enum(['pending', 'active', 'failed', 'deleting', 'deleted']),
    senderName: z.string().nullable(),
    signature: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Mailbox' });

export const createdMailbox = mailbox
  .extend({ password: z.string() })
  .meta({ id: 'CreatedMailbox' });

/** A RFC 5321 local part as commonly used: dots inside, no quotes; `+` is the host's delimiter. */
export const address = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*@[a-z0-9.-]+$/, 'must be an e-mail address')
  .refine((text) => text.indexOf('@') <= 64, 'must have at most 64 characters before the @');

/** Text, or HTML where it holds tags. */
export const signature = z
  .string()
  .max(MAX_SIGNATURE_CHARS)
  .describe(
    'Text, or HTML where it holds tags; scripts, forms and the like are taken out. It is no template: ' +
      'what stands in it is sent as it is.',
  );

/** Printable, because it is passed as one line and typed into mail programs. */
export const password = z
  .string()
  .min(12)
  .max(128)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

export type MailboxRow = Awaited<ReturnType<typeof listMailboxes>>['rows'][number];

export function presentMailbox(row: MailboxRow): z.input<typeof mailbox> {
  return {
    id: row.id,
    email: row.email,
    // What clients rely on is a number: null would break them.
    clusterId: row.cluster_id ?? 0,
    isActive: row.status === 'active',
    status: row.status,
    senderName: row.sender_name,
    signature: row.signature,
    createdAt: row.created_at.toISOString(),
  };
}
