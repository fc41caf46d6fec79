/** The routes that send messages and fetch files. Choices 34, 57, 58. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readEmailAddress } from '../../domain/email-validation/email-address.ts';
import type { DeliveryState } from '../../domain/inbox/inbox.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, pathId } from '../../http/schemas.ts';
import { streamedFile } from '../../http/stream.ts';
import { openAttachment } from '../../services/inbox/inbox-attachments.ts';
import { forwardMessage, replyToMessage } from '../../services/inbox/inbox-replies.ts';
import { presentMessage, wholeMessage } from './inbox-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'startOperation' | 'mailTransport'
>;

export const inboxReplyRoutes = (context: Needs): Route[] => [
  answer(context),
  forward(context),
  download(context),
];

/** Choice 47: bodies are at most 100 kB. */
const MAX_BODY_CHARS = 100_000;
/** 10 MB of files as base64, plus the other fields. */
const MAX_REQUEST_BYTES = 15_000_000;

const address = z
  .string()
  .trim()
  .max(255)
  .refine((text) => readEmailAddress(text) !== undefined, 'must be an e-mail address')
  .transform((text) => readEmailAddress(text)!.email);

/** Browsers and mail programs trust the type: it must not break out of its header. */
const contentType = z
  .string()
  .regex(/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/, 'must be a type such as application/pdf')
  .default('application/octet-stream');

const file = z.object({
  filename: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^/\\\p{Cc}]+$/u, 'must be a plain file name'),
  contentType,
  content: z.base64().describe('base64'),
});

const MESSAGES: Record<DeliveryState, string> = {
  queued: 'The message is about to be sent',
  sending: 'The message is being sent',
  sent: 'The message was sent',
  failed: 'The message could not be sent',
  uncertain:
    'The connection was lost before the last answer: the message may have arrived and is not sent again',
};

const sending =
  'Waits up to 10 seconds; `delivery.state` says how it went: `sent`, `failed` with the reason, ' +
  '`uncertain` when it may have arrived (it is not sent again), or `queued` and `sending` while it ' +
  'is being tried for about a quarter of an hour. A copy goes into the Sent folder.';

const answer = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/inbox/:id/reply',
    operationId: 'inbox.reply',
    tag: 'Inbox',
    summary: 'Replies to a message from the same mailbox, in its thread.',
    description: `Goes to the message’s \`Reply-To\` or sender. ${sending}`,
    status: 201,
    errors: { 400: ['NO_RECIPIENT', 'MAILBOX_NOT_ACTIVE'], 404: ['MESSAGE_NOT_FOUND'] },
    repeatable: true,
    maxBodyBytes: MAX_REQUEST_BYTES,
    params: idParams,
    body: z.object({
      body: z.string().min(1).max(MAX_BODY_CHARS),
      bodyHtml: z.string().min(1).max(MAX_BODY_CHARS).optional(),
      cc: z.array(address).max(20).default([]),
      attachments: z.array(file).max(20).default([]),
    }),
    response: wholeMessage,
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const request = { userId: user.userId, id: params.id, requestKey };
      const sent = await replyToMessage(context, request, body);
      noteWorkflow(sent.workflowId);
      return reply(presentMessage(sent), { message: MESSAGES[sent.message.delivery_state!] });
    },
  });

const forward = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/inbox/:id/forward',
    operationId: 'inbox.forward',
    tag: 'Inbox',
    summary: 'Forwards a message with its files.',
    description: sending,
    status: 201,
    errors: { 400: ['MAILBOX_NOT_ACTIVE'], 404: ['MESSAGE_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    body: z.object({ to: address, body: z.string().max(MAX_BODY_CHARS).default('') }),
    response: wholeMessage,
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const request = { userId: user.userId, id: params.id, requestKey };
      const sent = await forwardMessage(context, request, body);
      noteWorkflow(sent.workflowId);
      return reply(presentMessage(sent), { message: MESSAGES[sent.message.delivery_state!] });
    },
  });

const download = (context: Needs) =>
  route({
    method: 'get',
    path: '/v1/inbox/:id/attachments/:attachmentId',
    operationId: 'inbox.downloadAttachment',
    tag: 'Inbox',
    summary: 'Streams a file of a message from its mailbox.',
    description:
      'Always as a download of `application/octet-stream`; the type that the sender gave it stands in ' +
      'the message. At most 50 MB.',
    status: 200,
    errors: { 400: ['ATTACHMENT_TOO_LARGE'], 404: ['ATTACHMENT_NOT_FOUND'] },
    params: z.object({ id: pathId, attachmentId: pathId }),
    contentType: 'application/octet-stream',
    response: z.string(),
    handler: async ({ user, params }) => {
      const ids = { messageId: params.id, attachmentId: params.attachmentId };
      const { fileName, read } = await openAttachment(context, user.userId, ids);
      return streamedFile(read, fileName);
    },
  });
