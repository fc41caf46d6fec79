/** The links in messages, which recipients follow without an account. Choice 55; RFC 8058. */
import pTimeout from 'p-timeout';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { isRightToLeft, pageLanguageOf, wordsOf } from '../../domain/sending/page-words.ts';
import { resubscriptionWordsOf } from '../../domain/sending/resubscription-words.ts';
import { isMachine, isMachineRequest } from '../../domain/sending/link-fetches.ts';
import {
  PREVIEW_TOKEN,
  type RecipientLink,
  type RecipientLinkKind,
} from '../../domain/sending/recipient-links.ts';
import { htmlPage, picture, redirect, type Page } from '../../http/page.ts';
import { route, type Route } from '../../http/route.ts';
import { noteFetch, resubscribe, unsubscribe } from '../../services/sending/recipient-links.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger' | 'recipientLinks' | 'config' | 'temporal'>;

export const recipientLinkRoutes = (context: Needs): Route[] => [
  confirm(context),
  stop(context),
  takeBack(context),
  track(context),
];

const tag = 'Links in messages';
const params = z.object({ token: z.string() });

/** The form `List-Unsubscribe=One-Click`, from a mail program or the page's button, in either encoding. */
const MAX_FORM_BYTES = 16 * 1_024;

const confirm = (context: Needs) =>
  route({
    method: 'get',
    path: '/u/:token',
    operationId: 'recipientLinks.readUnsubscribePage',
    tag,
    public: true,
    status: 200,
    page: true,
    contentType: 'text/html',
    summary: 'Shows the page that asks whether to unsubscribe.',
    description: 'Changes nothing, since programs that scan a message’s links fetch it, too.',
    params,
    response: z.string(),
    handler: ({ params: { token } }) => {
      if (token === PREVIEW_TOKEN) return previewLink;
      const link = linkOf(context, token, ['unsubscribe']);
      return link ? confirmPage(link) : noSuchLink;
    },
  });

const stop = (context: Needs) =>
  route({
    method: 'post',
    path: '/u/:token',
    operationId: 'recipientLinks.unsubscribe',
    tag,
    public: true,
    status: 200,
    page: true,
    contentType: 'text/html',
    rawBody: true,
    maxBodyBytes: MAX_FORM_BYTES,
    summary: 'Unsubscribes the recipient of a message at once.',
    description:
      'The one-click request of RFC 8058 (`List-Unsubscribe=One-Click`), and the button of the ' +
      'page. No token, cookie or redirect; the address is suppressed and follow-ups stop. A repeat ' +
      'changes nothing.',
    params,
    response: z.string(),
    handler: async ({ params: { token }, headers, rawBody }) => {
      if (token === PREVIEW_TOKEN) return previewLink;
      const link = linkOf(context, token, ['unsubscribe']);
      if (!link) return noSuchLink;
      const ownId = await unsubscribe(context, link.sendId);
      const isAsked = ownId !== undefined && isOfPage(rawBody) && !isMachine(headers);
      return donePage(link, isAsked ? offerOf(context, link, ownId) : '');
    },
  });

/**
 * A field of the page's form, which the one-click request of a mail program or its provider has not: nobody reads the
 * answer to that.
 */
const ASKED_BY_PAGE = ['Asked-By', 'Page'] as const;

function isOfPage(form: Buffer): boolean {
  const [name, value] = ASKED_BY_PAGE;
  return new URLSearchParams(form.toString()).get(name) === value;
}

/** What the button of the page posts; the form of RFC 8058 does nothing here. */
const SUBSCRIBE_AGAIN = 'Subscribe=Again';

const takeBack = (context: Needs) =>
  route({
    method: 'post',
    path: '/r/:token',
    operationId: 'recipientLinks.resubscribe',
    tag,
    public: true,
    status: 200,
    page: true,
    contentType: 'text/html',
    rawBody: true,
    maxBodyBytes: MAX_FORM_BYTES,
    summary: 'Takes back what the link to unsubscribe has done.',
    description:
      'The button of the page that says somebody is unsubscribed; no message has this link, and a GET has ' +
      'no answer. For 30 days, and only where nothing else forbids to write to the address: a complaint, a ' +
      'bounce, or an entry of the owner. A repeat changes nothing.',
    params,
    response: z.string(),
    handler: async ({ params: { token }, rawBody }) => {
      const link = linkOf(context, token, ['resubscribe']);
      if (!link || rawBody.toString() !== SUBSCRIBE_AGAIN) return noSuchLink;
      const { sendId, suppressionId } = link;
      const taken = { sendId, suppressionId: suppressionId! };
      return takenBackPage(link, await resubscribe(context, taken));
    },
  });

