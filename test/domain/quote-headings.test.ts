/** Where the quote begins: headings as Outlook has them, and introductions, in the letters that mails come with. */
import { describe, expect, it } from 'vitest';
import { splitQuote } from '../../src/domain/inbox/mail-classification/quotes.ts';

const OUR_TEXT =
  'Hi Bob,\nif you want no further mails, please tell me.\nUnsubscribe: https://us.example/u\n';
const RLM = '\u200f';

const HEADINGS: Record<string, string> = {
  Thai: 'จาก: Me <me@us.example>\nส่ง: 30 พฤศจิกายน 2026 10:00\nถึง: Ann <ann@lead.example>\nเรื่อง: A question',
  Hindi:
    'से: Me <me@us.example>\nभेजा गया: 30 नवंबर 2026 10:00\nप्रति: Ann <ann@lead.example>\nविषय: A question',
  'Hebrew with marks of direction': `${RLM}${RLM}מאת: Me <me@us.example>\n${RLM}${RLM}נשלח: יום שני 30 נובמבר 2026\n${RLM}${RLM}אל: Ann\n${RLM}נושא: A question`,
  'Arabic with marks of direction': `${RLM}${RLM}من: Me\n\u202bتم الإرسال: 2026 10:00\u202c\n${RLM}إلى: Ann`,
  'Vietnamese in NFD':
    'Từ: Me <me@us.example>\nĐã gửi: 30 Tháng 11 2026\nTới: Ann <ann@lead.example>'.normalize(
      'NFD',
    ),
  'Korean in NFD': '보낸 사람: Me\n보낸 날짜: 2026년 11월 30일\n받는 사람: Ann'.normalize('NFD'),
  'French with narrow blanks': 'De\u202f: Me\nEnvoyé\u202f: lundi 30 novembre 2026\nÀ\u202f: Ann',
  English: 'From: Me <me@us.example>\nSent: Monday, November 30, 2026\nTo: Ann',
};

const INTRODUCTIONS: Record<string, string> = {
  Finnish: 'Ann kirjoitti 30.11.2026 klo 10.00:',
  Estonian: 'Ann kirjutas 30.11.2026 kell 10:00:',
  Korean: '2026-11-30 오전 10:00에 Ann 이(가) 쓴 글:',
  Bulgarian: 'На 30.11.2026 10:00 Ann написа:',
  Slovak: 'Dňa 30.11.2026 o 10:00 Ann napísal(a):',
  Croatian: 'Dana 30.11.2026. u 10:00, Ann je napisao/la:',
  Slovenian: 'Dne 30.11.2026 ob 10:00 je Ann napisal/a:',
  Serbian: 'Дана 30.11.2026. у 10:00, Ann је написао/ла:',
  'French in NFD': 'Le 30/11/2026 à 10:00, Ann Lee a écrit :'.normalize('NFD'),
  'Hebrew with marks of direction': `${RLM}בתאריך 30.11.2026 בשעה 10:00, Ann כתב/ה:${RLM}`,
  German: 'Am 30.11.26 um 10:00 schrieb Ann Lee:',
};

describe('a quote', () => {
  it.each(Object.entries(HEADINGS))('begins at the heading: %s', (_name, heading) => {
    const { words, quote } = splitQuote(`OK, call me.\n\n${heading}\n\n${OUR_TEXT}`);
    expect(words).toBe('OK, call me.');
    expect(quote).toContain('Hi Bob,');
  });

  it.each(Object.entries(INTRODUCTIONS))('begins at the introduction: %s', (_name, line) => {
    const { words, quote } = splitQuote(`OK, call me.\n\n${line}\n\n${OUR_TEXT}`);
    expect(words).toBe('OK, call me.');
    expect(quote).toContain('Hi Bob,');
  });

  it('is marked by `>` behind marks of direction', () => {
    const text = `OK, call me.\n${RLM}> Hi Bob,\n\u202a>> please tell me\u202c\nThanks`;
    expect(splitQuote(text)).toEqual({
      words: 'OK, call me.\nThanks',
      quote: 'Hi Bob,\nplease tell me\u202c',
    });
  });

  it('leaves what the writer wrote as it is', () => {
    const text = `${RLM}كن\u00ad، אשמח\nOui, c’est d’accord, à bientôt`.normalize('NFD');
    expect(splitQuote(`${text}\n\n${HEADINGS['English']}\n\n${OUR_TEXT}`).words).toBe(text);
  });

  it.each([
    'My boss kirjoitti minulle:\nplease remove us.',
    'Колегата ми написа:\nмолим, обадете се.',
    'Kolega mi napísal:\nprosím, zavolajte.',
    'Menu: soup\nPrice: ten\nDrinks: water',
    'Вот что: звоните\nТелефон: 123\nИмя: Анна',
    '제가 쓴 글을 보세요:\nhttps://lead.example',
  ])('is not: %s', (text) => {
    expect(splitQuote(`Hello\n${text}`)).toEqual({ words: `Hello\n${text}`, quote: undefined });
  });
});
