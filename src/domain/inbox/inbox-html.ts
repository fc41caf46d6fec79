/** HTML of messages, made safe to show: an allow-list, and nothing that a browser would fetch. */
import sanitizeHtml from 'sanitize-html';
import { storable } from '../storable-text.ts';

/** Longer HTML is cut here; a message's text part has the rest. */
const MAX_INPUT_CHARS = 500_000;
/** Unclosed tags cost the parser quadratic time. */
const MAX_TAGS = 20_000;
/** Escaping makes text longer; above this only the text part is shown. */
const MAX_OUTPUT_CHARS = 1_000_000;
/** Tables within tables are usual in messages, this many are not. */
const MAX_DEPTH = 200;

/**
 * The message's HTML with links, tables, lists and simple colours and sizes. Scripts, forms, frames, style
 * sheets and all remote content are removed: a remote image is replaced by its alternative text, so that
 * viewing a message is not tracked. Images within the message (`cid:`) stay. Links open only http, https and
 * mailto, and send no referrer. Never throws; '' where nothing is left.
 */
export function sanitizeForDisplay(html: string): string {
  // Twice: a tag that is not allowed hides from the parser that its content closes its parent
  // (`<p><x><div>`); a browser must parse the output as it was parsed here.
  const clean = sanitizeHtml(sanitizeHtml(storable(bounded(html)), RULES), RULES);
  if (clean.length > MAX_OUTPUT_CHARS) return '';
  return clean.replaceAll(REMOTE_IMAGE, (_image, words: string | undefined) =>
    (words ?? '').replaceAll('&quot;', '"'),
  );
}

function bounded(html: string): string {
  let end = -1;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    end = html.indexOf('<', end + 1);
    if (end === -1 || end >= MAX_INPUT_CHARS) return html.slice(0, MAX_INPUT_CHARS);
  }
  return html.slice(0, end);
}

const BLOCKS =
  'address article aside blockquote center dd details div dl dt figcaption figure footer h1 h2 h3 ' +
  'h4 h5 h6 header hr li main nav ol p pre section summary ul';
const WORDS =
  'a abbr b bdi bdo big br cite code del dfn em font i img ins kbd mark q s samp small span ' +
  'strike strong sub sup time tt u var wbr';
const TABLES = 'caption col colgroup table tbody td tfoot th thead tr';

const CELL = ['align', 'valign', 'bgcolor', 'width', 'height', 'colspan', 'rowspan', 'nowrap'];

const RULES: sanitizeHtml.IOptions = {
  allowedTags: `${BLOCKS} ${WORDS} ${TABLES}`.split(' '),
  // Their content is no readable text; unclosed, they swallow the rest, as in a browser.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'xmp',
    'title',
    'noscript',
    'noembed',
  ].concat(['noframes', 'iframe', 'object', 'svg', 'math', 'template', 'plaintext', 'select']),
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'title', 'align'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    font: ['color', 'size', 'face'],
    table: ['width', 'height', 'border', 'cellpadding', 'cellspacing', 'bgcolor'],
    tr: CELL,
    td: CELL,
    th: CELL,
    col: ['span', 'width'],
    colgroup: ['span', 'width'],
    ol: ['start', 'type'],
    li: ['value'],
    hr: ['width', 'size'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'cid'],
  allowProtocolRelative: false,
  nestingLimit: MAX_DEPTH,
  // Styles are filtered by our own stricter rule below.
  parseStyleAttributes: false,
  transformTags: { a: withSafeLink, img: withoutRemoteImage, '*': withSafeStyle },
};

function withSafeLink(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  // Always in the same order, so that sanitising twice changes nothing.
  const { href, rel: _rel, target: _target, ...others } = attribs;
  const link = href?.trim() ?? '';
  if (!/^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(link)) return { tagName, attribs: others };
  const safe = { href: link, rel: 'noopener noreferrer nofollow', target: '_blank' };
  return { tagName, attribs: { ...others, ...safe } };
}

/** A remote image keeps only its alternative text; `sanitizeForDisplay` puts it in the image's place. */
function withoutRemoteImage(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { src = '', alt = '' } = attribs;
  if (/^cid:[^\s<>"]+$/i.test(src)) return { tagName, attribs };
  return { tagName, attribs: { alt: alt.slice(0, MAX_ALT_CHARS) } };
}

/** Such an image as the sanitiser writes it: quotes in the alternative text are escaped. */
const REMOTE_IMAGE = /<img(?: alt="([^"]*)")? \/>/g;

const MAX_ALT_CHARS = 500;

function withSafeStyle(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { style, ...others } = attribs;
  if (style === undefined) return { tagName, attribs };
  const kept = style.slice(0, MAX_STYLE_CHARS).split(';').filter(isSafeDeclaration);
  const safe = kept.map((each) => each.trim()).join('; ');
  return { tagName, attribs: safe === '' ? others : { ...others, style: safe } };
}

const MAX_STYLE_CHARS = 4_000;

/** Nothing that overlays other content, is hidden, or refers to a URL. */
const PROPERTY =
  /^(?:color|background-color|font(?:-(?:family|size|style|weight))?|line-height|letter-spacing|text-(?:align|decoration|indent|transform)|vertical-align|white-space|word-break|(?:margin|padding|border)(?:-(?:top|right|bottom|left))?|border-(?:collapse|color|radius|spacing|style|width)|(?:min-|max-)?width|height|list-style-type)$/i;

/** No escapes, comments or functions except colours: so `url(` is impossible in any notation. */
const VALUE = /^(?:[-#\w\s.,%!'"]|(?:rgb|hsl)a?\([\d\s.,%]{1,40}\)){1,200}$/i;

function isSafeDeclaration(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  if (colon === -1) return false;
  const value = declaration.slice(colon + 1).trim();
  return PROPERTY.test(declaration.slice(0, colon).trim()) && VALUE.test(value);
}
