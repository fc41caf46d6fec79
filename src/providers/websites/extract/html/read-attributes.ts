/** What attributes hold: words for people, encoded addresses, code, other pages. */
import type { Element } from './elements.ts';
import { labelOfMarkup, type Label } from '../labels.ts';
import {
  type AttributeText,
  MAX_ATTRIBUTES,
  MAX_LINKS,
  MAX_SCRIPT_LENGTH,
  MAX_SCRIPTS,
  type PageSource,
} from './page-source.ts';
import { ATTRIBUTE, type Tag } from './tag.ts';
import { plainText, SIGN } from './text.ts';

/** Code that may write an address; all other code is skipped. */
export const WRITES_ADDRESS =
  /@|mailto|%40|&#(?:0*64|x0*40);|\\x40|\\u0040|fromCharCode|unescape|decodeURI|atob\(|\]\s?=\s?\d{9}/i;

/** In handlers an address may be the arguments of a function whose name says so. */
const MAILS = new RegExp(`${WRITES_ADDRESS.source}|mail|crypt|spam`, 'i');

const GOES_TO =
  /(?:(?:^|[\s;{(.])location(?:\.href)?\s*=|location\.(?:assign|replace)\(|window\.open\()\s*["']([^"'\s]{1,500})["']/;

/** Where code redirects at once, or on a click; null when that is not plain. */
export const targetOf = (code: string): string | null =>
  code.length < 5_000 ? (GOES_TO.exec(code)?.[1] ?? null) : null;

interface Place {
  element: Element;
  tag: Tag;
  /** The element's position in the page's text. */
  at: number;
}

/** Reads all attributes of a tag. */
export function readAttributes(source: PageSource, { element, tag, at }: Place): void {
  if (tag.hasValues) {
    const { values } = tag;
    for (const place of WORDS) {
      const value = values[place];
      if (value) readWords(source, { value, at, label: () => labelOfMarkup(element, tag) });
    }
    const href = values[ATTRIBUTE.href];
    if (href && /^\s*javascript:/i.test(href)) addScript(source, href);
  }
  const hidden = tag.data?.['data-cfemail'];
  if (hidden) source.protected.push({ value: hidden, at });
  if (tag.handlers) for (const code of tag.handlers) readHandler(source, code, at);
  if (tag.parts && source.parts.length < MAX_ATTRIBUTES) source.parts.push(tag.parts);
}

/** Attributes that people read. */
const WORDS = [ATTRIBUTE.title, ATTRIBUTE['aria-label'], ATTRIBUTE.alt] as const;

/** Words that may hold an address: an at sign, one in brackets, or one as a word. */
const MAY_ADDRESS = /@|[[({]\s?\p{L}{1,10}\s?[\])}]|\s(?:at|ät|arroba|chiocciola|arobase)\s/iu;

/** As many digits as a telephone number has, in any script. */
const MAY_CALL = /(?:\p{Nd}[^\p{L}\p{Nd}]{0,4}){6}/u;

/** Records an element's label; `label` is what its markup calls a number there. */
export function readWords(
  source: PageSource,
  { value, at, label }: AttributeText & { label: () => Label | null },
): void {
  if (value.length >= 500) return;
  if (MAY_ADDRESS.test(value)) addWords(source, value, at);
  if (source.numbers.length >= MAX_ATTRIBUTES || !MAY_CALL.test(value)) return;
  const sign = label();
  source.numbers.push({ value: `${sign ? SIGN[sign] : ''}${plainText(value)}`, at });
}

function addWords(source: PageSource, value: string, at: number): void {
  if (source.attributes.length >= MAX_ATTRIBUTES) return;
  source.attributes.push({ value: plainText(value), at });
}

/** `onclick="location.href='/contact'"` acts as a link. */
function readHandler(source: PageSource, code: string, at: number): void {
  const href = targetOf(code);
  if (href && source.links.length < MAX_LINKS)
    source.links.push({ href, text: '', start: at, end: at });
  if (MAILS.test(code)) addScript(source, code);
}

/** Keeps code that may build an address. */
export function addScript(source: PageSource, code: string): void {
  if (source.scripts.length < MAX_SCRIPTS && code.length <= MAX_SCRIPT_LENGTH)
    source.scripts.push(code);
}

/** Metadata that people see in search results, or that names a way to reach the business. */
const ADDRESS_METAS =
  /^(?:description|og:description|og:email|email|reply-to|contact|author|twitter:description|business:contact_data:\w+|place:contact:\w+|dc\.publisher|publisher|copyright)$/i;

/** `<meta>`: a redirect, an address, a telephone number. */
export function readMeta(source: PageSource, { values }: Tag, at: number): void {
  const content = values[ATTRIBUTE.content] ?? '';
  if (/^refresh$/i.test(values[ATTRIBUTE['http-equiv']] ?? '')) {
    const [, seconds, url] = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?(.+)$/is.exec(content) ?? [];
    // A page that reloads after minutes does not redirect.
    if (url && Number(seconds) <= 30) source.refresh ??= url.trim().replaceAll(/^["']|["']$/g, '');
  }
  const name = values[ATTRIBUTE.name] ?? values[ATTRIBUTE.property] ?? '';
  if (content.includes('@') && content.length < 1_000 && ADDRESS_METAS.test(name))
    addWords(source, content, at);
  if (/phone_number$|fax_number$/.test(name)) addProperty(source, name, content);
  const property = values[ATTRIBUTE.itemprop];
  if (property) addProperty(source, property, content);
}

function addProperty(source: PageSource, name: string, value: string): void {
  if (value && source.properties.length < MAX_ATTRIBUTES) source.properties.push({ name, value });
}
