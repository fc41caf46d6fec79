/** The routes of mailboxes that are connected by OAuth. Choice 132. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import {
  isReturnUrl,
  OAUTH_ERRORS,
  OAUTH_PROVIDERS,
  returnAddress,
} from '../../domain/mailboxes/oauth.ts';
import { htmlPage, redirect, type Page } from '../../http/page.ts';
import { route, type Route } from '../../http/route.ts';
import { oneLineText, timestamp } from '../../http/schemas.ts';
import {
  askConsent,
  takeAnswer,
  type ConsentOutcome,
} from '../../services/mailboxes/mailbox-oauth.ts';
import { mailAddress } from './connection-shapes.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'logger' | 'mailboxOauth' | 'startOperation'
>;

export const mailboxOauthRoutes = (context: Needs): Route[] => [ask(context), answer(context)];

const MAX_URL = 2_000;

const ask = (context: Needs) =>
  route({
    method: 'post',
    path: '/v1/mailboxes/connect/oauth',
    operationId: 'mailboxes.connectByOauth',
    tag: 'Mailboxes',
    summary: 'Begins to connect a mailbox at Google or Microsoft without a password.',
    description:
      'The owner of the mailbox opens `authorizationUrl` in a browser and consents there, once and before ' +
      '`expiresAt`. The mailbox exists from then on, and is proven like one with a password. With an address that ' +
      'is connected already its login is replaced. `returnUrl` is where the browser goes on, with `result` ' +
      '(`proving` or `failed`) and `mailboxId` or `error` in its query.',
    status: 201,
    errors: { 400: ['OAUTH_NOT_CONFIGURED'] },
    body: z.object({
      provider: z.enum(OAUTH_PROVIDERS),
      email: mailAddress
        .optional()
        .describe('The consent has to be of this mailbox; else it is of the one that is chosen.'),
      returnUrl: z
        .string()
        .max(MAX_URL)
        .refine(isReturnUrl, 'must be https, or http of the own machine')
        .optional(),
      senderName: oneLineText.optional(),
      dailyLimit: z
        .int()
        .min(1)
        .max(context.config.SEND_MAILBOX_DAILY_MAX)
        .optional()
        .describe('Cold messages a day.'),
    }),
    response: z
      .object({
        provider: z.enum(OAUTH_PROVIDERS),
        authorizationUrl: z.string(),
        expiresAt: timestamp,
      })
      .meta({ id: 'MailboxConsent' }),
    handler: async ({ user, body }) => {
      const { provider, email = null, returnUrl = null, senderName = null } = body;
      const wanted = { address: email, returnUrl, senderName, dailyLimit: body.dailyLimit ?? null };
      const asked = await askConsent(context, user.userId, { provider, wanted });
      const { authorizationUrl, expiresAt } = asked;
      return { provider, authorizationUrl, expiresAt: expiresAt.toISOString() };
    },
  });

const answer = (context: Needs) =>
  route({
    method: 'get',
    path: '/oauth/callback',
    operationId: 'mailboxes.takeConsent',
    tag: 'Mailboxes',
    public: true,
    status: 200,
    page: true,
    contentType: 'text/html',
    summary: 'Takes the answer of Google or Microsoft with the owner’s browser.',
    description:
      'Not for clients: `state` belongs to one consent of one account, and is taken once. Goes on to the `returnUrl` ' +
      'that was given (302), or shows a page.',
    // Whatever else the vendors send is not looked at.
    query: z.object({
      state: z.string().max(200).optional(),
      code: z.string().max(4_000).optional(),
      error: z.string().max(200).optional(),
    }),
    response: z.string(),
    handler: async ({ method, query: { state, code, error }, requestId }) => {
      if (state === undefined) return noSuchConsent;
      // Programs that look at links do not use it up.
      if (method !== 'GET') return htmlPage(200, 'Connecting a mailbox', '');
      const outcome = await takeAnswer(context, { state, code, error, requestId });
      return outcome ? pageOf(outcome) : noSuchConsent;
    },
  });

const noSuchConsent = htmlPage(
  404,
  'This link does not work',
  `<p>It may have been cut off, or be too old. Please begin again where you have begun to connect the mailbox.</p>`,
);

function pageOf({ returnUrl, done }: ConsentOutcome): Page {
  if ('mailboxId' in done) {
    const result = { result: 'proving', mailboxId: String(done.mailboxId) };
    return returnUrl === null ? connected : redirect(returnAddress(returnUrl, result));
  }
  const { error } = done;
  if (returnUrl !== null) return redirect(returnAddress(returnUrl, { result: 'failed', error }));
  return htmlPage(200, 'The mailbox is not connected', `<p>${OAUTH_ERRORS[error]}</p>`);
}

const connected = htmlPage(
  200,
  'The mailbox is being connected',
  `<p>Thank you. It is tried out now, by a message to itself that is deleted again. You may close this window.</p>`,
);
