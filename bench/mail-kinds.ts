/**
 * Classification of messages: precision and recall of each kind on the corpus and on the held-out
 * messages.
 */
import { answersCorpus } from '../test/corpus/mail/index.ts';
import { heldOut } from '../test/corpus/mail/held-out.ts';
import { scoreMessages } from '../test/corpus/mail/score.ts';
import { bench } from './command.ts';

bench('mail-kinds', 'Kinds of messages in the inbox: precision and recall.').parse();

const sets = { corpus: answersCorpus, 'held out': heldOut };
for (const [name, messages] of Object.entries(sets)) {
  const { scores, mistakes } = await scoreMessages(messages);
  console.log(`${name}: ${messages.length} messages, ${mistakes.length} mistakes`);
  for (const { kind, messages: count, precision, recall } of scores) {
    if (count === 0) continue;
    const figures = `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
    console.log(`  ${kind.padEnd(20)} ${String(count).padStart(3)} messages, ${figures}`);
  }
  for (const mistake of mistakes) console.log(`  ! ${mistake}`);
}
