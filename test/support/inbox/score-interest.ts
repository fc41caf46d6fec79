/**
 * Scores what answers are taken to mean on files of labelled ones, `[{id, language, subject, text, interest}]`, and
 * prints precision and recall, never a text: `node --import tsx test/support/inbox/score-interest.ts <file.json>...`.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  INTERESTS,
  judgeInterest,
  type Interest,
} from '../../../src/domain/inbox/interest/index.ts';

export interface LabelledAnswer {
  language: string;
  text: string;
  interest: Interest;
}

export interface Scored {
  language: string;
  interest: Interest;
  taken: Interest | null;
}

export const scoreAnswers = (answers: readonly LabelledAnswer[]): Scored[] =>
  answers.map(({ language, interest, text }) => ({
    language,
    interest,
    taken: judgeInterest(text).interest,
  }));

/** Of those that were judged, and of all. */
export function rates(scored: readonly Scored[]): { precision: number; recall: number } {
  const right = scored.filter(({ interest, taken }) => interest === taken).length;
  const judged = scored.filter(({ taken }) => taken !== null).length;
  return { precision: right / Math.max(1, judged), recall: right / Math.max(1, scored.length) };
}

/** Precision of what is taken for the class, recall of what is of it. */
export function ratesOf(scored: readonly Scored[], of: Interest) {
  const right = scored.filter(({ interest, taken }) => interest === of && taken === of).length;
  const taken = scored.filter((each) => each.taken === of).length;
  const all = scored.filter(({ interest }) => interest === of).length;
  return { precision: right / Math.max(1, taken), recall: right / Math.max(1, all) };
}

const row = (name: string, { precision, recall }: { precision: number; recall: number }) =>
  console.log(`${name.padEnd(16)} ${precision.toFixed(3)} ${recall.toFixed(3)}`);

function main(files: readonly string[]): void {
  const scored = files.flatMap((file) =>
    scoreAnswers(JSON.parse(readFileSync(file, 'utf8')) as LabelledAnswer[]),
  );
  console.log(`${scored.length} answers: precision, recall`);
  row('all', rates(scored));
  for (const interest of INTERESTS) row(interest, ratesOf(scored, interest));
  for (const language of [...new Set(scored.map((each) => each.language))].sort()) {
    row(language, rates(scored.filter((each) => each.language === language)));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
