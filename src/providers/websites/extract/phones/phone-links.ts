/** Numbers in links: `tel:` in all its spellings, and the messengers that carry a number. */
import type { CountryCode } from 'libphonenumber-js/max';
import { unescapeText } from '../emails/email-decoders.ts';
import { parsePhone, parseWithoutPlus } from './phone-number.ts';
import { plainText } from '../html/text.ts';

export interface LinkPhone {
  phone: string;
  isFax: boolean;
  isMessenger: boolean;
}

/** The numbers of a link; empty for links without one. */
export function phonesOfLink(href: string, countries: CountryCode[]): LinkPhone[] {
  const messenger =
    /^\s*(?:https?:)?\/\/(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?(?:[^#]*&)?phone=)\+?([\d%+ -]{7,25})/i.exec(
      href,
    )?.[1];
  if (messenger) {
    const parsed = parseWithoutPlus(plainText(unescapeText(messenger)), []);
    return parsed ? [{ phone: parsed.phone, isFax: false, isMessenger: true }] : [];
  }
  const [, scheme, rest] =
    /^\s*(?:https?:\/\/)?(tele?|telephone|phone|callto|sms|fax|tel\.?)\s*:\s*(.{3,300})$/is.exec(
      href,
    ) ?? [];
  if (!rest) return [];
  const isFax = /^fax$/i.test(scheme!);
  const text = plainText(unescapeText(rest))
    .replaceAll(/<[^>]{0,200}>/g, ' , ')
    .replace(/^\/\//, '')
    .replace(/[;?].*$/s, '');
  return numbersOf(text, countries).map((phone) => ({ phone, isFax, isMessenger: false }));
}

/** The whole as one number, else the parts between separators and words. */
function numbersOf(text: string, countries: CountryCode[]): string[] {
  // A pause and a few digits are an extension, more are another number.
  const whole = parse(text.replace(/(?:ext|x|,|;|p)\D*\d{0,6}\D*$/i, ''), countries);
  if (whole) return [whole];
  const pieces = text.split(/[,;|&]|\s\/\s|\bo[rn]?\b|\s-\s|(?<=\d)\s*(?=\+)| {2,}/).slice(0, 8);
  const finer = pieces.length > 1 ? pieces : text.split('/');
  return [
    ...new Set(finer.map((piece) => parse(piece, countries)).filter((phone) => phone !== null)),
  ];
}

const parse = (text: string, countries: CountryCode[]): string | null =>
  (parsePhone(text, countries) ?? parseWithoutPlus(text, countries))?.phone ?? null;
