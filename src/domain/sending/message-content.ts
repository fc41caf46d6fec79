/** The content of a campaign's message: subject, both parts and the headers that mail programs act on. */
import type { CampaignStep } from '../campaigns/campaigns.ts';
import { variantOf } from '../campaigns/follow-ups.ts';
import { indexOf } from '../campaigns/step-texts.ts';
import {
  htmlOfText,
  insertBeforeEnd,
  isHtml,
  textOfHtml,
  withClickLinks,
  withPixel,
} from './message-bodies.ts';
import { answerTo, continues } from './answer-subjects.ts';
import { isRightToLeft, wordsOf } from './page-words.ts';
import { valuesOf, type MessageRecipient } from './message-values.ts';

import { choose, seedOf, type MessageSeed } from '../seeded-choice.ts';
import { withoutMark, withSignature } from '../mailboxes/signatures.ts';
import { escapeHtml, fillTemplate, oneLine } from '../campaigns/templates.ts';

export type { MessageRecipient } from './message-values.ts';

export interface MessageSender {
  /** The account's `senderName`. */
  name: string;
  /** The mailbox. */
  email: string;
  /** Of the account; lines as it has them. CAN-SPAM wants it in each message. */
  postalAddress: string;
  /** Of the mailbox, as it is kept. */
  signature?: string | null | undefined;
}

/** The functions are present only for campaigns that track. */
export interface MessageLinks {
  unsubscribeUrl: string;
  /** The token of that URL: sent by mail in the subject, it unsubscribes as well. */
  unsubscribeToken: string;
  /** `trackOpens`. */
  openUrl?: string | undefined;
  /** `trackClicks`. A link for which it throws stays as it is. */
  clickUrl?: ((url: string) => string) | undefined;
}

/** The messages before this one to the same recipient, since a subject of their own. */
export interface MessageThread {
  /** Subject of the first of them as it was sent. */
  subject: string;
  /** Message-IDs with angle brackets, oldest first. */
  messageIds: readonly string[];
  /** The first message of a campaign answers in it, whatever its own subject. */
  isOpened?: boolean | undefined;
}

export interface MessageOrder {
  step: CampaignStep;
  /** From `chooseVariant`, or from the send's row. */
  variant: number;
  /** Campaign, lead and step: the same message each time. */
  seed: MessageSeed;
  recipient: MessageRecipient;
  sender: MessageSender;
  links: MessageLinks;
  /** Of the footer, in English where it has no translation, and of numbers and days of custom fields. */
  language: string;
  /** Null for the first message. */
  thread: MessageThread | null;
  /** `textOnly`: no HTML part, and so no tracking. */
  textOnly?: boolean | undefined;
}

export interface MessageContent {
  subject: string;
  text: string;
  /** Null: a campaign that sends text alone. */
  html: string | null;
  /** The subject or the body is empty: MUST not be sent. */
  isEmpty: boolean;
  /** Variables of its texts that have neither a value nor a fallback. */
  missing: readonly string[];
  /** It continues the thread; otherwise it starts one. */
  isAnswer: boolean;
  /** Beside From, To, Subject, Date and Message-ID; DKIM has to sign the first two (RFC 8058, 3.2). */
  headers: Readonly<Record<string, string>>;
}

/**
 * Which of the step's texts this recipient gets: 0 is the step's own, n the n-th variant. The winner where there is
 * one, else evenly distributed, and the same at every attempt. Store it on the send when it is claimed:
 * statistics use it.
 */
export function chooseVariant(step: CampaignStep, seed: MessageSeed): number {
  const winner =
    step.winner === undefined || step.winner === null ? -1 : indexOf(step, step.winner);
  if (winner >= 0 && winner <= step.variants.length) return winner;
  return choose(seedOf(seed, 'variant'), step.variants.length + 1);
}

/**
 * The message as it is to be sent. Pure: the same order gives the same message to the byte, so it may
 * be rendered again after a crash. The templates MUST be free of `templateProblems`.
 * docs/sending-rules.md#form-of-a-message. RFC 8058 (one-click), RFC 5322, 3.6.4 (threads).
 */
