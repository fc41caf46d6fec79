/** What stands under the messages of a mailbox: text, or HTML where it has tags. Choice 58. */
import { htmlOfText, insertBeforeEnd, isHtml, textOfHtml } from '../sending/message-bodies.ts';
import { SIGNATURE_MARK } from '../campaigns/templates.ts';

/** As it is kept; a message has it in both parts. */
export const MAX_SIGNATURE_CHARS = 10_000;

export interface MessageBody {
  text: string;
  html: string;
}

/**
 * Puts the signature at the mark of `{{signature}}`, otherwise below the body. A text is escaped in HTML; the
 * text part gets the text of HTML. It is no template: its content is sent unchanged.
 */
export function withSignature<Body extends { text: string; html: string | null }>(
  body: Body,
  signature: string | null | undefined,
): Body {
  if (!signature) return body;
  const { text, html } = bothParts(signature);
  const shown = body.html;
  if (body.text.includes(SIGNATURE_MARK) || shown?.includes(SIGNATURE_MARK)) {
    return {
      ...body,
      text: body.text.replaceAll(SIGNATURE_MARK, () => text),
      html: shown && shown.replaceAll(MARKED, () => html),
    };
  }
  return {
    ...body,
    text: body.text === '' ? text : `${body.text}\n\n${text}`,
    html: shown === null ? null : insertBeforeEnd(shown, html),
  };
}

/** The body without the place of its signature. */
export const withoutMark = (text: string): string => text.replaceAll(SIGNATURE_MARK, '');

/** A paragraph of its own is the signature's: it may have paragraphs itself. */
const MARKED = new RegExp(`<p>${SIGNATURE_MARK}</p>|${SIGNATURE_MARK}`, 'g');

function bothParts(signature: string): MessageBody {
  const written = signature.replaceAll(/\r\n?/g, '\n').trim();
  return isHtml(written)
    ? { text: textOfHtml(written).trim(), html: written }
    : { text: written, html: htmlOfText(written) };
}
