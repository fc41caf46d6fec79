/** Runs in Temporal that belong to no row here: found by the activities, closed by whoever has looked. */
import { closeFinding } from '../../src/db/operations/findings.ts';
import { listRunFindings } from '../../src/db/operations/lost-rows.ts';
import type { Found, ReconcileContext } from './book.ts';

export async function runFindings({ db }: ReconcileContext): Promise<Found[]> {
  const findings = await listRunFindings(db);
  return findings.map((finding) => ({
    finding,
    heal: async (words) => {
      await closeFinding(db, finding, words);
      return true;
    },
  }));
}
