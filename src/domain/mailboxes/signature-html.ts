/** HTML of signatures, made safe to send: what a mail program shows, and nothing that acts. */
import sanitizeHtml from 'sanitize-html';
import { isHtml } from '../sending/message-bodies.ts';
import { storable } from '../storable-text.ts';

/**
 * A signature as it is kept. Text stays as it is; of HTML scripts, forms, frames, style sheets and
 * whatever opens anything but http, https, mailto and tel are gone, pictures from the web stay.
 * Answers null where nothing is left. Never throws.
 */
export function safeSignature(signature: string): string | null {
  const given = storable(signature).trim();
  // Twice, as for display: the content of a removed tag may close its parent.
  const safe = isHtml(given) ? sanitizeHtml(sanitizeHtml(given, RULES), RULES).trim() : given;
  return safe === '' ? null : safe;
}

const RULES: sanitizeHtml.IOptions = {
  allowedTags: (
    'a b br center div em font h1 h2 h3 h4 h5 h6 hr i img li ol p s small span strong sub sup ' +
    'table tbody td tfoot th thead tr u ul'
  ).split(' '),
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'title', 'align'],
    a: ['href'],
    img: ['src', 'alt', 'width', 'height', 'border'],
    font: ['color', 'size', 'face'],
    table: ['width', 'border', 'cellpadding', 'cellspacing', 'bgcolor', 'role'],
    td: ['width', 'height', 'valign', 'bgcolor', 'colspan', 'rowspan'],
    th: ['width', 'height', 'valign', 'bgcolor', 'colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https', 'http'] },
  allowProtocolRelative: false,
  nestingLimit: 50,
  // Nothing that fetches, or that is read another way than it is written.
  parseStyleAttributes: false,
  transformTags: {
    '*': (tagName, { style, ...attribs }) => ({
      tagName,
      attribs: style !== undefined && PLAIN_STYLE.test(style) ? { ...attribs, style } : attribs,
    }),
  },
};

/** Declarations of words, numbers and colours; no function but colours, no comment, no escape. */
const PLAIN_STYLE = /^(?:[-#\w\s.,%!'":;]|rgba?\([\d\s.,%]{1,40}\)){1,2000}$/i;
