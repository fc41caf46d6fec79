/** Numbers in the digits of many scripts and in unusual groups, and figures that are none. */
import type { SiteCase } from './site-case.ts';

export interface DigitWriting {
  name: string;
  country: string;
  language: string;
  html: string;
  /** E.164; a fax is not asked for. */
  phones: string[];
}

const ARABIC = 0x660;
const PERSIAN = 0x6f0;
const DEVANAGARI = 0x966;
const BENGALI = 0x9e6;
const THAI = 0xe50;
const KHMER = 0x17e0;
const MYANMAR = 0x1040;
const FULL_WIDTH = 0xff10;

/** The figures of `text` in the digits whose zero is `zero`. */
const inDigits = (zero: number, text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const writing = (
  [name, country, language]: [string, string, string],
  html: string,
  ...phones: string[]
): DigitWriting => ({ name, country, language, html, phones });

const arabic = (text: string): string => inDigits(ARABIC, text);
const persian = (text: string): string => inDigits(PERSIAN, text);
const hindi = (text: string): string => inDigits(DEVANAGARI, text);
const thai = (text: string): string => inDigits(THAI, text);

export const DIGIT_WRITINGS: DigitWriting[] = [
  writing(
    ['Arabic-Indic digits', 'SA', 'ar'],
    `<p>الهاتف: ${arabic('+966 11 465 2290')}</p>`,
    '+966114652290',
  ),
  writing(
    ['Arabic-Indic digits with the plus behind', 'SA', 'ar'],
    `<p dir="rtl">هاتف: ${arabic('966114652290')}+</p>`,
    '+966114652290',
  ),
  writing(
    ['Arabic-Indic digits in a link', 'AE', 'ar'],
    `<a href="tel:${arabic('+97143392817')}">اتصل بنا</a>`,
    '+97143392817',
  ),
  writing(
    ['Arabic-Indic digits in microdata', 'EG', 'ar'],
    `<meta itemprop="telephone" content="${arabic('02 2735 4561')}">`,
    '+20227354561',
  ),
  writing(
    ['a mobile beside a fax in Arabic-Indic digits', 'SA', 'ar'],
    `<p>جوال ${arabic('0505821934')}</p><p>فاكس: ${arabic('011 465 2291')}</p>`,
    '+966505821934',
  ),
  writing(
    ['Persian digits', 'IR', 'fa'],
    `<p>تلفن: ${persian('021-88776655')}</p><p>نمابر: ${persian('021-88776650')}</p>`,
    '+982188776655',
  ),
  writing(
    ['Persian digits of a mobile', 'IR', 'fa'],
    `<p>شماره تماس: ${persian('0912 884 0371')}</p>`,
    '+989128840371',
  ),
  writing(
    ['Devanagari digits', 'IN', 'hi'],
    `<p>फ़ोन: ${hindi('011 2338 6012')}</p><p>मोबाइल: ${hindi('98104 55213')}</p>`,
    '+911123386012',
    '+919810455213',
  ),
  writing(
    ['Devanagari digits of Nepal', 'NP', 'ne'],
    `<p>फोन: ${hindi('01-4412873')}</p>`,
    '+97714412873',
  ),
  writing(
    ['Bengali digits', 'BD', 'bn'],
    `<p>ফোন: ${inDigits(BENGALI, '02-55012345')}, মোবাইল: ${inDigits(BENGALI, '01712-345679')}</p>`,
    '+880255012345',
    '+8801712345679',
  ),
  writing(
    ['Thai digits', 'TH', 'th'],
    `<p>โทร. ${thai('02-381-4407')}</p><p>โทรสาร ${thai('02-381-4408')}</p>`,
    '+6623814407',
  ),
  writing(
    ['Thai digits within a sentence', 'TH', 'th'],
    `<p>ติดต่อโทร.${thai('023814407')}ต่อ ${thai('12')}</p>`,
    '+6623814407',
  ),
  writing(
    ['Khmer digits', 'KH', 'km'],
    `<p>ទូរស័ព្ទ ${inDigits(KHMER, '023 880 417')}</p>`,
    '+85523880417',
  ),
  writing(
    ['digits of Myanmar', 'MM', 'my'],
    `<p>ဖုန်း ${inDigits(MYANMAR, '09 511 4822')}</p>`,
    '+9595114822',
  ),
  writing(
    ['full-width digits and signs', 'JP', 'ja'],
    `<p>電話：${inDigits(FULL_WIDTH, '03').concat('－', inDigits(FULL_WIDTH, '5550'), '－', inDigits(FULL_WIDTH, '1234'))}</p>`,
    '+81355501234',
  ),
  writing(
    ['digits of formulas', 'DE', 'de'],
    `<p>Tel.: ${inDigits(0x1d7ec, '030 23125014')}</p>`,
    '+493023125014',
  ),
  writing(
    ['digits as emblems', 'DE', 'de'],
    `<p>Tel.: ${'03023125014'.replaceAll(/\d/g, '$&\uFE0F\u20E3')}</p>`,
    '+493023125014',
  ),
  writing(['single digits', 'DE', 'de'], '<p>Tel. 0 3 0 2 3 1 2 5 0 1 4</p>', '+493023125014'),
  writing(
    ['single digits with points', 'DE', 'de'],
    '<p>Tel. 0.3.0.2.3.1.2.5.0.1.4</p>',
    '+493023125014',
  ),
  writing(['pairs with bullets', 'FR', 'fr'], '<p>Tél. 01•99•00•12•34</p>', '+33199001234'),
  writing(['pairs with points, unlabelled', 'FR', 'fr'], '<p>01.99.00.12.34</p>', '+33199001234'),
  writing(
    ['thin and narrow blanks', 'FR', 'fr'],
    '<p>Tél.&#8239;: 01&thinsp;99&#8239;00&nbsp;12&thinsp;34</p>',
    '+33199001234',
  ),
  writing(['an area behind a bar', 'DE', 'de'], '<p>Tel.: 030 | 23 12 50 14</p>', '+493023125014'),
  writing(['an area behind a bullet', 'DE', 'de'], '<p>Tel.: 030 • 23125014</p>', '+493023125014'),
  writing(
    ['an area in square brackets', 'DE', 'de'],
    '<p>Tel.: [030] 23125014</p>',
    '+493023125014',
  ),
  writing(['points between groups', 'US', 'en'], '<p>212 • 555 • 0123</p>', '+12125550123'),
  writing(
    ['two numbers with a bullet between', 'CH', 'de'],
    '<p>T 022 555 01 23 • M 079 555 01 23</p>',
    '+41225550123',
    '+41795550123',
  ),
  writing(
    ['two numbers with a bar between', 'DE', 'de'],
    '<p>Tel. 030 23125014 | 0171 3920014</p>',
    '+493023125014',
    '+491713920014',
  ),
  writing(
    ['prices in Arabic-Indic digits', 'SA', 'ar'],
    `<p>السعر ${arabic('050 582 1934')} ريال</p>`,
  ),
  writing(
    ['a register in Arabic-Indic digits', 'SA', 'ar'],
    `<p>السجل التجاري: ${arabic('0505821934')}</p>`,
  ),
  writing(
    ['a postal code in Persian digits', 'IR', 'fa'],
    `<p>کد پستی: ${persian('0912884037')}</p>`,
  ),
  writing(
    ['a tax number in Thai digits', 'TH', 'th'],
    `<p>เลขประจำตัวผู้เสียภาษี ${thai('023814407')}</p>`,
  ),
  writing(
    ['dates in Arabic-Indic digits', 'SA', 'ar'],
    `<p>${arabic('12/04/2023')} - ${arabic('15/04/2023')}</p>`,
  ),
  writing(
    ['a row of pages', 'US', 'en'],
    '<p>1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10</p><p>[10] [20] [212] [555]</p>',
  ),
  writing(['dates with points', 'FR', 'fr'], '<p>Du 01.02.2023 au 05.06.2023, 01.02.03</p>'),
];

/** One site for each; on those without a number nothing is to be found. */
export const DIGIT_CASES: SiteCase[] = DIGIT_WRITINGS.map((each) => ({
  ...each,
  page: { path: '/contact', word: 'Contact' },
  emails: [],
  others: [],
}));
