/** Wire shapes of messages and threads, in snake_case. Spec: Inbox message; choice 34. */
import { z } from 'zod';
import { DELIVERY_STATES, MESSAGE_KINDS } from '../../domain/inbox/inbox.ts';
import { INTERESTS, INTEREST_JUDGES } from '../../domain/inbox/interest/interest.ts';
import { paginationSchema, timestamp } from '../../http/schemas.ts';
import type { Attachment, Thread, WholeMessage } from '../../services/inbox/inbox.ts';

/** An item of the list; Postgres produces its JSON (`inbox-pages.ts`). */
export const inboxMessage = z
  .object({
    id: z.int(),
    from: z.string(),
    to: z.string().describe('Addresses, separated by a comma.'),
    subject: z.string(),
    snippet: z.string(),
    sent_at: timestamp,
    is_read: z.boolean(),
    direction: z.enum(['inbound', 'outbound']),
    has_attachments: z.boolean(),
    thread_id: z.int(),
    mailbox_id: z.int(),
    from_name: z.string().nullable(),
    kind: z.enum(MESSAGE_KINDS),
    labels: z.array(z.string()),
    archived: z.boolean(),
    snoozed_until: timestamp.nullable(),
    campaign_id: z.int().nullable(),
    lead_id: z.int().nullable(),
    interest: z
      .enum(INTERESTS)
      .nullable()
      .describe(
        'What the answer of a person means; null for what is none, and where nobody is sure.',
      ),
  })
  .meta({ id: 'InboxMessage' });

const attachment = z
  .object({
    id: z.int(),
    filename: z.string(),
    content_type: z.string(),
    size_bytes: z.int(),
    is_inline: z.boolean(),
    content_id: z.string().nullable(),
  })
  .meta({ id: 'InboxAttachment' });

export const wholeMessage = inboxMessage
  .extend({
    mailbox: z.string().describe('The address of the mailbox.'),
    cc: z.array(z.string()),
    reply_to: z.string().nullable(),
    message_id: z.string(),
    in_reply_to: z.string().nullable(),
    interest_by: z
      .enum(INTEREST_JUDGES)
      .nullable()
      .describe('Who says so. What a client said is never judged again.'),
    interest_confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Null where a client says so.'),
    text: z.string(),
    html: z.string().nullable().describe('Safe to show: it contains no scripts and loads nothing.'),
    attachments: z.array(attachment),
    facts: z
      .record(z.string(), z.unknown())
      .describe('Details from its text: the status of a bounce, the return date of an absence.'),
    campaign: z.object({ id: z.int(), name: z.string() }).nullable(),
    lead: z
      .object({
        id: z.int(),
        first_name: z.string(),
        last_name: z.string(),
        email: z.string().nullable(),
      })
      .nullable(),
    delivery: z
      .object({
        state: z.enum(DELIVERY_STATES),
        failure: z.string().nullable(),
        send_at: timestamp.optional().describe('Of what is not sent at once: when it leaves.'),
        cancel_on_reply: z.boolean().optional(),
      })
      .nullable()
      .describe(
        'Of replies and forwards. `uncertain`: the connection was lost before the last answer; it ' +
          'may have arrived and is not sent again. `scheduled`: it waits for `send_at`. `cancelled`: it was ' +
          'taken back before it left, or `failure` says what came between.',
      ),
  })
  .meta({ id: 'InboxLetter' });

export const thread = z
  .object({
    id: z.int(),
    subject: z.string(),
    mailbox_id: z.int(),
    campaign_id: z.int().nullable(),
    lead_id: z.int().nullable(),
    messages_count: z.int(),
    unread_count: z.int(),
    last_message_at: timestamp,
    interest: z.enum(INTERESTS).nullable().describe('Of the last answer that has one.'),
    last_message: z
      .object({
        from: z.string(),
        direction: z.enum(['inbound', 'outbound']),
        snippet: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'InboxThread' });

/** Spec: GET /v1/inbox. Pagination is inside `data`. Pages by cursor have no total. */
export const inboxPagination = paginationSchema
  .partial({ page: true, total: true, totalPages: true })
  .extend({
    totalIsCapped: z
      .boolean()
      .optional()
      .describe('Set where filters fit so many messages that `total` is a lower bound.'),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'InboxPagination' });

/** When a message leaves: in the future, at most 60 days ahead. Choice 126. */
export const sendAt = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .meta({ type: 'string', format: 'date-time' });

export function presentMessage({
  message,
  attachments,
}: WholeMessage): z.input<typeof wholeMessage> {
  return {
    id: message.id,
    from: message.from_address,
    to: message.to_addresses.join(', '),
    subject: message.subject,
    snippet: message.snippet,
    sent_at: message.sent_at.toISOString(),
    is_read: message.is_read,
    direction: message.direction,
    has_attachments: message.has_attachments,
    thread_id: message.thread_id,
    mailbox_id: message.mailbox_id,
    from_name: message.from_name,
    kind: message.kind,
    labels: message.labels,
    archived: message.archived,
    snoozed_until: message.snoozed_until?.toISOString() ?? null,
    campaign_id: message.campaign_id,
    lead_id: message.lead_id,
    interest: message.interest,
    interest_by: message.interest_by,
    interest_confidence: message.interest_confidence,
    mailbox: message.mailbox_email,
    cc: message.cc_addresses,
    reply_to: message.reply_to,
    message_id: message.message_id,
    in_reply_to: message.in_reply_to,
    text: message.body_text,
    html: message.body_html,
    attachments: attachments.map(presentAttachment),
    facts: message.facts,
    campaign:
      message.campaign_id === null
        ? null
        : { id: message.campaign_id, name: message.campaign_name ?? '' },
    lead:
      message.lead_id === null
        ? null
        : {
            id: message.lead_id,
            first_name: message.lead_first_name ?? '',
            last_name: message.lead_last_name ?? '',
            email: message.lead_email,
          },
    delivery: deliveryOf(message),
  };
}

function deliveryOf(message: WholeMessage['message']): z.input<typeof wholeMessage>['delivery'] {
  if (message.delivery_state === null) return null;
  const delivery = { state: message.delivery_state, failure: message.delivery_failure };
  if (message.delivery_send_at === null) return delivery;
  return {
    ...delivery,
    send_at: message.delivery_send_at.toISOString(),
    cancel_on_reply: message.delivery_cancel_on_reply === true,
  };
}

const presentAttachment = (row: Attachment): z.input<typeof attachment> => ({
  id: row.id,
  filename: row.filename,
  content_type: row.content_type,
  size_bytes: row.size_bytes,
  is_inline: row.is_inline,
  content_id: row.content_id,
});

export const presentThread = (row: Thread): z.input<typeof thread> => ({
  id: row.id,
  subject: row.subject,
  mailbox_id: row.mailbox_id,
  campaign_id: row.campaign_id,
  lead_id: row.lead_id,
  messages_count: row.messages_count,
  unread_count: row.unread_count,
  last_message_at: row.last_message_at.toISOString(),
  interest: row.interest,
  last_message:
    row.last_from === null
      ? null
      : { from: row.last_from, direction: row.last_direction!, snippet: row.last_snippet! },
});