export function renderMessage(order: MessageOrder): MessageContent {
  const { step, variant, sender, links, thread } = order;
  const { subjectTemplate, bodyTemplate } = variantOf(step, variant);
  const values = valuesOf(order);
  const missing = new Set<string>();
  const seed = seedOf(order.seed, `text-${variant}`);
  const own =
    subjectTemplate === undefined
      ? ''
      : fillTemplate(subjectTemplate, {
          values,
          seed: `${seed}/subject`,
          use: 'subject',
          missing,
        });
  // A follow-up without a subject of its own, or with an empty one, answers in the thread. With one it starts
  // another: a new subject with old references looks forged.
  const answered = isBlank(own) || thread?.isOpened ? thread : null;
  const subject = answered ? answerTo(answered.subject) : own;
  const use = isHtml(bodyTemplate) ? 'html' : 'text';
  // LF inside the product; the writer of the MIME message uses its own line ends.
  const template = bodyTemplate.replaceAll(/\r\n?/g, '\n');
  const body = fillTemplate(template, { values, seed, use, missing }).trim();
  // Searched in the rendered text: an option of the template may have left it out.
  const shown = use === 'html' ? escapeHtml(links.unsubscribeUrl) : links.unsubscribeUrl;
  const needsLink = !body.includes(shown) && !body.includes(links.unsubscribeUrl);
  const footer = footerOf(order, needsLink ? links.unsubscribeUrl : undefined);
  const text = use === 'html' ? textOfHtml(body) : body;
  const html = use === 'html' ? body : htmlOfText(body);
  const isPicture = !order.textOnly && /<img\b/i.test(html);
  const signed = withSignature({ text: text.trim(), html }, sender.signature);
  return {
    subject,
    text: `${signed.text}\n\n${footer.text}\n`,
    html: order.textOnly ? null : tracked(insertBeforeEnd(signed.html, footer.html), links),
    isEmpty: isBlank(subject) || (isBlank(withoutMark(text)) && !isPicture),
    missing: [...missing],
    isAnswer: answered !== null,
    headers: { ...unsubscribeHeaders(links, sender), ...threadHeaders(answered) },
  };
}

/** Nothing that a reader would see. */
const isBlank = (text: string): boolean => !/[^\s\p{Cf}]/u.test(text);

/** The thread that the next message continues, from the sent messages, oldest first. */
export function threadOf(
  messages: readonly { subject: string; messageId: string }[],
): MessageThread | null {
  let thread: MessageThread | null = null;
  for (const { subject, messageId } of messages) {
    const goesOn: boolean = thread !== null && continues(thread.subject, subject);
    const before: readonly string[] = goesOn ? thread!.messageIds : [];
    thread = { subject: goesOn ? thread!.subject : subject, messageIds: [...before, messageId] };
  }
  return thread;
}

/** The same behind a person's answer, which the first message of a campaign answers. */
export function threadAfter(
  answered: readonly { subject: string; messageId: string }[],
  sent: readonly { subject: string; messageId: string }[],
): MessageThread | null {
  const before = answered.map(({ subject, messageId }) => ({
    subject: answerTo(subject),
    messageId,
  }));
  const thread = threadOf([...before, ...sent]);
  return thread && sent.length === 0 ? { ...thread, isOpened: true } : thread;
}

/** Name and postal address in each message; the link too, unless the template has it. */
function footerOf(
  { sender, language }: Pick<MessageOrder, 'sender' | 'language'>,
  unsubscribeUrl: string | undefined,
) {
  const { unsubscribe } = wordsOf(language);
  const lines = [sender.name, ...sender.postalAddress.split(/\r\n|\r|\n/)]
    .map(oneLine)
    .filter((line) => line !== '');
  const link = unsubscribeUrl === undefined ? [] : [`${unsubscribe}: ${unsubscribeUrl}`];
  const htmlLink =
    unsubscribeUrl === undefined
      ? []
      : [
          `<a href="${escapeHtml(unsubscribeUrl)}" style="color:#777777">${escapeHtml(unsubscribe)}</a>`,
        ];
  return {
    text: ['-- ', ...lines, ...link].join('\n'),
    html: `<p${isRightToLeft(language) ? ' dir="rtl"' : ''} style="color:#777777;font-size:12px">${[...lines.map(escapeHtml), ...htmlLink].join('<br>\n')}</p>`,
  };
}

function tracked(html: string, { unsubscribeUrl, openUrl, clickUrl }: MessageLinks): string {
  const linked = clickUrl
    ? withClickLinks(html, { unsubscribeUrl, clickUrl: orItself(clickUrl) })
    : html;
  return openUrl === undefined ? linked : withPixel(linked, openUrl);
}

const orItself = (clickUrl: (url: string) => string) => (url: string) => {
  try {
    return clickUrl(url);
  } catch {
    return url;
  }
};

/** By one click (RFC 8058), and by mail for programs that know nothing else (RFC 2369). */
const unsubscribeHeaders = (
  { unsubscribeUrl, unsubscribeToken }: MessageLinks,
  { email }: MessageSender,
) => ({
  'List-Unsubscribe': `<${unsubscribeUrl}>, <mailto:${encoded(email)}?subject=unsubscribe%20${unsubscribeToken}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** RFC 6068, 2: a header has nothing but ASCII, and `?`, `&` and `%` would end the address. */
const encoded = (email: string): string => encodeURIComponent(email).replaceAll('%40', '@');

function threadHeaders(thread: MessageThread | null): Record<string, string> {
  const last = thread?.messageIds.at(-1);
  if (!thread || last === undefined) return {};
  return { 'In-Reply-To': last, References: thread.messageIds.join(' ') };
}
