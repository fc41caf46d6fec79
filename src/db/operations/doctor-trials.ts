/** Servers of `outreach doctor --order`: each row is written before its server is ordered. */
import type { Kysely, Selectable } from 'kysely';
import type { DoctorTrialTables } from './doctor-trial-tables.ts';
import type { Database } from '../tables.ts';

export type DoctorTrial = Selectable<DoctorTrialTables['doctor_trials']>;

export async function insertTrial(
  db: Kysely<Database>,
  trial: { name: string; provider: string; registrar: string; domain: string; startedAt: Date },
): Promise<void> {
  const { startedAt, ...facts } = trial;
  await db
    .insertInto('doctor_trials')
    .values({ ...facts, started_at: startedAt })
    .execute();
}

/** The vendor has nothing of it any more. Safe to repeat. */
export async function endTrial(db: Kysely<Database>, name: string, at: Date): Promise<void> {
  await db
    .updateTable('doctor_trials')
    .set({ ended_at: at })
    .where('name', '=', name)
    .where('ended_at', 'is', null)
    .execute();
}

/** Those that did not end, the oldest first. */
export const listOpenTrials = (db: Kysely<Database>): Promise<DoctorTrial[]> =>
  db
    .selectFrom('doctor_trials')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('started_at')
    .execute();

/** By name; names that no trial had are absent. */
export async function findTrials(
  db: Kysely<Database>,
  provider: string,
  names: readonly string[],
): Promise<Map<string, DoctorTrial>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('doctor_trials')
    .selectAll()
    .where('provider', '=', provider)
    .where('name', 'in', [...names])
    .execute();
  return new Map(rows.map((row) => [row.name, row]));
}
