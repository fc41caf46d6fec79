/** What letters are: precision and recall of each kind on the corpus and on the held-out letters. */
import { answersCorpus } from '../test/corpus/mail/index.ts';
import { heldOut } from '../test/corpus/mail/held-out.ts';
import { scoreLetters } from '../test/corpus/mail/score.ts';
import { bench } from './command.ts';

bench('mail-kinds', 'Kinds of letters in the inbox: precision and recall.').parse();

const sets = { corpus: answersCorpus, 'held out': heldOut };
for (const [name, letters] of Object.entries(sets)) {
  const { scores, mistakes } = await scoreLetters(letters);
  console.log(`${name}: ${letters.length} letters, ${mistakes.length} mistakes`);
  for (const { kind, letters: count, precision, recall } of scores) {
    if (count === 0) continue;
    const figures = `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
    console.log(`  ${kind.padEnd(20)} ${String(count).padStart(3)} letters, ${figures}`);
  }
  for (const mistake of mistakes) console.log(`  ! ${mistake}`);
}
