/**
 * P7: precision and recall of the contacts found on labelled websites, our own and real ones.
 * With `--faults` every wrong or missing find is listed with its page.
 */
import { madeSites } from '../test/corpus/sites.ts';
import {
  KINDS,
  loadCorpus,
  precision,
  realCorpusFolder,
  recall,
  scoreSites,
  walk,
  type Score,
} from '../test/support/websites/contacts-corpus.ts';
import { bench, optionsOf } from './command.ts';

/** For e-mails; docs/benchmarks.md has the others. */
const GOALS = { own: 'precision>=0.99 recall>=0.98', real: 'precision>=0.96 recall>=0.94' };

const { faults: SHOWS_FAULTS } = optionsOf<{ faults: boolean }>(
  bench('p7', 'Contacts found on labelled websites: precision and recall.').option(
    '--faults',
    'list every wrong or missing find with its page',
    false,
  ),
);

report('own', await scoreSites(madeSites(), walk));
const folder = realCorpusFolder();
if (folder) report('real', await scoreSites(await loadCorpus(folder), walk));
else console.log('P7 real: skipped, CONTACTS_CORPUS_DIR does not name the labelled sites');

function report(corpus: keyof typeof GOALS, { tallies, faults, decoys }: Score): void {
  if (SHOWS_FAULTS) {
    for (const fault of faults) console.log(fault);
    for (const decoy of decoys) console.log(`DECOY ${decoy}`);
  }
  for (const kind of KINDS) {
    const { hits, wrong, missed } = tallies[kind];
    const [precise, found] = [precision(tallies[kind]), recall(tallies[kind])];
    console.log(
      `P7 ${corpus} ${kind} precision=${precise.toFixed(3)} recall=${found.toFixed(3)} ` +
        `goal=${GOALS[corpus]} (${hits} right, ${wrong} wrong, ${missed} missed)`,
    );
  }
  console.log(`P7 ${corpus} decoys=${decoys.length}`);
}
