/** Whether a link shows an address, as a person reads it. */
import { decodeHTML } from 'entities';
import { parse } from 'tldts';

/** Whether the visible text of a link contains a URL, a domain, an IP address or an e-mail address. */
export function showsAddress(content: string): boolean {
  // `www.<b>acme</b>.com` is one word; `acme.com<br>more` are two, and so may be those of styled elements.
  const apart = content.replaceAll(IMAGE, (tag) => ` ${altOf(tag)} `).replaceAll(APART, ' ');
  return ['', ' '].some((gap) => isAddressIn(plainText(apart.replaceAll(/<[^<>]*>/g, gap))));
}

/** Values in quotes may have brackets. Each character can be read in one way only, so time stays linear. */
const IMAGE = /<img\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** The text of an image; the first of several attributes counts. */
function altOf(tag: string): string {
  for (const [, name, ...values] of tag.matchAll(ATTRIBUTE)) {
    if (name!.toLowerCase() === 'alt') return values.find((value) => value !== undefined) ?? '';
  }
  return '';
}

/** Elements that begin a new line or cell, or stand between words. */
const APART =
  /<\/?(?:br|p|div|h[1-6]|hr|li|ul|ol|dl|dt|dd|table|thead|tbody|tr|td|th|img|blockquote|pre|center|section)\b[^<>]*>/gi;

/** Without marks that are not seen; full-width letters and the dots of IDNA (RFC 3490, 3.1) as plain ones. */
const plainText = (html: string): string =>
  decodeHTML(html)
    .replaceAll(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .replaceAll('\u3002', '.');

function isAddressIn(text: string): boolean {
  if (/\w:\/\/|\S@\S/.test(text) || IPV6.test(text)) return true;
  const words = text.match(WORDS_WITH_DOTS) ?? [];
  return words.some((word) => {
    const { isIp, isIcann, domain } = parse(word);
    return isIp === true || (isIcann === true && domain !== null);
  });
}

/** Tried at the start of a word alone: a word of n letters would take n² steps. */
const WORDS_WITH_DOTS = /(?<![\p{L}\p{M}\p{N}-])[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/gu;

/** In brackets, of eight groups, or of three at least with `::`: `12::30` and `face::1` are no addresses. */
const IPV6 =
  /\[[0-9a-f]{0,4}:[0-9a-f:.]{1,45}\]|(?<![0-9a-z:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]|(?=(?:[0-9a-f]{1,4}::?){2,7}[0-9a-f])[0-9a-f:]{2,39}?::)/i;
