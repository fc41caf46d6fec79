/**
 * All texts of the corpus whose class is known: what the model of likeness learns from. Those in corpus/answers were
 * written for it, by people who had not seen the phrases: such as are easily confused with another class, unusual
 * ones, and everyday ones.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { textsOf } from '../../../../activities/inbox/message-text.ts';
import { withMessage } from '../../../../activities/inbox/mime-reader.ts';
import { ownWords } from '../../../../src/domain/inbox/mail-classification/quotes.ts';
import { WORDINGS } from '../../../corpus/mail/in-other-words.ts';
import { SAYINGS } from '../../../corpus/mail/many-languages.ts';
import { MORE_SAYINGS } from '../../../corpus/sayings/index.ts';
import { SECOND } from '../../../corpus/sayings/second.ts';
import { laterAnswers } from '../interest-model/answers.ts';

export const TEXT_CLASSES = ['unsubscribe', 'reply', 'auto_reply', 'other'] as const;
export type TextClass = (typeof TEXT_CLASSES)[number];

export interface LabelledText {
  class: TextClass;
  text: string;
  /** The collection that it comes from. */
  source: string;
}

const CORPUS = new URL('../../../corpus/', import.meta.url);
const json = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, CORPUS), 'utf8')) as T;
const isTextClass = (name: string): name is TextClass => TEXT_CLASSES.includes(name as TextClass);

export async function labelledTexts(): Promise<LabelledText[]> {
  const found: LabelledText[] = [];
  const add = (source: string, name: string, text: string) => {
    if (isTextClass(name)) found.push({ class: name, text, source });
  };
  for (const name of readdirSync(CORPUS)
    .filter((each) => /^messages.*\.json$/.test(each))
    .sort()) {
    for (const { class: is, raw } of json<{ class: string; raw: string }[]>(name)) {
      add(name, is, await ownTextOf(raw));
    }
  }
  for (const name of readdirSync(new URL('sayings/', CORPUS)).sort()) {
    if (!name.endsWith('.json')) continue;
    for (const each of json<{ class: string; text: string }[]>(`sayings/${name}`)) {
      add(name, each.class, each.text);
    }
  }
  for (const name of readdirSync(new URL('answers/', CORPUS)).sort()) {
    const byLanguage = json<Record<string, Record<string, string[]>>>(`answers/${name}`);
    for (const [is, texts] of Object.values(byLanguage).flatMap((each) => Object.entries(each))) {
      for (const text of texts) add(name, is, text);
    }
  }
  for (const said of [...Object.values(SAYINGS), ...Object.values(MORE_SAYINGS)]) {
    for (const text of said.automatic) add('languages', 'auto_reply', text);
    for (const text of said.optOuts) add('languages', 'unsubscribe', text);
    for (const text of said.answers) add('languages', 'reply', text);
  }
  for (const [is, text] of [...WORDINGS, ...SECOND]) add('wordings', is, text);
  // Those who say no, or name somebody else, ask for silence now and then.
  for (const { interest, text } of laterAnswers()) {
    if (interest !== 'not_interested' && interest !== 'wrong_person')
      add('interest', 'reply', text);
  }
  return found;
}

/** Introductions of a quote that were not known when the weights were learnt: these texts were learnt with them. */
const LEARNT_WITH = [
  /^(?:На|Dňa|Dana|Дана|Dne) \d[^@]+(?:написа|napísal|napisa|написао).*:$/u,
  /^.+ kirjoitti \d.+:$/u,
  /^\u202bבתאריך .+\u202c$/u,
];

function asLearnt(text: string, own: string): string {
  const [gap = '', line = ''] = /^\n+(.+)\n/.exec(text.slice(text.indexOf(own) + own.length)) ?? [];
  const isOne = LEARNT_WITH.some((each) => each.test(line));
  return isOne ? `${own}${gap.trimEnd()}` : own;
}

/** Node's decoder had these for the euro sign, dashes and quotation marks of windows-1252. */
const CONTROLS = new Map(
  Array.from({ length: 32 }, (_, at) => {
    const decoder = new TextDecoder('windows-1252');
    const letter = decoder.decode(Buffer.from([0x80 + at]), { stream: true });
    return [letter, String.fromCharCode(0x80 + at)];
  }),
);

/** What its writer wrote, without what they quote. */
function ownTextOf(raw: string): Promise<string> {
  const source = Buffer.from(raw.replaceAll(/\r?\n/g, '\r\n'));
  const isWestern = /charset="?windows-1252/i.test(raw);
  return withMessage(source, ({ parts }) => {
    const text = textsOf(parts).text.replaceAll('\r', '');
    const own = asLearnt(text, ownWords(text));
    return isWestern ? own.replaceAll(/./gsu, (each) => CONTROLS.get(each) ?? each) : own;
  });
}
