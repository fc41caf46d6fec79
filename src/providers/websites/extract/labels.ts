/** Words and icons that say what the number or address beside them is. */

export type Label = 'phone' | 'fax' | 'mail';

/** Telephone, in the words of many languages; `\b` is of no use outside ASCII. */
const PHONE_WORDS = [
  't[eé]l|tel[eé]?f\\p{L}*|t[eé]l[eé]phon\\p{L}*|tlf|tlp|telp|phones?|ph|f[ao]ne?|hotline',
  'handy\\p{L}*|mob(?:il\\p{L}*)?|cell(?:ulare?|phone)?|cel(?:ular(?:es)?)?|gsm|natel|portable',
  'm[oó]vil(?:es)?|mobiili|komórk\\p{L}*|kom|cep|hp|call(?: us)?|calls?|text|rufnummer|festnetz',
  'durchwahl|zentrale|rezeption|notruf|anruf\\p{L}*|sprechstunde|appel\\p{L}*|standard|ll[aá]ma\\p{L}*',
  'chiama\\p{L}*|ligue|whats\\s?app|viber|puh|puhelin\\p{L}*|bel(?: ons)?|bellen|zavolejte|volejte',
  'mobilszám|hívj\\p{L}*|zadzwoń|тел(?:ефон\\p{L}*)?|моб(?:[иі]льн\\p{L}*)?|звон\\p{L}*|позвон\\p{L}*',
  'дзвон\\p{L}*|τηλ(?:[εέ]φων\\p{L}*)?|κιν(?:ητ\\p{L}*)?|(?:お|代表)?電話(?:番号)?|携帯|电话|手机|手機',
  '热线|전화|연락처|휴대폰|هاتف|جوال|موبايل|تلفن|טלפון|נייד|โทร\\p{L}*|điện thoại|đt',
].join('|');
const FAX_WORDS =
  '(?:tele)?fax\\p{L}*|(?:tele)?faks\\p{L}*|t[eé]l[eé]copie\\p{L}*|факс\\p{L}*|φαξ|' +
  'ファッ?クス|传真|傳真|팩스|فاكس|פקס|โทรสาร';
const MAIL_WORDS = [
  'e-?\\s?mail\\p{L}*|mails?|courriel|correo\\p{L}*|posta|e-?posta?|s[aä]hk[oö]posti|m[eé]l',
  'почта|пошта|メール|邮箱|郵箱|이메일|eposti?|napište|pišite|skriv|schreib\\p{L}*|write|contact',
].join('|');

const whole = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])(?:${words})(?![\\p{L}])`, 'giu');
export const PHONE_WORD = whole(PHONE_WORDS);
export const FAX_WORD = whole(FAX_WORDS);
export const MAIL_WORD = whole(MAIL_WORDS);

const MARKUP_FAX = /(?:^|[\s_/-])(?:tele)?fax(?:$|[\s_./-]|number)/i;
const MARKUP_PHONE =
  /(?:^|[\s_/-])(?:tele)?(?:phone|tel|telefon\w?|mobile-?phone|call|handset|smartphone|telephone)(?:$|[\s_./-]|number)/i;

/** What classes, microdata and icon files call an element; null for most. */
export function labelOfMarkup(name: string, attributes: Record<string, string>): Label | null {
  const itemprop = attributes['itemprop'];
  if (itemprop) {
    if (/^fax/i.test(itemprop)) return 'fax';
    if (/^telephone$/i.test(itemprop)) return 'phone';
  }
  const words = attributes['class'];
  if (words && words.length < 200) {
    if (MARKUP_FAX.test(words)) return 'fax';
    if (MARKUP_PHONE.test(words)) return 'phone';
  }
  if (name === 'img') return ofText(`${attributes['alt'] ?? ''} ${fileOf(attributes['src'])}`);
  if (name === 'use') return ofText(attributes['href'] ?? attributes['xlink:href'] ?? '');
  if (attributes['data-icon']) return ofText(attributes['data-icon']);
  return null;
}

const fileOf = (src = ''): string => (src.length < 500 ? src.slice(src.lastIndexOf('/') + 1) : '');

function ofText(text: string): Label | null {
  if (text.length > 300) return null;
  const words = text.replaceAll(/[#.]/g, ' ');
  if (MARKUP_FAX.test(words)) return 'fax';
  return MARKUP_PHONE.test(words) ? 'phone' : null;
}

/** What the heading of a table's column says of its cells. */
export function labelOfHeading(heading: string): Label | null {
  if (heading.length > 60) return null;
  if (heading.search(FAX_WORD) >= 0) return heading.search(PHONE_WORD) >= 0 ? null : 'fax';
  return heading.search(PHONE_WORD) >= 0 ? 'phone' : null;
}
