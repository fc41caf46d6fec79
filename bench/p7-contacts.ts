/**
 * P7: precision and recall of the contacts found on labelled websites.
 * `npm run bench -- p7`; with `P7_FAULTS=1` every wrong or missing find is listed.
 */
import {
  KINDS,
  loadCorpus,
  precision,
  realCorpusFolder,
  recall,
} from '../test/support/contacts-corpus.ts';
import { scoreSites, walk, type Score } from '../test/support/contacts-corpus.ts';

const folder = realCorpusFolder();
if (folder) report('real', await scoreSites(await loadCorpus(folder), walk));
else console.log('P7 real: skipped, CONTACTS_CORPUS_DIR does not name the labelled sites');

function report(corpus: string, { tallies, faults, decoys }: Score): void {
  if (process.env['P7_FAULTS']) {
    for (const fault of faults) console.log(fault);
    for (const decoy of decoys) console.log(`DECOY ${decoy}`);
  }
  for (const kind of KINDS) {
    const { hits, wrong, missed } = tallies[kind];
    const numbers = `precision=${precision(tallies[kind]).toFixed(3)} recall=${recall(tallies[kind]).toFixed(3)}`;
    console.log(
      `P7 ${corpus} ${kind} ${numbers} (${hits} right, ${wrong} wrong, ${missed} missed)`,
    );
  }
  console.log(`P7 ${corpus} decoys=${decoys.length}`);
}
