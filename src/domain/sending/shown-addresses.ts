/** Whether a link shows an address, as a person reads it. */
import { decodeHTML } from 'entities';
import { parse } from 'tldts';

/** Whether the visible text of a link contains a URL, a domain, an IP address or an e-mail address. */
export function showsAddress(content: string): boolean {
  // `www.<b>acme</b>.com` is one word; `acme.com<br>more` are two, and so may be those of styled elements.
  const withAlts = content.replaceAll(/<img\b[^<>]*?\salt\s*=\s*(["'])(.*?)\1[^<>]*>/gis, ' $2 ');
  const apart = withAlts.replaceAll(APART, ' ');
  return ['', ' '].some((gap) => isAddressIn(plainText(apart.replaceAll(/<[^<>]*>/g, gap))));
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
  const words = text.match(/[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/gu) ?? [];
  return words.some((word) => {
    const { isIp, isIcann, domain } = parse(word);
    return isIp === true || (isIcann === true && domain !== null);
  });
}

/** In brackets, or with the `::` that times have not. */
const IPV6 = /\[[0-9a-f]*:[0-9a-f:.]+\]|(?<![0-9a-z])(?:[0-9a-f]{1,4}:)*[0-9a-f]{1,4}::[0-9a-f]*/i;
