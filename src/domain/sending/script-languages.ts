/** Languages that are told by the letters they are written in. */
import type { PageLanguage } from './page-words.ts';

/** With fewer letters, or a smaller share of all, it is a name or a quote. */
const LEAST_LETTERS = 6;
const LEAST_SHARE = 0.6;

/** Undefined for Latin letters, and where a script has languages that its letters do not tell apart. */
export function languageOfScript(text: string): PageLanguage | undefined {
  const letters = count(text, /\p{L}/gu);
  const isIn = (script: RegExp) => {
    const found = count(text, script);
    return found >= LEAST_LETTERS && found >= letters * LEAST_SHARE;
  };
  if (isIn(/[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}ー]/gu)) {
    return /[\p{sc=Hira}\p{sc=Kana}]/u.test(text) ? 'ja' : chinese(text);
  }
  if (isIn(/\p{sc=Cyrl}/gu)) return cyrillic(text);
  // Persian, Urdu and Kurdish have letters of their own.
  if (isIn(/\p{sc=Arab}/gu)) return /[پچژگکیےەڕ]/u.test(text) ? undefined : 'ar';
  if (isIn(/\p{sc=Hebr}/gu)) return 'he';
  return isIn(/\p{sc=Grek}/gu) ? 'el' : undefined;
}

/** Common characters that were simplified. */
const chinese = (text: string): PageLanguage =>
  count(text, /[們這個說時會對學國為來過開關還請謝訊問電郵寄處業務]/gu) >
  count(text, /[们这个说时会对学国为来过开关还请谢讯问电邮处业务]/gu)
    ? 'zh-Hant'
    : 'zh';

/** In this many letters of Russian `ы`, `э` or `ё` may be missing, those of other languages hardly. */
const LEAST_RUSSIAN = 60;

/** Bulgarian, Serbian, Belarusian and Kazakh are none of both. */
function cyrillic(text: string): PageLanguage | undefined {
  if (/[ўәқңөұүһјљњћђџѓќ]/u.test(text)) return undefined;
  if (/[іїєґ]/u.test(text)) return 'uk';
  if (/[ыэё]/u.test(text)) return 'ru';
  const letters = count(text, /\p{sc=Cyrl}/gu);
  const isRussian = letters >= LEAST_RUSSIAN && letters === count(text, /[а-я]/gu);
  return isRussian && !BULGARIAN.test(text) ? 'ru' : undefined;
}

/** `ъ` as a vowel, and short words that Russian has not. */
const BULGARIAN = /ъ(?![еюя])|(?<!\p{L})(?:ще|че|ви|са|се|сме|сте|това|е)(?!\p{L})/u;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
