/** Words and icons that say what the number or address beside them is. */

import { elementOf, type Element } from './html/elements.ts';
import { ATTRIBUTE, type Tag } from './html/tag.ts';

export type Label = 'phone' | 'fax' | 'mail';

/** Telephone, in the words of many languages; `\b` is of no use outside ASCII. */
const PHONE_WORDS = [
  // "T 030 ...", "m: 0171 ...": one letter counts right before a number or with a colon.
  '[tmpc](?=\\s?[.:)|]|\\s[+(\\d])|[тм](?=\\.)|tfno|tlfno?|tels|fono|fijo|fixe|whats|wsp|zap|santral|office',
  't[eé]l|tel[eé]?f(?!a[xk])\\p{L}*|t[eé]l[eé]phon\\p{L}*|tlf|tlp|telp|phones?|ph|f[ao]ne?|hotline',
  'handy\\p{L}*|mob(?:il\\p{L}*)?|cell(?:ulare?|phone)?|cel(?:ular(?:es)?)?|gsm|natel|portable',
  'm[oó]vil(?:es)?|mobiili|komórk\\p{L}*|kom|cep|hp|call(?: us)?|calls?|text|rufnummer|festnetz',
  'durchwahl|zentrale|rezeption|notruf|anruf\\p{L}*|sprechstunde|appel\\p{L}*|standard|ll[aá]ma\\p{L}*',
  'chiama\\p{L}*|ligue|whats\\s?app|viber|puh|puhelin\\p{L}*|bel(?: ons)?|bellen|zavolejte|volejte',
  'mobilszám|hívj\\p{L}*|zadzwoń|тел(?:ефон\\p{L}*)?|моб(?:[иі]льн\\p{L}*)?|звон\\p{L}*|позвон\\p{L}*',
  'дзвон\\p{L}*|τηλ(?:[εέ]φων\\p{L}*)?|κιν(?:ητ\\p{L}*)?|(?:お|代表)?電話(?:番号)?|携帯|电话|手机|手機',
  '热线|전화|연락처|휴대폰|טלפון|נייד|điện thoại|đt|ტელ\\p{L}*|հեռ\\p{L}*|ስልክ',
  '(?:ال|لل|بال)?(?:هاتف|جوال|موبايل|محمول|تليفون|تلفون|نقال|خلوي)|اتصلوا?|للاتصال|للتواصل',
  'تلفن|موبایل|همراه|تماس|واتساپ|واتساب|فون|موبائل|رابطہ',
  'फ़?ोन|फ़ोन|टेलीफ़?ोन|मोबा[इई]ल|दूरभाष|दूरध्वनी|सं?म?्?पर्क|कॉल|ফোন|টেলিফোন|মোবাইল|মুঠোফোন|যোগাযোগ|হটলাইন',
  'தொலைபேசி|கைபேசி|போன்|ఫోన్|మొబైల్|ದೂರವಾಣಿ|ಫೋನ್|ഫോൺ|ફોન|મોબાઇલ|ਫ਼?ੋਨ|දුරකථන|ဖုန်း|ទូរស័ព្ទ|ໂທ',
].join('|');
const FAX_WORDS =
  'f(?=\\s?[.:)|]|\\s[+(\\d])|(?:tele)?fax\\p{L}*|facs[ií]mil\\p{L}*|(?:tele)?faks\\p{L}*|t[eé]l[eé]copie\\p{L}*|факс\\p{L}*|φαξ|' +
  'ファッ?クス|传真|傳真|팩스|(?:ال)?فاكس|فکس|نمابر|دورنگار|פקס|फ़?ैक्स|ফ্যাক্স';