const track = (context: Needs) =>
  route({
    method: 'get',
    path: '/t/:token',
    operationId: 'recipientLinks.track',
    tag,
    public: true,
    status: 200,
    page: true,
    contentType: 'image/gif',
    summary: 'Notes that a message was opened, or a link in it followed.',
    description:
      'Only messages of campaigns with `trackOpens` or `trackClicks` have such links; both are off ' +
      'by default. Fetches by programs are told apart and counted as `machineOpened` and ' +
      '`machineClicked`. A followed link is redirected (302) to the address that was in the message, and ' +
      'nowhere else.',
    params,
    response: z.string(),
    handler: async ({ method, headers, params: { token } }) => {
      const link = linkOf(context, token, ['open', 'click']);
      if (!link) return noSuchLink;
      await noted(context, noteFetch(context, link, isMachineRequest(method, headers)));
      return link.target === undefined ? picture() : redirect(link.target);
    },
  });

/** The recipient gets to the link's target even if the fetch cannot be recorded, or not yet. */
async function noted({ logger }: Needs, note: Promise<void>): Promise<void> {
  const written = note.catch((err: unknown) => {
    logger.warn({ err }, 'an opening or a click was not noted');
  });
  await pTimeout(written, { milliseconds: NOTED_WITHIN_MS, fallback: () => undefined });
}

/** How long the page waits; the write itself may still complete later. */
const NOTED_WITHIN_MS = 2_000;

const linkOf = (
  { recipientLinks }: Needs,
  token: string,
  kinds: readonly RecipientLinkKind[],
): RecipientLink | undefined => {
  const link = recipientLinks.read(token);
  return link && kinds.includes(link.kind) ? link : undefined;
};

const noSuchLink = htmlPage(
  404,
  'This link does not work',
  `<p>It may have been cut off when it was copied. Please follow it from the message itself, or
      answer the message.</p>`,
);

const previewLink = htmlPage(
  200,
  'This link belongs to a preview',
  `<p>It stands in a preview or a test e-mail of a campaign. Here the recipient of a message
      unsubscribes; nobody was unsubscribed.</p>`,
);

/** The button posts the form of RFC 8058, and a field that tells it apart, to the page's own address. */
function confirmPage({ language }: RecipientLink): Page {
  const { title, question, unsubscribe: button } = wordsOf(language);
  const [name, value] = ASKED_BY_PAGE;
  const main = `<p>${question}</p>
      <form method="post">
        <button type="submit" name="List-Unsubscribe" value="One-Click">${button}</button>
        <input type="hidden" name="${name}" value="${value}">
      </form>`;
  return htmlPage(200, title, main, inLanguage(language));
}

function donePage({ language }: RecipientLink, offer: string): Page {
  const { doneTitle, done } = wordsOf(language);
  return htmlPage(200, doneTitle, `<p>${done}</p>${offer}`, inLanguage(language));
}

/** Relative: the page may be on a name of a client, or below the path of test mode. */
function offerOf(
  { recipientLinks }: Needs,
  { sendId, language }: RecipientLink,
  suppressionId: number,
): string {
  const { mistake } = resubscriptionWordsOf(language);
  const [name, value] = SUBSCRIBE_AGAIN.split('=');
  const token = recipientLinks.resubscribeToken(sendId, suppressionId, language);
  return `
      <form method="post" action="../r/${token}">
        <button type="submit" name="${name}" value="${value}">${mistake}</button>
      </form>`;
}

function takenBackPage({ language }: RecipientLink, isDone: boolean): Page {
  const words = resubscriptionWordsOf(language);
  return isDone
    ? htmlPage(200, words.doneTitle, `<p>${words.done}</p>`, inLanguage(language))
    : htmlPage(200, words.keptTitle, `<p>${words.kept}</p>`, inLanguage(language));
}

function inLanguage(tag: string | undefined) {
  const language = pageLanguageOf(tag);
  return { language, isRightToLeft: isRightToLeft(language) };
}
