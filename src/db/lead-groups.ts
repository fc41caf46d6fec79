/** Finds or creates companies and their people, the one way in for routes, files and workflows. */
import type { Kysely } from 'kysely';
import type { GroupOutcome, LeadGroup } from '../domain/leads.ts';
import type { Database } from './tables.ts';

export interface GroupImport {
  userId: string;
  /** Companies that are new or in no list are put into it; others stay where they are (trap e). */
  leadListId: number | null;
  /** `leadSource` of new leads, `source` of new companies. */
  source: string | null;
  groups: readonly LeadGroup[];
}

/**
 * One statement, all or nothing, alone or within the caller's transaction. Answers in the order of
 * the input. Two imports of the same people at the same time make no twins; suppressed addresses
 * become leads with status `suppressed`; erased people are not stored. Spec: Leads, rules 2, 3.
 */
export async function importGroups(
  _db: Kysely<Database>,
  _input: GroupImport,
): Promise<GroupOutcome[]> {
  throw new Error('not built yet');
}
