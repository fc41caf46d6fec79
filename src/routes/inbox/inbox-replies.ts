/** The routes that send messages and fetch files. Choices 34, 57, 58, 126. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readEmailAddress } from '../../domain/email-validation/email-address.ts';
import type { DeliveryState } from '../../domain/inbox/inbox.ts';
import { reply } from '../../http/envelope.ts';
import { route, type Route } from '../../http/route.ts';
import { idParams, pathId } from '../../http/schemas.ts';
import { streamedFile } from '../../http/stream.ts';
import { getUserMessage } from '../../services/inbox/inbox.ts';
import { openAttachment } from '../../services/inbox/inbox-attachments.ts';
import { forwardMessage, replyToMessage } from '../../services/inbox/inbox-replies.ts';
import { cancelScheduledMessage } from '../../services/inbox/scheduled-replies.ts';
import { presentMessage, sendAt, wholeMessage } from './inbox-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'startOperation' | 'mailTransport' | 'temporal'
>;

export const inboxReplyRoutes = (context: Needs): Route[] => [
  answer(context),
  forward(context),
  cancel(context),
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
  scheduled: 'The message waits for its time',
  cancelled: 'The message was cancelled and is not sent',
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
  'is being tried for about a quarter of an hour. A copy goes into the Sent folder. With `sendAt` it waits ' +
  'for that time, at most 60 days ahead, and the answer says `scheduled` at once: `PATCH /v1/inbox/:id ' +
  '{sendAt}` moves it, `POST /v1/inbox/:id/cancel` takes it back, `GET /v1/inbox?view=scheduled` lists all. It ' +
  'is `cancelled` where a recipient was suppressed meanwhile.';

const answer = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/inbox/:id/reply',
    operationId: 'inbox.reply',
    tag: 'Inbox',
    summary: 'Replies to a message from the same mailbox, in its thread.',
    description:
      `Goes to the message’s \`Reply-To\` or sender. ${sending} So it is with \`cancelOnReply\`, where ` +
      'somebody has written in the thread meanwhile; automatic and doubtful answers do not count.',
    status: 201,
    errors: {
      400: ['NO_RECIPIENT', 'MAILBOX_NOT_ACTIVE', 'TOO_MANY_SCHEDULED'],
      404: ['MESSAGE_NOT_FOUND'],
    },
    repeatable: true,
    maxBodyBytes: MAX_REQUEST_BYTES,
    params: idParams,
    body: z
      .object({
        body: z.string().min(1).max(MAX_BODY_CHARS),
        bodyHtml: z.string().min(1).max(MAX_BODY_CHARS).optional(),
        cc: z.array(address).max(20).default([]),
        attachments: z.array(file).max(20).default([]),
        sendAt: sendAt.optional(),
        cancelOnReply: z.boolean().default(false),
      })
      .refine((body) => body.sendAt !== undefined || !body.cancelOnReply, {
        path: ['cancelOnReply'],
        message: 'needs sendAt',
      }),
    response: wholeMessage,
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const request = { userId: user.userId, id: params.id, requestKey };
      const { sendAt: at, cancelOnReply, ...written } = body;
      const scheduled = at === undefined ? null : { sendAt: at, cancelOnReply };
      const sent = await replyToMessage(context, request, { ...written, scheduled });
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
    errors: { 400: ['MAILBOX_NOT_ACTIVE', 'TOO_MANY_SCHEDULED'], 404: ['MESSAGE_NOT_FOUND'] },
    repeatable: true,
    params: idParams,
    body: z.object({
      to: address,
      body: z.string().max(MAX_BODY_CHARS).default(''),
      sendAt: sendAt.optional(),
    }),
    response: wholeMessage,
    handler: async ({ user, params, body, requestKey, noteWorkflow }) => {
      const request = { userId: user.userId, id: params.id, requestKey };
      const { sendAt: at, ...written } = body;
      const scheduled = at === undefined ? null : { sendAt: at, cancelOnReply: false };
      const sent = await forwardMessage(context, request, { ...written, scheduled });
      noteWorkflow(sent.workflowId);
      return reply(presentMessage(sent), { message: MESSAGES[sent.message.delivery_state!] });
    },
  });

const cancel = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/inbox/:id/cancel',
    operationId: 'inbox.cancel',
    tag: 'Inbox',
    summary: 'Takes back a reply or forward before it leaves.',
    description:
      'The message stays in the inbox as `cancelled`. One that is cancelled already is answered as it is; any ' +
      'other that is not `scheduled` is 400 `INVALID_STATE`.',
    status: 200,
    errors: { 400: ['INVALID_STATE'], 404: ['MESSAGE_NOT_FOUND'] },
    params: idParams,
    response: wholeMessage,
    handler: async ({ user, params }) => {
      const message = { userId: user.userId, id: params.id };
      await cancelScheduledMessage(context, message);
      return presentMessage(await getUserMessage(context, user.userId, params.id));
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
