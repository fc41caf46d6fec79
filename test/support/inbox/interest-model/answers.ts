/** Answers whose meaning is known, of test/corpus/interest, and more that are made of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { INTERESTS, type Interest } from '../../../../src/domain/inbox/interest/interest.ts';
import { AROUND } from './around.ts';

export interface KnownAnswer {
  language: string;
  interest: Interest;
  text: string;
  /** 0 to 1, within its class: phrasings of one place are alike in all languages. */
  place: number;
}

const FIRST = new URL('../../../corpus/interest/', import.meta.url);
/** Of other writers, each language by itself. */
const LATER = new URL('later/', FIRST);

export const knownAnswers = (): KnownAnswer[] => [...firstAnswers(), ...laterAnswers()];

/** Those of writers of whom each wrote by themselves. */
export const laterAnswers = (): KnownAnswer[] => answersOf(LATER);

/** Those whose phrasings are alike in all languages, so that whole phrasings can be left out. */
export const firstAnswers = (): KnownAnswer[] => answersOf(FIRST);

function answersOf(corpus: URL): KnownAnswer[] {
  return readdirSync(corpus)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const texts = JSON.parse(readFileSync(new URL(name, corpus), 'utf8')) as Record<
        Interest,
        string[]
      >;
      const language = name.replace('.json', '');
      return INTERESTS.flatMap((interest) =>
        texts[interest].map((text, at) => ({
          language,
          interest,
          text,
          place: at / texts[interest].length,
        })),
      );
    });
}

/** What an answer of the first means where it says the second, too. docs/interest.md#what-each-means */
const TOGETHER: readonly (readonly [Interest, Interest, Interest])[] = [
  ['interested', 'meeting', 'meeting'],
  ['question', 'meeting', 'meeting'],
  ['interested', 'question', 'interested'],
  ['not_interested', 'wrong_person', 'wrong_person'],
  ['wrong_person', 'wrong_person', 'wrong_person'],
  ['interested', 'interested', 'interested'],
  ['meeting', 'meeting', 'meeting'],
  ['question', 'question', 'question'],
  ['not_now', 'not_now', 'not_now'],
  ['not_interested', 'not_interested', 'not_interested'],
  ['interested', 'not_now', 'not_now'],
];

type Meant = Pick<KnownAnswer, 'interest' | 'text'>;

/** The answers, each within a whole message as well, and pairs of them. The same ones for the same answers. */
export function variedAnswers(answers: readonly KnownAnswer[], random: () => number): Meant[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const wrapped = answers.map(({ language, interest, text }) => {
    const { greetings, thanks, farewells } = AROUND[language]!;
    const parts = [pick(greetings), random() < 0.6 ? `${pick(thanks)} ${text}` : text];
    if (random() < 0.6) parts.push(pick(farewells));
    return { interest, text: parts.join('\n') };
  });
  const byKind = new Map<string, KnownAnswer[]>();
  for (const each of answers) {
    const kind = `${each.language} ${each.interest}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), each]);
  }
  const pairs = answers.flatMap(({ language, interest, text }) => {
    const [, other, meant] = pick(TOGETHER.filter(([first]) => first === interest)) ?? [];
    if (!other || !meant) return [];
    const second = pick(byKind.get(`${language} ${other}`) ?? []);
    return second ? [{ interest: meant, text: `${text} ${second.text}` }] : [];
  });
  return [...answers, ...wrapped, ...pairs];
}
