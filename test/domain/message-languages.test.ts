/** The language of a campaign: set, or guessed from how its first message is written. */
import { describe, expect, it } from 'vitest';
import {
  guessLanguage,
  languageOf,
  MESSAGE_LANGUAGES,
  messageLanguageOf,
  wordsOf,
} from '../../src/domain/sending/message-languages.ts';

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

  it('is what was set, in any region, and English where there are no words', () => {
    const first = { subjectTemplate: null, bodyTemplate: 'Hi, is this for you and your team?' };
    expect(languageOf('de-AT', first)).toBe('de-AT');
    expect(languageOf(null, first)).toBe('en');
    expect(['de-AT', 'DE', 'sv', null].map(messageLanguageOf)).toEqual(['de', 'de', 'en', 'en']);
    expect(wordsOf('pl').unsubscribe).toBe('Wypisz się');
  });

  it('has all words, each its own', () => {
    const all = MESSAGE_LANGUAGES.map((language) => Object.values(wordsOf(language)));
    for (const words of all) expect(words.every((each) => each.length > 3)).toBe(true);
    expect(new Set(all.map((words) => words[2])).size).toBe(MESSAGE_LANGUAGES.length);
  });
});