/** Thai has no spaces between words: there the words count anywhere. */
const THAI = { phone: 'โทร|เบอร์|มือถือ|สายด่วน', fax: 'โทรสาร|แฟ็?กซ์' } as const;
const MAIL_WORDS = [
  'e-?\\s?mail\\p{L}*|mails?|courriel|correo\\p{L}*|posta|e-?posta?|s[aä]hk[oö]posti|m[eé]l',
  'почта|пошта|メール|邮箱|郵箱|이메일|ایمیل|(?:ال)?بريد|ई-?मेल|ই-?মেইল|อีเมล|אימייל|eposti?|napište|pišite|skriv|schreib\\p{L}*|write|contact',
].join('|');

/** Names of ids, money and measures: nearer to a number than a label, they rule it out. */
const OTHER_WORDS = [
  'ust|ust-?id\\p{L}*|umsatzsteuer\\p{L}*|uid|vat|tva|iva|p\\.?\\s?iva|partita|c\\.\\s?f|codice|nif|cif|nie|dni',
  // A box has a number and a postal code after it; a number of another line is neither.
  'p\\.?\\s?o\\.?\\s?box(?=[^\\p{L}\\d\\n]{0,6}$)|(?:postfach|postbus|apartado|casilla)(?=[^\\p{L}\\d\\n]{0,6}$)',
  'siret|siren|rcs|ape|naf|kvk|btw|rsin|iban|bic|swift|konto\\p{L}*|kto|blz|bankverbindung|hr[ab]',
  'steuer\\p{L}*|st\\.?-?nr|registr?\\p{L}*|reg|licen[sc]e\\p{L}*|lic|permit|usdot|tax|abn|acn|crn',
  'account n\\p{L}*|cuit|cuil|rut|rfc|cnpj|cpf|nip|regon|krs|pesel|i[čc]o?|di[čc]|oib|mbs|adószám',
  'cégjegyzék\\p{L}*|inn|ogrn|kpp|инн|огрн\\p{L}*|кпп|бик|окпо|оквэд|єдрпоу|іпн|ипн|mersis|vergi',
  'sicil|org\\.?\\s?n\\p{L}*|y-tunnus|ytunnus|cvr|orgnr|business id|bedrijfs\\p{L}*|登録\\p{L}*|法人番号|許可',
  'isbn|issn|plz|zip|postal|postcode|sku|artikel\\p{L}*|copyright|price|preis\\p{L}*|prezzo|prix|precio',
  'цена|ціна|eur|usd|chf|rub|руб|lat|lng|lon|coordinates|gps|seit|founded|rea|eori|duns|azav|rna',
  'waldec|eik|еик|jib|pib|matricule|policy n\\p{L}*|versicherungs\\p{L}*|[pркл]\\/[sс]|счет|счёт|рахунок',
  'gstin|fssai|cin|(?:ال)?سجل التجاري|سجل تجاري|(?:ال)?رقم الضريبي|(?:ال)?رقم الموحد|ترخيص|رخصة|(?:ال)?رمز البريدي',
  'کد ?پستی|کدپستی|شناسه ملی|شماره ثبت|کد اقتصادی|کد ملی|पंजीकरण|पिन ?कोड|लाइसेंस|নিবন্ধন|লাইসেন্স|পোস্ট ?কোড',
  'ทะเบียน\\p{L}*|เลขประจำตัว[\\p{L}\\p{M}]*|ใบอนุญาต|รหัสไปรษณีย์',
].join('|');

const whole = (words: string): string => `(?<![\\p{L}\\d])(?:${words})(?!\\p{L})`;
export const PHONE_WORD = new RegExp(`${whole(PHONE_WORDS)}|${THAI.phone}|[☎☏📞📱✆]`, 'giu');
export const FAX_WORD = new RegExp(`${whole(FAX_WORDS)}|${THAI.fax}|📠`, 'giu');
export const MAIL_WORD = new RegExp(whole(MAIL_WORDS), 'giu');

export const LABEL_KINDS = ['phone', 'fax', 'other'] as const;
/**
 * All labels in one pass, each in the group of its kind. Ids come first: "C.F." is no "c." and "f." of
 * a cell phone and a fax.
 */
