/** The language of a campaign: set, or guessed from how its first message is written. */
import { describe, expect, it } from 'vitest';
import {
  guessLanguage,
  languageOf,
  MESSAGE_LANGUAGES,
  messageLanguageOf,
} from '../../src/domain/sending/message-languages.ts';
import { PAGE_LANGUAGES, pageLanguageOf, wordsOf } from '../../src/domain/sending/page-words.ts';

describe('a language', () => {
  it.each([
    [
      'de',
      'Guten Tag {{lastName}},\n\nich habe gesehen, dass Sie neue Räume haben. Ist das ein Thema für Sie?',
    ],
    [
      'fr',
      'Bonjour {{firstName}},\n\nje vous écris au sujet de votre site. Est-ce que nous pouvons en parler ?',
    ],
    [
      'es',
      'Hola {{firstName}},\n\nle escribo por la página de su empresa. ¿Podemos hablar con usted?',
    ],
    [
      'it',
      'Buongiorno {{firstName}},\n\nle scrivo per il sito della sua azienda. Possiamo parlare con lei?',
    ],
    [
      'pt',
      'Olá {{firstName}},\n\nescrevo para falar do site da sua empresa. Você não quer uma conversa com os nossos?',
    ],
    [
      'nl',
      'Goedendag {{firstName}},\n\nik heb uw website gezien en wij hebben een idee voor u. Is dat iets voor het team?',
    ],
    [
      'pl',
      'Dzień dobry {{firstName}},\n\npiszę do Państwa w sprawie strony. Czy jest to temat dla firmy?',
    ],
    [
      'sv',
      'Hej {{firstName}},\n\njag har sett er nya webbplats och undrar om det är något för er. Vänliga hälsningar',
    ],
    [
      'da',
      'Hej {{firstName}},\n\njeg har set jeres nye hjemmeside. Hvad siger I til en snak? Venlig hilsen',
    ],
    [
      'nb',
      'Hei {{firstName}},\n\njeg har sett den nye siden deres. Hva sier dere til en prat? Vennlig hilsen',
    ],
    ['da', 'Hej {{firstName}},\n\njeg har en idé til hjemmesiden. Er det noget? Hilsen Anna'],
    ['da', 'Hej {{firstName}},\n\nvil du vide mere om det? Jeg ringer gerne. Hilsen Anna'],
    ['nb', 'Hei {{firstName}},\n\njeg har en idé til dere. Er det noe? Hilsen Anna'],
    ['nb', 'Hei {{firstName}},\n\nvil du vite mer om det? Jeg ringer gjerne. Hilsen Anna'],
    ['sv', 'Hej {{firstName}},\n\njag har en idé till er. Vill du veta mer? Hälsningar Anna'],
    [
      'fi',
      'Hyvää päivää {{firstName}},\n\nhuomasin, että teillä on uusi sivusto. Voisimme auttaa teidän kanssa. Ystävällisin terveisin',
    ],
    [
      'cs',
      'Dobrý den,\n\npíšu vám, protože jsme viděli vaše nové stránky. Byl by to zájem pro vaši firmu?',
    ],
    [
      'hu',
      'Tisztelt {{lastName}}!\n\nLáttam, hogy önöknek új honlapjuk van. Érdekli önt egy beszélgetés?',
    ],
    [
      'ro',
      'Bună ziua {{firstName}},\n\nam văzut că aveți un site nou și vă scriu pentru o scurtă discuție.',
    ],
    [
      'ro',
      'Buna ziua {{firstName}},\n\nam vazut ca aveti un site nou si va scriu pentru o scurta discutie.',
    ],
    [
      'tr',
      'Merhaba {{firstName}},\n\nyeni siteniz için size bir önerimiz var. Uygun mu? İyi günler',
    ],
    ['el', 'Γεια σας {{firstName}},\n\nείδα τη νέα σας ιστοσελίδα. Σας ενδιαφέρει;'],
    ['ru', 'Здравствуйте, {{firstName}}!\n\nМы увидели ваш новый сайт. Вам это интересно?'],
    [
      'ru',
      'Здравствуйте, {{firstName}}!\n\nНаша команда помогает компаниям находить клиентов. Когда вам удобно поговорить?',
    ],
    ['uk', 'Вітаю, {{firstName}}!\n\nМи побачили ваш новий сайт. Вам це цікаво?'],
    ['ja', '{{lastName}}様\n\n貴社の新しいサイトを拝見しました。ご興味はございますか。'],
    ['zh', '{{lastName}}您好，\n\n我们看到了贵公司的新网站，请问您有兴趣吗？'],
    ['zh-Hant', '{{lastName}}您好，\n\n我們看到了貴公司的新網站，請問您有興趣嗎？'],
    ['ar', 'مرحبا {{firstName}}،\n\nرأينا موقعكم الجديد. هل يهمكم الأمر؟'],
    ['he', 'שלום {{firstName}},\n\nראינו את האתר החדש שלכם. האם זה מעניין אתכם?'],
    [
      'en',
      'Hi {{firstName}},\n\nI saw that you have a new site and would like to talk. Is this for you?',
    ],
  ])('is guessed from a message: %s', (language, text) => {
    expect(guessLanguage(text)).toBe(language);
  });

  it('is English where a text says nothing clear', () => {
    for (const text of ['', 'Hi {{firstName}}', 'ok {{company|die Firma}}', 'de la', '12345 !']) {
      expect(guessLanguage(text)).toBe('en');
    }
  });

  it('is unknown where letters do not tell it', () => {
    for (const text of [
      'سلام، وب‌سایت جدید شما را دیدیم و پیشنهادی داریم',
      'Здравейте, видяхме новия ви сайт. Интересно ли ви е?',
      'Здравейте, видяхме новия ви сайт и имаме предложение за вашата компания. Интересно ли ви е да поговорим?',
      'Здравейте, помагаме на компании като вашата да намират нови клиенти. Кога бихте имали време за кратък разговор?',
      'Анна',
      'I saw that the 東京株式会社 is looking for you',
    ]) {
      expect(guessLanguage(text)).toBe('en');
    }
  });

  it('is what was set, in any region, and English where there are no words', () => {
    const first = { subjectTemplate: null, bodyTemplate: 'Hi, is this for you and your team?' };
    expect(languageOf('de-AT', first)).toBe('de-AT');
    expect(languageOf(null, first)).toBe('en');
    expect(['de-AT', 'DE', 'sv', null].map(messageLanguageOf)).toEqual(['de', 'de', 'en', 'en']);
    expect(wordsOf('pl').unsubscribe).toBe('Wypisz się');
    const tags = [
      'sv-FI',
      'no',
      'nn-NO',
      'zh-CN',
      'zh-TW',
      'zh-Hant-HK',
      'iw',
      'ar-EG',
      'xx',
      null,
    ];
    expect(tags.map(pageLanguageOf)).toEqual('sv nb nb zh zh-Hant zh-Hant he ar en en'.split(' '));
  });

  it('has all words, each its own', () => {
    const all = PAGE_LANGUAGES.map((language) => Object.values(wordsOf(language)));
    for (const words of all) expect(words.every((each) => each.length > 1)).toBe(true);
    expect(new Set(all.map((words) => words[2])).size).toBe(PAGE_LANGUAGES.length);
    expect(PAGE_LANGUAGES.slice(0, MESSAGE_LANGUAGES.length)).toEqual(MESSAGE_LANGUAGES);
    const asked = 'sv pl ru uk tr ja zh ar he el hu ro da nb fi cs'.split(' ');
    expect(asked.filter((each) => pageLanguageOf(each) !== each)).toEqual([]);
  });
});
