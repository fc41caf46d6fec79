/** The certainty of a telephone number without a label, by how it is written. */
import type { ParsedPhone } from './phone-number.ts';
import { plainDigits, type Window } from './phone-window.ts';

const DATE =
  /^\(?\d{1,2}[./-] ?\d{1,2}[./-] ?(?:19|20)?\d{2}\b|^(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}|^(?:19|20)\d{2}\s?[-/]\s?(?:19|20)\d{2}/;
/** The French and others write numbers in pairs with points, which is no form of a date. */
const PAIRS = /^0\d([./-])\d\d(?:\1\d\d){3}$/;
const UNIT_BEHIND =
  /^\s?(?:€|eur\b|euro|zł|kč|ft\b|huf|kr\b|sek|nok|dkk|chf|\$|usd|руб|₽|грн|₴|₺|tl\b|円|元|원|₹|रु|৳|টাকা|฿|บาท|ريال|درهم|دينار|جنيه|تومان|ر\.س|د\.إ|%|m²|m2|m³|km|kg|mm\b|cm\b|ml\b|шт|kb\b|mb\b|px|uhr|h\b|km\/h|мм|см|кг|год|г\.)/i;

/** The certainty of a number without a label, by how its country writes numbers. 0: it is none. */
export function certaintyOf(
  text: string,
  { raw, start, end }: Window,
  parsed: ParsedPhone,
): number {
  const written = plainDigits(raw).trim();
  if ((DATE.test(written) && !PAIRS.test(written)) || UNIT_BEHIND.test(text.slice(end, end + 8)))
    return 0;
  if (/[€$£¥₽₹৳฿]\s?$/.test(text.slice(Math.max(0, start - 3), start))) return 0;
  if (/^\(?\+/.test(written)) return 0.85;
  const groups = written.split(/\D+/).filter(Boolean);
  const isNational = groups.join(' ') === parsed.national.split(/\D+/).filter(Boolean).join(' ');
  const isAlone = standsAlone(text, start, end);
  if (
    /^(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,3}[2-9]\d{2}[ .-]\d{4}$/.test(written) &&
    parsed.phone.startsWith('+1')
  )
    return 0.8;
  if (/^\(?0/.test(written) && !/^0\.|^00/.test(written)) {
    if (groups.length >= 2) return isNational ? 0.8 : 0.7;
    return isAlone && written.length >= 9 ? 0.6 : 0;
  }
  if (/^00[1-9]/.test(written)) return 0.7;
  // A trunk prefix other than zero: 8 in Russia, 06 in Hungary.
  if (/^8[ (-]/.test(written) && parsed.phone.startsWith('+7')) return 0.75;
  if (groups.length >= 3 && isNational) return isAlone ? 0.7 : 0.5;
  if (groups.length === 2 && isNational && isAlone && /[-) ]/.test(written)) return 0.5;
  return 0;
}

/** Whether the line holds little else: figures in running text are usually something else. */
function standsAlone(text: string, start: number, end: number): boolean {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  return to - from - (end - start) <= 25;
}