export const LABEL = new RegExp(
  `(?<other>${whole(OTHER_WORDS)}|[〒№©])|` +
    `(?<fax>${whole(FAX_WORDS)}|${THAI.fax}|📠)|` +
    `(?<phone>${whole(PHONE_WORDS)}|${THAI.phone}|[☎☏📞📱✆])`,
  'giu',
);

const MARKUP_FAX = /(?:^|[\s_/-])(?:tele)?fax(?:$|[\s_./-]|number)/i;
const MARKUP_PHONE =
  /(?:^|[\s_/-])(?:tele)?(?:phone|tel|telefon\w?|mobile-?phone|call|handset|smartphone|telephone)(?:$|[\s_./-]|number)/i;

/** What classes, microdata and icon files call an element; null for most. */
export function labelOfMarkup(element: Element, { values, hasValues, data }: Tag): Label | null {
  if (hasValues) {
    const itemprop = values[ATTRIBUTE.itemprop];
    if (itemprop) {
      if (/^fax/i.test(itemprop)) return 'fax';
      if (/^telephone$/i.test(itemprop)) return 'phone';
    }
    const words = values[ATTRIBUTE.class];
    if (words && words.length < 200 && /fax|phone|tel|call|handset/i.test(words)) {
      if (MARKUP_FAX.test(words)) return 'fax';
      if (MARKUP_PHONE.test(words)) return 'phone';
    }
  }
  if (element === IMAGE)
    return ofText(`${values[ATTRIBUTE.alt] ?? ''} ${fileOf(values[ATTRIBUTE.src])}`);
  if (element === USE)
    return ofText(values[ATTRIBUTE.href] ?? values[ATTRIBUTE['xlink:href']] ?? '');
  const icon = data?.['data-icon'];
  return icon ? ofText(icon) : null;
}

const IMAGE = elementOf('img');
const USE = elementOf('use');

const fileOf = (src = ''): string => (src.length < 500 ? src.slice(src.lastIndexOf('/') + 1) : '');

function ofText(text: string): Label | null {
  if (text.length > 300) return null;
  const words = text.replaceAll(/[#.]/g, ' ');
  if (MARKUP_FAX.test(words)) return 'fax';
  return MARKUP_PHONE.test(words) ? 'phone' : null;
}

/** An icon's or link's text for those who do not see it; null for most. */
export function labelOfAttributes(element: Element, { values, hasValues }: Tag): Label | null {
  // A navigation that is called "Mobile" labels no number.
  if (!hasValues || !(element.isInline || element === BUTTON)) return null;
  const words = values[ATTRIBUTE['aria-label']] ?? values[ATTRIBUTE.title];
  return words ? labelOfWords(words) : null;
}

const BUTTON = elementOf('button');

/** What a few words call a number or address beside them; null where they say more than that. */
export function labelOfWords(words: string): Label | null {
  if (words.length > 30 || /\d/.test(words) || NO_LABEL.test(words)) return null;
  if (words.search(FAX_WORD) >= 0) return words.search(PHONE_WORD) >= 0 ? 'phone' : 'fax';
  if (words.search(PHONE_WORD) >= 0) return 'phone';
  return NAMES_MAIL.test(words) ? 'mail' : null;
}

/** Words of menus, shops and places that also mean telephones. */
const NO_LABEL = /menu|nav|toggle|version|app\b|text|office|standard|zentrale|store|shop|search/i;
const NAMES_MAIL = new RegExp(whole(MAIL_WORDS.replace(/\|contact$/, '')), 'iu');

/** What a table's column heading says of its cells. */
export function labelOfHeading(heading: string): Label | null {
  if (heading.length > 60) return null;
  if (heading.search(FAX_WORD) >= 0) return heading.search(PHONE_WORD) >= 0 ? null : 'fax';
  return heading.search(PHONE_WORD) >= 0 ? 'phone' : null;
}
